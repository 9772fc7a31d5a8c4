@testable import KodamaNetwork
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("Where the room object sends and hears voice")
struct RoomClientMediaTests {
    static func frame(_ track: UInt32) -> Packet.Content {
        .media(MediaFrame(track: track, sequence: 1, captured: .zero, isSpeech: true))
    }

    @Test("Voice goes from the phone's address to the server's, and comes back the same way (K-09)")
    func routes() throws {
        let bench = RoomClientBench.connected()
        let out = try #require(bench.client.machine.mediaRoute)
        #expect(out.source.address == RoomClientBench.wifi)
        #expect(out.destination == RoomClientScript.media)
        #expect(out.track == 901)
        let back = try #require(bench.client.machine.audibleRoute)
        #expect(back.source == RoomClientScript.media)
        #expect(back.destination.address == RoomClientBench.wifi)
        #expect(back.track == 500)
    }

    @Test("Only frames of a subscribed track to a live port are heard, and they are counted (K-09)")
    func hearing() throws {
        var bench = RoomClientBench.connected()
        let route = try #require(bench.client.machine.audibleRoute)
        func packet(_ track: UInt32, to destination: SocketAddress) -> Packet {
            Packet(from: route.source, to: destination, wireBytes: 120, Self.frame(track))
        }
        let elsewhere = SocketAddress(address: route.destination.address, port: 0x1BFFF)
        #expect(bench.client.machine.hears(packet(500, to: route.destination)))
        #expect(!bench.client.machine.hears(packet(501, to: route.destination)))
        #expect(!bench.client.machine.hears(packet(500, to: elsewhere)))
        bench.send(.packet(packet(500, to: route.destination)))
        bench.send(.packet(packet(501, to: route.destination)))
        bench.run(for: .seconds(1))
        let last = bench.callbacks.last {
            if case .statistics = $0.callback { true } else { false }
        }
        guard case .statistics(let statistics)? = last?.callback else {
            Issue.record("no statistics came")
            return
        }
        #expect(statistics.packetsReceived == 1)
    }

    @Test("The statistics say how many tracks are there and not muted (VP-05)")
    func audibleTracks() {
        var bench = RoomClientBench.connected()
        bench.run(for: .seconds(2))
        #expect(bench.audibleTracks == 1)
        bench.say(.mute(track: 500, isMuted: true))
        bench.run(for: .seconds(2))
        #expect(bench.audibleTracks == 0)
        bench.say(.mute(track: 500, isMuted: false))
        bench.run(for: .seconds(2))
        #expect(bench.audibleTracks == 1)
    }

    @Test("Who joins is told who is muted already (VP-05)")
    func mutedBefore() {
        var bench = RoomClientBench()
        bench.script.others[0].mutedTracks = [500]
        bench.connect()
        bench.run(for: .seconds(3))
        #expect(bench.audibleTracks == 0)
    }

    @Test("The renderer plays while it is on (RS-05)")
    func renderer() {
        var bench = RoomClientBench.connected()
        #expect(!bench.client.machine.isPlaying)
        bench.send(.command(.startRenderer))
        #expect(bench.client.machine.isPlaying)
        bench.send(.command(.stopRenderer))
        #expect(!bench.client.machine.isPlaying)
    }

    @Test("A new address takes the voice over without a word over signalling (K-01)")
    func handover() throws {
        var bench = RoomClientBench.connected()
        bench.send(.addressesChanged([RoomClientBench.wifi, RoomClientBench.cellular]))
        bench.run(for: .seconds(2))
        #expect(bench.client.machine.mediaRoute?.source.address == RoomClientBench.wifi)
        let requests = bench.script.requests.count
        bench.send(.addressesChanged([RoomClientBench.cellular]))
        bench.run(for: .milliseconds(200))
        #expect(bench.client.machine.mediaRoute?.source.address == RoomClientBench.cellular)
        #expect(bench.client.machine.audibleRoute?.destination.address == RoomClientBench.cellular)
        bench.run(for: .seconds(5))
        #expect(bench.script.requests.count == requests)
        #expect(bench.told.isEmpty)
        #expect(bench.noted.isEmpty)
    }

    @Test("The system's favourite address is taken back when it returns (K-01)")
    func favourite() {
        var bench = RoomClientBench.connected()
        bench.send(.addressesChanged([RoomClientBench.cellular]))
        bench.run(for: .milliseconds(300))
        #expect(bench.client.machine.mediaRoute?.source.address == RoomClientBench.cellular)
        let wifiAgain = NetworkAddress(host: 0, interface: 0, lease: 2)
        bench.send(.addressesChanged([wifiAgain, RoomClientBench.cellular]))
        bench.run(for: .milliseconds(100))
        #expect(bench.client.machine.mediaRoute?.source.address == wifiAgain)
    }

    @Test("An ICE restart does not interrupt the voice, and moves it to new ports (RS-11)")
    func restart() throws {
        var bench = RoomClientBench.connected()
        let before = try #require(bench.client.machine.mediaRoute)
        bench.hangUp()
        for _ in 0..<100 {
            bench.run(for: .milliseconds(10))
            #expect(bench.client.machine.mediaRoute != nil)
            #expect(bench.client.machine.audibleRoute != nil)
        }
        let after = try #require(bench.client.machine.mediaRoute)
        #expect(after.source.port != before.source.port)
        #expect(after.track == before.track)
    }

    @Test("The DTLS handshake survives lost flights (K-02)")
    func lostFlights() throws {
        var bench = RoomClientBench()
        bench.script.answersHandshake = false
        bench.connect()
        bench.run(for: .seconds(2))
        #expect(bench.client.machine.connectionState == .connecting)
        bench.script.answersHandshake = true
        bench.run(for: .seconds(4))
        #expect(bench.client.machine.connectionState == .connected)
    }

    @Test("A dead path is given up: after 15 s nothing is sent on it, and nothing checked (K-01)")
    func deadPath() {
        var bench = RoomClientBench.connected { $0.curve = .android }
        bench.cut = [.media]
        bench.run(for: .seconds(14))
        #expect(bench.client.machine.mediaRoute != nil)
        bench.script.onResume = .silence
        bench.run(for: .seconds(4))
        #expect(bench.client.machine.mediaRoute == nil)
    }

    @Test("An app that slept for a minute does not burst when it wakes (K-01)")
    func suspension() {
        var bench = RoomClientBench.connected()
        bench.run(for: .seconds(30))
        let late = Instant.zero.advanced(by: bench.now + .seconds(60))
        var sent = 0
        bench.client.wake(at: late) { effect in
            if case .transmit = effect { sent += 1 }
        }
        #expect(sent > 0 && sent <= 4)
        #expect(bench.client.deadline.map { $0.instant > late } ?? true)
    }
}
