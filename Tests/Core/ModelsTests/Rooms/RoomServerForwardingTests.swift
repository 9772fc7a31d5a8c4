@testable import KodamaNetwork
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("A room server hands one person's voice to the others in the room")
struct RoomServerForwardingTests {
    /// Aoi and Ren in one room, Saki in another; all have published.
    private func people() -> RoomServerBench {
        var bench = RoomServerBench(identities: ["aoi", "ren", "saki"])
        bench.hasAgents = false
        bench.establish(0, room: "call-1")
        bench.establish(1, room: "call-1")
        bench.establish(2, room: "call-2")
        return bench
    }

    /// The way of a client's voice to the server.
    private func uplink(_ client: Int, in bench: RoomServerBench) throws -> MediaRoute {
        let track = try #require(bench.clients[client].track)
        let socket = bench.clients[client].socket(.publisher)
        return MediaRoute(from: socket, to: RoomServerBench.mediaSocket, track: track)
    }

    @Test("Each of two people hears the other by their own way, and nobody in another room (VP-05)")
    func bothWays() throws {
        let bench = people()
        for (talker, listener) in [(0, 1), (1, 0)] {
            let way = try uplink(talker, in: bench)
            #expect(bench.server.room(hearing: way) == "call-1")
            let routes = bench.server.forwardedRoutes(of: way)
            #expect(routes.map(\.source) == [RoomServerBench.mediaSocket])
            #expect(routes.map(\.destination) == [bench.clients[listener].socket(.subscriber)])
            #expect(routes.map(\.track) == [way.track])
        }
        let alone = try uplink(2, in: bench)
        #expect(bench.server.room(hearing: alone) == "call-2")
        #expect(bench.server.forwardedRoutes(of: alone).isEmpty)
    }

    @Test("A way that the server does not know leads nowhere (RS-11)")
    func unknownWays() throws {
        let bench = people()
        let way = try uplink(0, in: bench)
        var stranger = way.source
        stranger.port += 1
        let wrong = [
            MediaRoute(from: stranger, to: way.destination, track: way.track),
            MediaRoute(from: way.source, to: RoomServerBench.signalSocket, track: way.track),
            MediaRoute(from: way.source, to: way.destination, track: way.track + 1),
            MediaRoute(
                from: way.source,
                to: way.destination,
                track: try uplink(1, in: bench).track
            ),
        ]
        for way in wrong {
            #expect(bench.server.room(hearing: way) == nil)
            #expect(bench.server.forwardedRoutes(of: way).isEmpty)
        }
    }

    @Test("A muted track is heard by nobody, an unmuted one again (VP-05)")
    func muted() throws {
        var bench = people()
        let way = try uplink(0, in: bench)
        bench.say(.mute(track: way.track, isMuted: true), 0)
        bench.run(for: .seconds(1))
        #expect(bench.server.room(hearing: way) == nil)
        #expect(bench.server.forwardedRoutes(of: way).isEmpty)
        bench.say(.mute(track: way.track, isMuted: false), 0)
        bench.run(for: .seconds(1))
        #expect(bench.server.forwardedRoutes(of: way).count == 1)
    }

    @Test("Who has left hears nothing more, and is heard no more (VP-05)")
    func left() throws {
        var bench = people()
        let (own, other) = (try uplink(0, in: bench), try uplink(1, in: bench))
        bench.say(.leave(.clientInitiated), 1)
        bench.run(for: .seconds(2))
        #expect(bench.server.room(hearing: own) == "call-1")
        #expect(bench.server.forwardedRoutes(of: own).isEmpty)
        #expect(bench.server.room(hearing: other) == nil)
    }

    @Test("Whoever has no transport for it yet hears nothing (VP-05)")
    func unconnected() throws {
        var bench = RoomServerBench(identities: ["aoi", "ren"])
        bench.hasAgents = false
        bench.establish(0, room: "call-1")
        bench.clients[1].omissions.handshakes = false
        bench.connect(1, room: "call-1")
        bench.run(for: .seconds(3))
        #expect(bench.server.forwardedRoutes(of: try uplink(0, in: bench)).isEmpty)
    }

    @Test("A server that is deaf to media takes nobody's voice (RS-11)")
    func deaf() throws {
        var bench = people()
        let way = try uplink(0, in: bench)
        bench.give(.fault(.blockIce))
        #expect(bench.server.room(hearing: way) == nil)
        #expect(bench.server.forwardedRoutes(of: way).isEmpty)
    }
}
