@testable import KodamaNetwork
@testable import KodamaSession
import SansIO
import Testing

@Suite("Liveness in a room server")
struct RoomServerLivenessTests {
    @Test("Dark at 0: asked to resume at 15 s, gone at 20 s, the room closed within 41 s (K-01b)")
    func darkness() throws {
        var bench = RoomServerBench()
        bench.establish()
        bench.isCut = [.signalling, .media]
        bench.run(for: .seconds(60))
        // Both transports were heard last when their latest packets arrived.
        let dark = try #require(bench.lastDatagramHeard)
        let leave = LeaveRequest(.resume, .connectionTimeout)
        let asked = try #require(bench.sent.first { $0.packet.says(.leave(leave)) }?.at)
        #expect(dark.earliest.duration(to: asked) == .seconds(15))
        let left = RoomServerNote.participantLeft(
            identity: "aoi",
            participant: 1,
            .connectionTimeout
        )
        let gone = try #require(bench.time(of: left))
        #expect(dark.latest.duration(to: Instant.zero.advanced(by: gone)) == .seconds(20))
        #expect(
            bench.time(ofAgent: .participantDisconnected(identity: "aoi", .connectionTimeout))
                == gone
        )
        let closed = try #require(bench.time(of: .roomClosed(room: "room")))
        let sinceDark = closed - Instant.zero.duration(to: dark.latest)
        #expect(sinceDark >= .seconds(39) && sinceDark <= .seconds(41))
        #expect(closed - gone >= .seconds(19) && closed - gone <= .seconds(21))
        #expect(closed.components.attoseconds == 0)
        #expect(bench.time(ofAgent: .roomClosed) == closed)
    }

    @Test("Nothing is said before ICE has failed: ten seconds of silence change nothing")
    func disconnectedIsSilent() {
        var bench = RoomServerBench()
        bench.establish()
        let before = bench.log.count
        bench.isCut = [.media]
        bench.run(for: .seconds(12))
        #expect(bench.log.count == before)
        #expect(bench.server.mediaRoutes(room: "room").count == 1)
        bench.isCut = []
        bench.run(for: .seconds(60))
        #expect(bench.log.count == before)
    }

    @Test(
        "With signalling gone and media alive a participant stays for as long as it likes (RS-11)"
    )
    func mediaAlone() {
        var bench = RoomServerBench()
        bench.establish()
        bench.change { client, now in client.drive(.close, at: now) }
        bench.run(for: .seconds(600))
        #expect(bench.server.mediaRoutes(room: "room").count == 1)
        #expect(!bench.notes.contains { if case .participantLeft = $0 { true } else { false } })
    }

    @Test("Who hangs up before ICE was connected, is closed at once")
    func signalClose() {
        var bench = RoomServerBench()
        bench.clients[0].omissions.checks = false
        bench.connect()
        bench.run(for: .milliseconds(300))
        bench.change { client, now in client.drive(.close, at: now) }
        bench.run(for: .milliseconds(100))
        let left = RoomServerNote.participantLeft(identity: "aoi", participant: 1, .signalClose)
        #expect(bench.notes.last == left)
    }

    @Test("A new address takes media over with its first nomination (RS-11)")
    func newAddress() throws {
        var bench = RoomServerBench()
        bench.establish()
        let old = bench.clients[0].address
        let new = NetworkAddress(host: old.host, interface: 1, lease: 0)
        bench.change { client, _ in client.address = new }
        bench.isCut = [.signalling]
        bench.run(for: .milliseconds(2_600))
        #expect(bench.server.mediaRoutes(room: "room").map(\.destination.address) == [new])
        let frame = try #require(bench.clients[0].frame(at: bench.now))
        let receiver = bench.server.receive(media: frame, at: bench.now)
        #expect(receiver == .agent(room: "room", identity: "aoi"))
        bench.change { client, _ in client.address.interface = 0 }
        bench.run(for: .milliseconds(2_600))
        #expect(bench.server.mediaRoutes(room: "room").map(\.destination.address) == [old])
    }

    @Test("A full ICE agent takes no worse address, and fails 15 s after the better's end (RS-11)")
    func fullAgent() throws {
        var configuration = RoomServerConfiguration()
        configuration.iceAgent = .full
        var bench = RoomServerBench(configuration: configuration)
        bench.clients[0].address.interface = 1
        bench.establish()
        let cellular = bench.clients[0].address
        var wifi = cellular
        wifi.interface = 0
        bench.isCut = [.signalling]
        bench.change { client, _ in client.address = wifi }
        bench.run(for: .milliseconds(2_600))
        #expect(bench.server.mediaRoutes(room: "room").map(\.destination.address) == [wifi])
        bench.change { client, _ in client.address = cellular }
        bench.run(for: .seconds(12))
        #expect(bench.server.mediaRoutes(room: "room").map(\.destination.address) == [wifi])
        // Checks by the worse address do not keep it alive.
        bench.run(for: .seconds(4))
        #expect(bench.server.mediaRoutes(room: "room").isEmpty)
    }

    @Test("Never ACTIVE within a minute is a failure to join")
    func joinFailure() throws {
        var bench = RoomServerBench()
        bench.clients[0].omissions.handshakes = false
        bench.connect()
        bench.run(for: .seconds(61))
        let left = RoomServerNote.participantLeft(identity: "aoi", participant: 1, .joinFailure)
        #expect(bench.time(of: left) == .milliseconds(60_145))
        let leave = LeaveRequest(.disconnect, .joinFailure)
        #expect(bench.clients[0].heard.last?.response == .leave(leave))
    }

    @Test("An offer without an answer for 15 s ends in a full reconnect")
    func negotiationFails() {
        var bench = RoomServerBench()
        bench.clients[0].omissions.answersOffers = false
        bench.connect()
        bench.run(for: .seconds(16))
        let leave = LeaveRequest(.reconnect, .stateMismatch)
        #expect(bench.clients[0].heard.last?.response == .leave(leave))
        let left = RoomServerNote.participantLeft(identity: "aoi", participant: 1, .stateMismatch)
        #expect(bench.time(of: left) == .milliseconds(15_145))
    }

    @Test("The server repeats its hello after 100 ms, then after twice as long each time")
    func helloAgain() throws {
        var bench = RoomServerBench()
        bench.connect()
        // The first hello of the server leaves at 245 ms; from then on it hears nothing.
        bench.run(for: .milliseconds(250))
        bench.isCut = [.media]
        bench.run(for: .seconds(2))
        let hellos = bench.sent.filter {
            if case .dtls(.serverHello) = $0.packet.content { true } else { false }
        }
        let times = hellos.map { Instant.zero.duration(to: $0.at) }
        #expect(times == [245, 345, 545, 945, 1_745].map { .milliseconds($0) })
    }

    @Test("A frame is heard by the agent unless its track is muted, unknown or unsubscribed")
    func frames() throws {
        var bench = RoomServerBench()
        bench.connect()
        bench.run(for: .milliseconds(260))
        bench.publish(isMuted: true)
        bench.run(for: .seconds(2))
        let track = try #require(bench.clients[0].track)
        var frame = try #require(bench.clients[0].frame(at: bench.now))
        let route = MediaRoute(from: frame.source, to: frame.destination, track: track)
        let hears = MediaReceiver.agent(room: "room", identity: "aoi")
        #expect(bench.server.receive(media: frame, at: bench.now) == nil)
        #expect(bench.server.mediaReceiver(of: route) == nil)
        bench.say(.mute(track: track, isMuted: false))
        bench.run(for: .seconds(1))
        #expect(bench.server.receive(media: frame, at: bench.now) == hears)
        #expect(bench.server.mediaReceiver(of: route) == hears)
        bench.give(.fault(.blockIce))
        #expect(bench.server.receive(media: frame, at: bench.now) == nil)
        #expect(bench.server.mediaReceiver(of: route) == nil)
        bench.give(.fault(.clear))
        frame.source.port += 100
        #expect(bench.server.receive(media: frame, at: bench.now) == nil)
        let elsewhere = MediaRoute(from: frame.source, to: frame.destination, track: track)
        #expect(bench.server.mediaReceiver(of: elsewhere) == nil)
        let unknown = MediaRoute(from: route.source, to: route.destination, track: track + 1)
        #expect(bench.server.mediaReceiver(of: unknown) == nil)
        bench.give(.agentLeft(room: "room"))
        #expect(bench.server.mediaReceiver(of: route) == nil)
    }

    @Test("Voice alone proves that its sender lives")
    func voiceKeepsAlive() throws {
        var bench = RoomServerBench()
        bench.establish()
        bench.isCut = [.signalling, .media]
        for _ in 0..<36 {
            bench.run(for: .milliseconds(500))
            let frame = try #require(bench.clients[0].frame(at: bench.now))
            _ = bench.server.receive(media: frame, at: bench.now)
        }
        // After 18 s the publisher lives; the subscriber, for which nothing came, has failed.
        #expect(bench.server.mediaRoutes(room: "room").isEmpty)
        let frame = try #require(bench.clients[0].frame(at: bench.now))
        #expect(bench.server.receive(media: frame, at: bench.now) != nil)
    }
}

extension Packet {
    /// Whether it carries the end of this message.
    fileprivate func says(_ response: SignalResponse) -> Bool {
        guard case .stream(let segment) = content, case .data(let message?) = segment.kind else {
            return false
        }
        return message.content as? SignalResponse == response
    }
}

extension RoomServerBench {
    /// When the transports were heard last, judged by what the bench delivered.
    fileprivate var lastDatagramHeard: (earliest: Instant, latest: Instant)? {
        let times = TransportTarget.allCases.compactMap { lastHeard[$0] }
        guard let earliest = times.min(), let latest = times.max() else { return nil }
        return (earliest, latest)
    }
}
