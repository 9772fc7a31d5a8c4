@testable import KodamaNetwork
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("Room object and room server, face to face")
struct RoomServerPairTests {
    @Test("A room object connects, publishes, and both hear each other (RS-04)")
    func connects() throws {
        var pair = RoomServerPair()
        pair.connect()
        let outcome = pair.time(until: .seconds(5)) { $0.callbacks.contains(.connected) }
        let time = try #require(outcome)
        // Lookup, TCP, TLS, join: 4 round trips of 50 ms and 20 ms; ICE 1 and DTLS 2.
        #expect(time >= .milliseconds(370) && time < .milliseconds(430), "\(time)")
        pair.send(.command(.setMicrophone(pair.nextOperation(), isEnabled: true)))
        let heard = pair.time(until: .seconds(2), \.isTwoWay)
        #expect(heard != nil)
    }

    @Test(
        "After darkness of any length voice flows again both ways (RS-11, K-01b)",
        arguments: [1, 3, 6, 9, 12, 14, 16, 18, 21, 26, 35, 45]
    )
    func outage(seconds: Int) throws {
        var pair = RoomServerPair.connected()
        #expect(pair.isTwoWay)
        pair.isCut = [.signalling, .media]
        pair.run(for: .seconds(seconds))
        pair.isCut = []
        let outcome = pair.time(until: .seconds(40), \.isTwoWay)
        let time = try #require(outcome)
        // The longest that a room object waits between two attempts is 6.6 s; one may be hanging in a
        // socket for 10 s before, and a resume that comes too late costs one more.
        #expect(time < .seconds(30), "\(time)")
        pair.run(for: .seconds(60))
        #expect(pair.isTwoWay)
        #expect(pair.client.connectionState == .connected)
        #expect(
            !pair.agentEffects.contains {
                if case .closed(.clientInitiated) = $0 { true } else { false }
            }
        )
    }

    @Test("Statistics count the checks that the server sends where voice comes in, one in 2 s")
    func serverChecks() throws {
        var pair = RoomServerPair.connected()
        func latest() -> Int64? {
            pair.callbacks.compactMap { callback -> Int64? in
                guard case .statistics(let statistics) = callback else { return nil }
                return statistics.serverChecks
            }.last
        }
        pair.run(for: .seconds(2))
        let before = try #require(latest())
        pair.run(for: .seconds(10))
        let alive = try #require(latest())
        #expect(alive - before == 5)
        pair.isDownlinkDead = true
        pair.run(for: .milliseconds(1_100))
        let atCut = try #require(latest())
        pair.run(for: .seconds(4))
        #expect(latest() == atCut)
    }

    @Test("A server sends where its client nominates, and not into a way that passes nothing down")
    func nomination() throws {
        var pair = RoomServerPair()
        pair.send(.addressesChanged([RoomServerPair.wifi, RoomServerPair.cellular]))
        pair.deaf = [RoomServerPair.wifi]
        pair.connect()
        let outcome = pair.time(until: .seconds(10), \.isHearing)
        let time = try #require(outcome)
        #expect(time < .seconds(3), "\(time)")
        pair.run(for: .seconds(10))
        #expect(pair.isHearing)
        pair.deaf = []
        pair.run(for: .seconds(10))
        #expect(pair.isHearing)
    }

    @Test("With only media or only signalling cut voice comes back as well (RS-11)")
    func halves() throws {
        for cut in TrafficClass.allCases {
            var pair = RoomServerPair.connected()
            pair.isCut = [cut]
            pair.run(for: .seconds(25))
            pair.isCut = []
            let outcome = pair.time(until: .seconds(40), \.isTwoWay)
            let time = try #require(outcome, "\(cut)")
            #expect(time < .seconds(30), "\(cut): \(time)")
            pair.run(for: .seconds(60))
            #expect(pair.isTwoWay, "\(cut)")
        }
    }

    @Test("Where no datagrams pass voice goes by TCP, from the first connect on (RFC 6544)")
    func withoutDatagrams() throws {
        var configuration = RoomServerConfiguration()
        configuration.takesMediaByTCP = true
        var pair = RoomServerPair(serverConfiguration: configuration)
        pair.isCut = [.media]
        pair.connect()
        let outcome = pair.time(until: .seconds(5)) { $0.callbacks.contains(.connected) }
        let time = try #require(outcome)
        // A round trip of 50 ms more, to open the stream, and up to 48 ms until the next check.
        #expect(time >= .milliseconds(420) && time < .milliseconds(530), "\(time)")
        pair.send(.command(.setMicrophone(pair.nextOperation(), isEnabled: true)))
        #expect(pair.time(until: .seconds(2), \.isTwoWay) != nil)
        pair.run(for: .seconds(60))
        #expect(pair.isTwoWay)
        #expect(pair.client.mediaRoute?.trafficClass == .signalling)
        // Without that the transport fails.
        var other = RoomServerPair()
        other.isCut = [.media]
        other.connect()
        #expect(other.time(until: .seconds(20)) { $0.callbacks.contains(.connected) } == nil)
    }

    @Test("Where datagrams pass they carry voice, and once they do not, TCP after an ICE restart")
    func datagramsEnd() throws {
        var configuration = RoomServerConfiguration()
        configuration.takesMediaByTCP = true
        var pair = RoomServerPair.connected(serverConfiguration: configuration)
        pair.run(for: .seconds(10))
        #expect(pair.client.mediaRoute?.trafficClass == .media)
        pair.isCut = [.media]
        let outcome = pair.time(until: .seconds(40), \.isTwoWay)
        let time = try #require(outcome)
        #expect(time < .seconds(15), "\(time)")
        #expect(pair.client.mediaRoute?.trafficClass == .signalling)
    }

    @Test("Wi-Fi to cellular: a new pair carries media, whether or not anybody says so (RS-11)")
    func handover() throws {
        for isTold in [true, false] {
            var pair = RoomServerPair.connected()
            pair.send(.addressesChanged([RoomServerPair.wifi, RoomServerPair.cellular]))
            pair.run(for: .seconds(30))
            #expect(pair.isTwoWay)
            pair.valid = [RoomServerPair.cellular]
            pair.send(.addressesChanged([RoomServerPair.cellular]))
            if isTold { pair.send(.socketsFailed(RoomServerPair.wifi)) }
            let outcome = pair.time(until: .seconds(40), \.isTwoWay)
            let time = try #require(outcome, "\(isTold)")
            #expect(time < .seconds(7), "\(isTold): \(time)")
            pair.run(for: .seconds(60))
            #expect(pair.isTwoWay, "\(isTold)")
        }
    }

    @Test(
        "After a crash of the server the room object joins anew, and finds a new agent (RS-11)",
        arguments: [.crash(downtime: .seconds(2)), .goDark(downtime: .seconds(2))]
            as [RoomServerFault]
    )
    func crash(fault: RoomServerFault) throws {
        var pair = RoomServerPair.connected()
        pair.give(.fault(fault))
        #expect(pair.agent == nil)
        let outcome = pair.time(until: .seconds(60), \.isTwoWay)
        let time = try #require(outcome)
        #expect(time < .seconds(45), "\(time)")
        #expect(pair.agent?.linkedIdentity == "aoi")
    }

    @Test(
        "An agent that leaves while only the downlink is dead stays as a ghost, but for an ideal SDK",
        arguments: [SDKDefects.faithful, .ideal]
    )
    func ghost(defects: SDKDefects) {
        var pair = RoomServerPair.connected(defects: defects)
        pair.isDownlinkDead = true
        pair.run(for: .seconds(1))
        pair.agent = nil
        pair.give(.agentLeft(room: "room"))
        pair.run(for: .seconds(7))
        pair.isDownlinkDead = false
        pair.run(for: .seconds(30))
        #expect(pair.serverNotes.contains(.participantResumed(identity: "aoi", participant: 1)))
        #expect(pair.callbacks.contains(.remoteAudioUnsubscribed))
        let isTold = pair.callbacks.contains(.remoteParticipantDisconnected)
        #expect(isTold == !defects.keepsGhosts)
    }

    @Test(
        "Voice keeps its way through a migration, which is a resume, unless a restart forgets it",
        arguments: [false, true]
    )
    func migration(forgetsPairs: Bool) {
        var configuration = RoomServerConfiguration()
        configuration.forgetsPairsUponRestart = forgetsPairs
        var pair = RoomServerPair.connected(serverConfiguration: configuration)
        pair.give(.fault(.leave(identity: "aoi", .init(.resume, .migration))))
        let silence = pair.time(until: .seconds(5)) { !$0.isTwoWay }
        #expect((silence != nil) == forgetsPairs)
        pair.run(for: .seconds(5))
        #expect(pair.isTwoWay)
        #expect(pair.serverNotes.last == .participantResumed(identity: "aoi", participant: 1))
    }

    @Test("A server that has forgotten every address waits for one, and wakes for no check (RS-11)")
    func forgotten() throws {
        var configuration = RoomServerConfiguration()
        configuration.forgetsPairsUponRestart = true
        var pair = RoomServerPair.connected(serverConfiguration: configuration)
        pair.give(.fault(.leave(identity: "aoi", .init(.resume, .stateMismatch))))
        let resumption = pair.time(until: .seconds(5)) {
            $0.serverNotes.contains(.participantResumed(identity: "aoi", participant: 1))
        }
        try #require(resumption != nil)
        // Neither its offer nor an answer passes.
        pair.isCut = [.signalling, .media]
        pair.run(for: .seconds(5))
        #expect(!pair.isStuck)
        pair.isCut = []
        let outcome = pair.time(until: .seconds(40), \.isTwoWay)
        #expect(outcome != nil)
    }

    @Test("An app that disconnects silences the agent; one that comes back finds none (D-05, D-18)")
    func disconnects() {
        var pair = RoomServerPair.connected()
        pair.send(.command(.disconnect(pair.nextOperation())))
        pair.run(for: .seconds(5))
        #expect(pair.agentEffects == [.closed(.clientInitiated)])
        pair.connect()
        pair.run(for: .seconds(3))
        pair.send(.command(.setMicrophone(pair.nextOperation(), isEnabled: true)))
        pair.run(for: .seconds(3))
        #expect(pair.client.connectionState == .connected)
        #expect(!pair.isHeard && !pair.isHearing)
    }

    @Test(
        "A room object that is let go of leaves the agent alone, and the next one evicts it (D-08)"
    )
    func release() {
        var pair = RoomServerPair.connected()
        pair.send(.command(.release))
        pair.run(for: .seconds(1))
        let old = pair
        pair = RoomServerPair(portBase: 0x20000)
        pair.server = old.server
        pair.agent = old.agent
        pair.now = old.now
        pair.connect()
        pair.run(for: .seconds(2))
        pair.send(.command(.setMicrophone(pair.nextOperation(), isEnabled: true)))
        let outcome = pair.time(until: .seconds(2), \.isTwoWay)
        #expect(outcome != nil)
        #expect(pair.agentEffects.isEmpty)
    }
}
