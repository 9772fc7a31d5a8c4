import AppServer
@testable import KodamaNetwork
@testable import KodamaSession
import SansIO
import Testing

@Suite("Joining a room server")
struct RoomServerJoinTests {
    @Test(
        "Join response, fresh token and first offer come back to back, then all is ACTIVE (RS-11)"
    )
    func joins() throws {
        var bench = RoomServerBench()
        bench.connect()
        bench.run(for: .seconds(2))
        let heard = bench.clients[0].heard
        guard case .join(let response) = heard[0].response, case .refreshToken = heard[1].response,
            case .offer(1, let credentials, false, let tracks) = heard[2].response
        else {
            Issue.record("heard \(heard.map(\.response))")
            return
        }
        #expect(response.participant == 1)
        #expect(response.room == "room")
        #expect(response.others.isEmpty)
        #expect(response.pingInterval == .seconds(5))
        #expect(response.pingTimeout == .seconds(15))
        #expect(response.mediaAddress == RoomServerBench.mediaSocket)
        #expect(credentials == .init(participant: 1, target: .subscriber, generation: 0))
        #expect(tracks.isEmpty)
        #expect(heard[0].at == heard[2].at)
        // TCP 1, TLS 1, request and answer 1 round trip of 50 ms, and 20 ms to start the session.
        #expect(Instant.zero.duration(to: heard[0].at) == .milliseconds(170))
        // Answer and first check in parallel 1, DTLS 2; the server is done half a trip earlier.
        let active = RoomServerNote.participantActive(identity: "aoi", participant: 1)
        #expect(bench.time(of: active) == .milliseconds(295))
        #expect(bench.clients[0].transports[.subscriber]?.isConnected == true)
    }

    @Test(
        "An agent is called when a room is created, hears who is there, and is subscribed to (D-18)"
    )
    func agentComes() {
        var bench = RoomServerBench()
        bench.establish()
        #expect(bench.time(of: { $0 == .agentWanted(room: "room") }) == .milliseconds(145))
        #expect(
            bench.time(ofAgent: .participantConnected(identity: "aoi")) == .milliseconds(645)
        )
        let routes = bench.server.mediaRoutes(room: "room")
        #expect(routes.map(\.source) == [RoomServerBench.mediaSocket])
        #expect(routes.map(\.destination) == [bench.clients[0].socket(.subscriber)])
        let offers = bench.clients[0].heard.compactMap { entry -> [UInt32]? in
            guard case .offer(_, _, _, let tracks) = entry.response else { return nil }
            return tracks
        }
        #expect(offers == [[], routes.map(\.track)])
        let closing = bench.log.count
        bench.give(.agentLeft(room: "room"))
        #expect(bench.server.mediaRoutes(room: "room").isEmpty)
        // The session's end calls nobody, and neither does coming back to the same room.
        bench.say(.leave(.clientInitiated))
        bench.run(for: .seconds(5))
        bench.connect()
        bench.run(for: .seconds(5))
        #expect(!bench.log[closing...].contains { $0.effect == .agentWanted(room: "room") })
    }

    @Test(
        "A token that lets nobody in is answered with its HTTP status (RS-01)",
        arguments: zip(Refused.allCases, [401, 401, 401, 401, 401, 400, 400])
    )
    func refused(refused: Refused, statusCode: Int) {
        var bench = RoomServerBench()
        bench.clients[0].connect(token: refused.token, at: bench.now)
        bench.change { _, _ in }
        bench.run(for: .seconds(1))
        #expect(bench.clients[0].heard.map(\.response) == [.refused(statusCode: statusCode)])
        #expect(bench.clients[0].closure == .finished)
        #expect(bench.notes == [.refused(statusCode: statusCode)])
    }

    /// What is wrong with a token.
    enum Refused: CaseIterable {
        case garbage, wrongSecret, expired, notYetValid, noJoin, nobody, noRoom

        var token: String {
            switch self {
            case .garbage: "garbage"
            case .wrongSecret: RoomServerBench.token("aoi", secret: "other")
            case .expired: RoomServerBench.token("aoi") { $0.expires = Self.later(-61) }
            case .notYetValid: RoomServerBench.token("aoi") { $0.notBefore = Self.later(61) }
            case .noJoin: RoomServerBench.token("aoi") { $0.video.roomJoin = false }
            case .nobody: RoomServerBench.token("")
            case .noRoom: RoomServerBench.token("aoi") { $0.video.room = nil }
            }
        }

        static func later(_ seconds: Int64) -> WallTime {
            let clock = RoomServerBench.clock.nanosecondsSince1970
            return WallTime(nanosecondsSince1970: clock + seconds * 1_000_000_000)
        }
    }

    @Test("A clock that is off by less than the leeway does no harm")
    func leeway() {
        var bench = RoomServerBench()
        let token = RoomServerBench.token("aoi") { $0.expires = Refused.later(-59) }
        bench.change { client, now in client.connect(token: token, at: now) }
        bench.run(for: .seconds(1))
        #expect(bench.clients[0].participant == 1)
    }

    @Test("Fresh tokens come every five minutes, live ten at least, and let one join (RS-11)")
    func freshTokens() throws {
        var bench = RoomServerBench()
        let short = RoomServerBench.token("aoi") { $0.expires = Refused.later(5) }
        bench.change { client, now in client.connect(token: short, at: now) }
        bench.run(for: .seconds(901))
        let tokens = bench.clients[0].heard.compactMap { entry -> (Duration, String)? in
            guard case .refreshToken(let token) = entry.response else { return nil }
            return (Instant.zero.duration(to: entry.at), token)
        }
        let milliseconds = [170, 300_170, 600_170, 900_170]
        #expect(tokens.map(\.0) == milliseconds.map { .milliseconds($0) })
        for (time, token) in tokens {
            let claims = try AccessToken.claims(of: token)
            let seconds = time.components.seconds
            #expect(claims.expires == Refused.later(seconds + 600))
            #expect(claims.identity == "aoi" && claims.video.room == "room")
        }
        bench.change { client, now in client.connect(token: tokens[3].1, at: now) }
        bench.run(for: .seconds(1))
        // The agent took the number between.
        #expect(bench.clients[0].participant == 3)
    }

    @Test("A long token stays as long as it was")
    func longToken() throws {
        var bench = RoomServerBench()
        bench.connect()
        bench.run(for: .seconds(1))
        guard case .refreshToken(let token) = bench.clients[0].heard[1].response else {
            Issue.record("no token")
            return
        }
        #expect(try AccessToken.claims(of: token).expires == Refused.later(3_600))
    }

    @Test("A second join with an identity evicts the first (RS-11)")
    func duplicateIdentity() {
        var bench = RoomServerBench(identities: ["aoi", "aoi"])
        bench.establish(0)
        bench.connect(1)
        bench.run(for: .seconds(1))
        let leave = LeaveRequest(.disconnect, .duplicateIdentity)
        #expect(bench.clients[0].heard.last?.response == .leave(leave))
        #expect(bench.clients[0].closure == .finished)
        #expect(bench.clients[1].participant == 3)
        let story = bench.log.map(\.effect).filter { effect in
            if case .agent = effect { true } else { false }
        }
        #expect(
            story == [
                .agent(room: "room", .participantConnected(identity: "aoi")),
                .agent(room: "room", .participantDisconnected(identity: "aoi", .duplicateIdentity)),
                .agent(room: "room", .participantConnected(identity: "aoi")),
            ]
        )
    }

    @Test("A room that is full says so as the first word")
    func fullRoom() {
        var configuration = RoomServerConfiguration()
        configuration.maxParticipants = 1
        var bench = RoomServerBench(identities: ["aoi", "ren"], configuration: configuration)
        bench.establish(0)
        bench.connect(1)
        bench.run(for: .seconds(1))
        let leave = LeaveRequest(.disconnect, .joinFailure)
        #expect(bench.clients[1].heard.map(\.response) == [.leave(leave)])
    }

    @Test("Who is in the room with one, is told, and so is who mutes and who leaves")
    func others() {
        var bench = RoomServerBench(identities: ["aoi", "ren"])
        bench.hasAgents = false
        bench.establish(0)
        bench.establish(1)
        guard case .join(let response)? = bench.clients[1].heard.first?.response,
            let track = bench.clients[0].track
        else {
            Issue.record("no join")
            return
        }
        #expect(response.others.map(\.identity) == ["aoi"])
        #expect(response.others.map(\.tracks) == [[track]])
        bench.say(.mute(track: track, isMuted: true), 0)
        bench.run(for: .seconds(1))
        #expect(bench.clients[1].heard.last?.response == .mute(track: track, isMuted: true))
        bench.say(.leave(.clientInitiated), 0)
        bench.run(for: .seconds(1))
        let last = bench.clients[1].heard.suffix(2).map(\.response)
        let gone = RemoteParticipant(participant: 1, identity: "aoi", tracks: [], hasLeft: true)
        #expect(last.first == .participants([gone]))
        let left = RoomServerNote.participantLeft(
            identity: "aoi",
            participant: 1,
            .clientInitiated
        )
        #expect(bench.notes.last == left)
    }
}
