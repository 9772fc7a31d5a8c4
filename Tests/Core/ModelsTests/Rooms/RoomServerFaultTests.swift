@testable import KodamaNetwork
@testable import KodamaSession
import SansIO
import Testing

@Suite("What is done to a room server")
struct RoomServerFaultTests {
    @Test(
        "A leave says what to do next, and closes whoever is not to resume (RS-11)",
        arguments: [
            LeaveRequest(.disconnect, .participantRemoved),
            LeaveRequest(.disconnect, .roomDeleted),
            LeaveRequest(.reconnect, .stateMismatch),
            LeaveRequest(.resume, .connectionTimeout),
        ]
    )
    func leave(request: LeaveRequest) {
        var bench = RoomServerBench()
        bench.establish()
        bench.give(.fault(.leave(identity: "aoi", request)))
        bench.run(for: .seconds(1))
        #expect(bench.clients[0].heard.last?.response == .leave(request))
        #expect(bench.clients[0].closure == .finished)
        let left = RoomServerNote.participantLeft(
            identity: "aoi",
            participant: 1,
            request.reason
        )
        #expect(bench.notes.contains(left) == (request.action != .resume))
        let isClosed = bench.notes.contains(.roomClosed(room: "room"))
        #expect(isClosed == (request.reason == .roomDeleted))
    }

    @Test("A crashed process resets its sockets and whoever connects before it is back (RS-11)")
    func crash() {
        var bench = RoomServerBench()
        bench.establish()
        bench.give(.fault(.crash(downtime: .seconds(3))))
        bench.run(for: .milliseconds(30))
        #expect(bench.clients[0].closure == .reset)
        bench.connect(resuming: 1)
        bench.run(for: .milliseconds(60))
        #expect(bench.clients[0].closure == .reset)
        bench.run(for: .seconds(3))
        bench.connect(resuming: 1)
        bench.run(for: .seconds(1))
        let mismatch = LeaveRequest(.reconnect, .stateMismatch)
        #expect(bench.clients[0].heard.last?.response == .leave(mismatch))
        bench.establish()
        #expect(bench.clients[0].participant > 1)
        #expect(bench.server.mediaRoutes(room: "room").count == 1)
    }

    @Test("A closed port resets who connects, and leaves who is connected alone")
    func closedPort() {
        var bench = RoomServerBench(identities: ["aoi", "ren"])
        bench.establish(0)
        bench.give(.fault(.refuseConnections))
        bench.connect(1)
        bench.say(.ping(number: 1))
        bench.run(for: .milliseconds(100))
        #expect(bench.clients[1].closure == .reset)
        #expect(bench.clients[0].heard.last?.response == .pong(number: 1))
        bench.give(.fault(.clear))
        bench.connect(1)
        bench.run(for: .seconds(1))
        #expect(bench.clients[1].participant > 0)
    }

    @Test("A dark machine tells nobody; back, it resets old sockets and knows nobody (RS-11)")
    func dark() {
        var bench = RoomServerBench()
        bench.establish()
        let sent = bench.sent.count
        bench.give(.fault(.goDark(downtime: .seconds(3))))
        #expect(bench.sent.count == sent)
        let tail = bench.log.suffix(3).map(\.effect)
        #expect(
            tail == [
                .note(
                    .participantLeft(identity: "aoi", participant: 1, .unknownReason)
                ),
                .agent(room: "room", .roomClosed), .note(.roomClosed(room: "room")),
            ]
        )
        bench.say(.ping(number: 1))
        bench.run(for: .milliseconds(2_900))
        #expect(bench.sent.count == sent)
        #expect(bench.clients[0].closure == nil)
        bench.run(for: .seconds(2))
        #expect(bench.clients[0].closure == .reset)
        bench.connect(resuming: 1)
        bench.run(for: .seconds(1))
        let mismatch = LeaveRequest(.reconnect, .stateMismatch)
        #expect(bench.clients[0].heard.last?.response == .leave(mismatch))
        bench.establish()
        #expect(bench.clients[0].participant > 1)
        #expect(bench.server.mediaRoutes(room: "room").count == 1)
    }

    @Test("A restart tells everybody to stay away (RS-11)")
    func restart() {
        var bench = RoomServerBench(identities: ["aoi", "ren"])
        bench.establish(0)
        bench.establish(1, room: "other")
        bench.give(.fault(.restart(downtime: .seconds(1))))
        bench.run(for: .milliseconds(100))
        let leave = LeaveRequest(.disconnect, .serverShutdown)
        for client in bench.clients {
            #expect(client.heard.last?.response == .leave(leave))
            #expect(client.closure == .finished)
        }
    }

    @Test("A node that drains opens no rooms and keeps those it has")
    func drain() {
        var bench = RoomServerBench(identities: ["aoi", "ren", "mei"])
        bench.establish(0)
        bench.give(.fault(.drain))
        bench.connect(1)
        bench.connect(2, room: "other")
        bench.run(for: .seconds(1))
        #expect(bench.clients[1].participant > 0)
        #expect(bench.clients[2].heard.map(\.response) == [.refused(statusCode: 500)])
        bench.give(.fault(.clear))
        bench.connect(2, room: "other")
        bench.run(for: .seconds(1))
        #expect(bench.clients[2].participant > 0)
    }

    @Test("A full node answers everybody with 503")
    func full() {
        var bench = RoomServerBench()
        bench.give(.fault(.full))
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(bench.clients[0].heard.map(\.response) == [.refused(statusCode: 503)])
    }

    @Test("Without datagrams a join succeeds and its media never does")
    func blockIce() {
        var bench = RoomServerBench()
        bench.give(.fault(.blockIce))
        bench.connect()
        bench.run(for: .seconds(30))
        #expect(bench.clients[0].participant == 1)
        #expect(!bench.sent.contains { $0.packet.trafficClass == .media })
        // Nothing was ever connected, so hanging up after the 15 s of ICE is the end.
        let left = RoomServerNote.participantLeft(identity: "aoi", participant: 1, .signalClose)
        #expect(bench.notes.last == left)
        let leave = LeaveRequest(.resume, .connectionTimeout)
        #expect(bench.clients[0].heard.last?.response == .leave(leave))
    }

    @Test("A silent server takes connections and says nothing, and hears again when it is over")
    func silence() {
        var bench = RoomServerBench(identities: ["aoi", "ren"])
        bench.establish(0)
        let heard = bench.clients[0].heard.count
        bench.give(.fault(.goSilent))
        bench.say(.ping(number: 1), 0)
        bench.connect(1)
        bench.run(for: .seconds(20))
        #expect(bench.clients[0].heard.count == heard)
        #expect(bench.clients[0].closure == nil)
        #expect(bench.clients[1].stream.isOpen)
        #expect(bench.clients[1].heard.isEmpty)
        #expect(bench.server.mediaRoutes(room: "room").count == 1)
        bench.give(.fault(.clear))
        bench.say(.ping(number: 2), 0)
        bench.run(for: .seconds(1))
        #expect(bench.clients[0].heard[heard...].map(\.response) == [.pong(number: 2)])
    }

    @Test("A second client takes the identity and holds it")
    func joinElsewhere() {
        var bench = RoomServerBench()
        bench.establish()
        bench.give(.fault(.joinElsewhere(identity: "aoi")))
        bench.run(for: .seconds(100))
        let leave = LeaveRequest(.disconnect, .duplicateIdentity)
        #expect(bench.clients[0].heard.last?.response == .leave(leave))
        let joined = RoomServerNote.participantJoined(identity: "aoi", participant: 3)
        #expect(bench.notes.last == joined)
        #expect(bench.server.mediaRoutes(room: "room").isEmpty)
        bench.connect()
        bench.run(for: .seconds(1))
        let evicted = RoomServerNote.participantLeft(
            identity: "aoi",
            participant: 3,
            .duplicateIdentity
        )
        #expect(bench.notes.contains(evicted))
    }

    @Test("Two hundred come back at once after a crash, and all have media (RS-11)")
    func storm() {
        let identities = (0..<200).map { "phone-\($0)" }
        var bench = RoomServerBench(identities: identities)
        for index in identities.indices {
            bench.connect(index, room: "room-\(index)")
        }
        bench.run(for: .seconds(1))
        bench.give(.fault(.crash(downtime: .seconds(1))))
        bench.run(for: .seconds(1))
        for index in identities.indices {
            bench.connect(index, room: "room-\(index)")
        }
        bench.run(for: .seconds(1))
        for index in identities.indices {
            #expect(bench.server.mediaRoutes(room: "room-\(index)").count == 1)
        }
    }
}
