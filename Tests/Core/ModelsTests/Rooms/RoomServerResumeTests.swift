@testable import KodamaNetwork
@testable import KodamaSession
import SansIO
import Testing

@Suite("Resuming at a room server")
struct RoomServerResumeTests {
    @Test("Who is there, goes on: same participant, ICE restarted, keys kept (RS-11)")
    func resumes() throws {
        var bench = RoomServerBench()
        bench.establish()
        let heard = bench.clients[0].heard.count
        bench.connect(resuming: 1)
        bench.run(for: .seconds(1))
        let said = bench.clients[0].heard[heard...].map(\.response)
        guard said.count == 4, case .reconnect(let response) = said[0],
            case .participants(let others) = said[1], case .refreshToken = said[2],
            case .offer(_, let credentials, true, let tracks) = said[3]
        else {
            Issue.record("heard \(said)")
            return
        }
        #expect(response.mediaAddress == RoomServerBench.mediaSocket)
        #expect(others.map(\.identity) == ["agent"])
        #expect(others.map(\.tracks) == [tracks])
        #expect(credentials == .init(participant: 1, target: .subscriber, generation: 1))
        #expect(
            bench.notes.last == .participantResumed(identity: "aoi", participant: 1)
        )
        #expect(bench.server.mediaRoutes(room: "room").count == 1)
        #expect(!bench.log.contains { $0.effect == .agent(room: "room", .roomClosed) })
    }

    @Test(
        "A departure is told again to who resumes, unless they have said something since (RS-11)",
        arguments: [false, true]
    )
    func departures(saysSomething: Bool) {
        var bench = RoomServerBench(identities: ["aoi", "ren"])
        bench.establish(0)
        bench.establish(1)
        bench.isDownlinkDead = true
        bench.say(.leave(.clientInitiated), 1)
        bench.run(for: .seconds(1))
        if saysSomething { bench.say(.ping(number: 1), 0) }
        bench.run(for: .seconds(1))
        bench.isDownlinkDead = false
        let heard = bench.clients[0].heard.count
        bench.connect(0, resuming: 1)
        bench.run(for: .seconds(1))
        let lists = bench.clients[0].heard[heard...].compactMap { entry in
            if case .participants(let list) = entry.response { list } else { nil }
        }
        let gone = RemoteParticipant(
            participant: bench.clients[1].participant,
            identity: "ren",
            tracks: [],
            hasLeft: true
        )
        #expect(lists.first == [gone] || saysSomething)
        #expect(lists.count == (saysSomething ? 1 : 2))
        #expect(lists.last?.map(\.identity) == ["agent"])
    }

    @Test(
        "What others do meanwhile is said after the reconnect response, 5 s later at most (PR 4827)",
        arguments: [true, false]
    )
    func hold(isHeld: Bool) throws {
        var configuration = RoomServerConfiguration()
        configuration.holdsMessagesUntilResumed = isHeld
        configuration.sessionStartTime = .seconds(1)
        var bench = RoomServerBench(identities: ["aoi", "ren"], configuration: configuration)
        bench.connect(0)
        bench.run(for: .seconds(2))
        bench.publish(0)
        bench.run(for: .seconds(2))
        bench.connect(1)
        bench.run(for: .milliseconds(900))
        let heard = bench.clients[0].heard.count
        bench.connect(0, resuming: 1)
        bench.run(for: .seconds(3))
        let said = bench.clients[0].heard[heard...].map(\.response)
        let reconnect = try #require(
            said.firstIndex { if case .reconnect = $0 { true } else { false } }
        )
        // Ren joins while the session of the resume is being started.
        let joined = try #require(
            said.firstIndex { response in
                guard case .participants(let updates) = response else { return false }
                return updates.map(\.identity) == ["ren"]
            }
        )
        #expect((joined > reconnect) == isHeld)
        // A session that takes longer than the hold is spoken to before its response.
        configuration.sessionStartTime = .seconds(6)
        var slow = RoomServerBench(configuration: configuration)
        slow.connect(0)
        slow.run(for: .seconds(8))
        slow.publish(0)
        slow.run(for: .seconds(2))
        let before = slow.clients[0].heard.count
        slow.connect(0, resuming: 1)
        slow.run(for: .milliseconds(200))
        slow.give(.agentLeft(room: "room"))
        slow.run(for: .milliseconds(5_300))
        #expect(slow.clients[0].heard.count > before)
    }

    @Test("Identity alone decides; the session number that the client sends is not compared")
    func identityAlone() {
        var bench = RoomServerBench()
        bench.establish()
        bench.connect(resuming: 4_711)
        bench.run(for: .seconds(1))
        #expect(bench.notes.last == .participantResumed(identity: "aoi", participant: 1))
    }

    @Test("Whoever is not there is told to join anew, as the first word (RS-11)")
    func unknown() {
        var bench = RoomServerBench()
        bench.connect(resuming: 1)
        bench.run(for: .seconds(1))
        let leave = LeaveRequest(.reconnect, .stateMismatch)
        #expect(bench.clients[0].heard.map(\.response) == [.leave(leave)])
        #expect(bench.clients[0].closure == .finished)
        // The attempt opened the room; nobody joined it, so it lives for five minutes.
        #expect(bench.notes == [.roomOpened(room: "room")])
        bench.run(for: .seconds(301))
        #expect(bench.time(of: .roomClosed(room: "room")) == .seconds(300))
    }

    @Test("A resume stops the clean-up of a participant whose media had failed (K-01b)")
    func stopsCleanup() throws {
        var bench = RoomServerBench()
        bench.establish()
        bench.isCut = [.signalling, .media]
        bench.run(for: .milliseconds(18_500))
        bench.isCut = []
        bench.connect(resuming: 1)
        bench.run(for: .milliseconds(200))
        bench.change { client, now in client.offerPublisher(restartsIce: true, at: now) }
        bench.run(for: .seconds(30))
        #expect(bench.notes.last == .participantResumed(identity: "aoi", participant: 1))
        #expect(bench.server.mediaRoutes(room: "room").count == 1)
        let frame = try #require(bench.clients[0].frame(at: bench.now))
        #expect(bench.server.receive(media: frame, at: bench.now) != nil)
    }

    @Test("A failed transport answers no checks of the old generation")
    func failedIsDeaf() {
        var bench = RoomServerBench()
        bench.establish()
        bench.isCut = [.media]
        bench.run(for: .milliseconds(18_500))
        bench.isCut = [.signalling]
        let sent = bench.sent.count
        bench.run(for: .seconds(1))
        #expect(!bench.sent[sent...].contains { $0.packet.trafficClass == .media })
    }

    @Test("An answer to an older offer is rejected, the one to the latest counts")
    func staleAnswer() {
        var bench = RoomServerBench()
        bench.establish()
        bench.clients[0].omissions.answersOffers = false
        bench.connect(resuming: 1)
        bench.run(for: .seconds(1))
        bench.connect(resuming: 1)
        bench.run(for: .seconds(1))
        let offers = bench.clients[0].heard.compactMap { entry -> (UInt32, IceCredentials)? in
            guard case .offer(let id, let credentials, true, _) = entry.response else {
                return nil
            }
            return (id, credentials)
        }
        #expect(offers.count == 2)
        // The older answer leaves the offer open, so the negotiation fails 15 s after it was made.
        var deaf = bench
        deaf.say(.answer(id: offers[0].0, offers[0].1))
        deaf.run(for: .seconds(16))
        let mismatch = LeaveRequest(.reconnect, .stateMismatch)
        #expect(deaf.clients[0].heard.last?.response == .leave(mismatch))
        bench.say(.answer(id: offers[1].0, offers[1].1))
        bench.run(for: .seconds(14))
        #expect(bench.notes.last == .participantResumed(identity: "aoi", participant: 1))
    }

    @Test("A published track that the server does not know ends in a full reconnect")
    func syncState() throws {
        var bench = RoomServerBench()
        bench.establish()
        let track = try #require(bench.clients[0].track)
        bench.say(.syncState(publishedTracks: [track]))
        bench.run(for: .seconds(1))
        #expect(bench.clients[0].closure == nil)
        bench.say(.syncState(publishedTracks: [track, track + 1]))
        bench.run(for: .seconds(1))
        let mismatch = LeaveRequest(.reconnect, .stateMismatch)
        #expect(bench.clients[0].heard.last?.response == .leave(mismatch))
        let left = RoomServerNote.participantLeft(identity: "aoi", participant: 1, .stateMismatch)
        #expect(bench.notes.last == left)
    }

    @Test("A resume whose subscriber was closed by a migration is turned away (RS-11)")
    func migration() {
        var bench = RoomServerBench()
        bench.establish()
        bench.give(.fault(.leave(identity: "aoi", .init(.resume, .migration))))
        var prompt = bench
        prompt.run(for: .seconds(1))
        prompt.connect(resuming: 1)
        prompt.run(for: .seconds(5))
        #expect(prompt.notes.last == .participantResumed(identity: "aoi", participant: 1))
        bench.run(for: .seconds(4))
        bench.connect(resuming: 1)
        bench.run(for: .seconds(1))
        let mismatch = LeaveRequest(.reconnect, .stateMismatch)
        #expect(bench.clients[0].heard.last?.response == .leave(mismatch))
    }
}
