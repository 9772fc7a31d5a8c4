@testable import KodamaNetwork
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("The room object's reconnects")
struct RoomClientReconnectTests {
    /// Three attempts, 300 ms and 1 s apart.
    static let three = ConnectOptions(
        reconnectAttempts: 3,
        reconnectAttemptDelay: .milliseconds(300),
        reconnectMaxDelay: .seconds(1)
    )
    static let lossOfRemote: [RoomCallback] = [
        .remoteAudioUnsubscribed, .remoteParticipantDisconnected,
    ]

    private func expectOneQuickReconnect(
        of bench: RoomClientBench,
        after cause: DetectionCause
    ) {
        #expect(
            bench.told == [
                .reconnectStarted(.quick), .reconnectModeChanged(.quick),
                .reconnectCompleted(.quick),
            ]
        )
        #expect(
            bench.noted == [
                .lossDetected(cause), .attemptBegan(number: 1, .quick), .signalConnected,
                .mediaConnected, .attemptEnded(nil),
            ]
        )
    }

    @Test(
        "A quick reconnect tells of its start, mode and completion, and nothing else (D-06, RS-11)"
    )
    func quick() throws {
        var bench = RoomClientBench.connected()
        bench.hangUp()
        bench.run(for: .milliseconds(900))
        expectOneQuickReconnect(of: bench, after: .signalClosed)
    }

    @Test("An app may order a quick reconnect; one that is under way is not begun anew (RS-11)")
    func ordered() {
        var bench = RoomClientBench.connected()
        bench.send(.command(.resume))
        bench.send(.command(.resume))
        bench.run(for: .milliseconds(900))
        expectOneQuickReconnect(of: bench, after: .appOrder)
    }

    @Test("With media alive a quick reconnect takes three round trips (K-01b)")
    func quickRoundTrips() throws {
        var bench = RoomClientBench.connected()
        bench.hangUp()
        bench.run(for: .seconds(1))
        let began = try #require(bench.beginning(ofAttempt: 1))
        let ended = try #require(bench.time(of: .attemptEnded(nil)))
        #expect(ended - began == .milliseconds(3 * 40))
    }

    @Test("After a resume come what was published and an offer that restarts ICE (RS-11)")
    func resumeRequests() throws {
        var bench = RoomClientBench.connected()
        let before = bench.script.requests.count
        bench.hangUp()
        bench.run(for: .seconds(1))
        let said = Array(bench.script.requests.dropFirst(before))
        #expect(said.first == .join(token: "token 1", resuming: 1))
        #expect(said.contains(.syncState(publishedTracks: [901])))
        let restarts = said.contains {
            if case .offer(_, _, restartsIce: true) = $0 { true } else { false }
        }
        #expect(restarts)
    }

    @Test("When quick attempts fail, the full one tells of a new room without its people (RS-11)")
    func quickFailsFullComes() {
        var bench = RoomClientBench.connected(options: Self.three)
        bench.script.onResume = .refuse(500)
        bench.hangUp()
        bench.run(for: .seconds(5))
        #expect(
            bench.told == [
                .reconnectStarted(.quick), .reconnectModeChanged(.quick),
                .reconnectModeChanged(.full),
                .connectionStateChanged(.reconnecting, from: .connected), .reconnecting,
            ] + Self.lossOfRemote + [
                .connectionStateChanged(.connected, from: .reconnecting), .reconnected,
                .reconnectCompleted(.full), .remoteAudioSubscribed,
            ]
        )
    }

    @Test("When everything fails the room says so, and that the reconnect is complete (Z4, RS-09)")
    func everythingFails() {
        for (defects, tail) in [
            (SDKDefects.faithful, [RoomCallback.reconnectCompleted(.full)]), (.ideal, []),
        ] {
            var bench = RoomClientBench.connected(defects: defects, options: Self.three)
            bench.cut = [.signalling, .media]
            bench.send(.addressesChanged([]))
            bench.send(.socketsFailed(RoomClientBench.wifi))
            bench.run(for: .seconds(5))
            #expect(
                bench.told.suffix(2 + tail.count) == [
                    .connectionStateChanged(.disconnected, from: .reconnecting),
                    .disconnected(.network),
                ] + tail
            )
            #expect(bench.client.deadline == nil, "a room that gave up rests")
        }
    }

    @Test("Each attempt that begins also ends, whatever happens (K-01)")
    func beginningsHaveEnds() {
        for curve in ReconnectCurve.allCases {
            var bench = RoomClientBench.connected(curve)
            bench.hangUp()
            bench.script.onResume = .refuse(500)
            bench.script.onJoin = .silence
            bench.run(for: .seconds(200))
            var isRunning = false
            for note in bench.noted {
                switch note {
                case .attemptBegan:
                    #expect(!isRunning)
                    isRunning = true
                case .attemptEnded:
                    #expect(isRunning)
                    isRunning = false
                case .lossDetected, .signalConnected, .mediaConnected, .waiting: break
                }
            }
            #expect(!isRunning)
            #expect(bench.told.contains(.disconnected(.network)), "\(curve) gives up")
        }
    }

    @Test("Which attempts are full ones (RS-11)")
    func kinds() {
        func kinds(_ curve: ReconnectCurve, _ refusal: RoomClientScript.Reply) -> [AttemptKind] {
            var bench = RoomClientBench.connected(curve)
            bench.script.onResume = refusal
            bench.script.onJoin = .refuse(500)
            bench.hangUp()
            bench.run(for: .seconds(100))
            return bench.noted.compactMap {
                if case .attemptBegan(_, let kind) = $0 { kind } else { nil }
            }
        }
        let mismatch = RoomClientScript.Reply.leave(LeaveRequest(.reconnect, .stateMismatch))
        let nine = [AttemptKind](repeating: .quick, count: 9)
        let nineFull = [AttemptKind](repeating: .full, count: 9)
        #expect(kinds(.swift, .refuse(500)) == nine + [.full])
        #expect(kinds(.js, .refuse(500)) == nine + [.quick])
        #expect(kinds(.js, mismatch) == [.quick] + nineFull)
        #expect(kinds(.android, .refuse(500)) == [.quick] + nineFull)
        #expect(kinds(.rust, .refuse(500)) == [.quick] + nineFull)
    }

    @Test("Android gives up after 60 s (RS-11)")
    func androidLimit() throws {
        var bench = RoomClientBench.connected(.android)
        bench.script.onResume = .silence
        bench.script.onJoin = .silence
        bench.hangUp()
        bench.run(for: .seconds(200))
        let end = try #require(bench.callbacks.first { $0.callback == .disconnected(.network) }?.at)
        let loss = try #require(bench.time(of: .lossDetected(.signalClosed)))
        #expect(end - loss >= .seconds(60))
        #expect(end - loss < .seconds(60 + 12))
    }

    @Test(
        "A refreshed token is used; a refused one burns all attempts in Swift, one in JavaScript (RS-11)"
    )
    func tokens() {
        var swift = RoomClientBench.connected(options: Self.three)
        swift.say(.refreshToken("fresh"))
        swift.run(for: .milliseconds(100))
        swift.script.onResume = .refuse(401)
        swift.script.onJoin = .refuse(401)
        swift.hangUp()
        swift.run(for: .seconds(60))
        #expect(swift.noted.filter { $0 == .attemptEnded(.refused) }.count == 3)
        #expect(swift.script.requests.last == .join(token: "fresh", resuming: nil))
        #expect(swift.told.contains(.disconnected(.network)))

        var js = RoomClientBench.connected(.js)
        js.script.onResume = .refuse(401)
        js.hangUp()
        js.run(for: .seconds(60))
        #expect(js.noted.filter { $0 == .attemptEnded(.refused) }.count == 1)
        #expect(js.told.contains(.disconnected(.network)))
    }

    @Test("A leave that says stay away ends the room with its reason (RS-11)")
    func leaveDisconnect() {
        for (reason, error) in [
            (DisconnectReason.duplicateIdentity, RoomError.duplicateIdentity),
            (.participantRemoved, .participantRemoved), (.roomDeleted, .roomDeleted),
            (.serverShutdown, .serverShutdown), (.roomClosed, .unknown),
        ] {
            var bench = RoomClientBench.connected()
            bench.say(.leave(LeaveRequest(.disconnect, reason)))
            bench.run(for: .seconds(60))
            #expect(
                bench.told == Self.lossOfRemote + [
                    .connectionStateChanged(.disconnected, from: .connected),
                    .disconnected(error),
                ]
            )
        }
    }

    @Test("A leave that asks for a resume is followed by one at once (RS-11)")
    func leaveResume() {
        var bench = RoomClientBench.connected()
        bench.say(.leave(LeaveRequest(.resume, .connectionTimeout)))
        bench.run(for: .seconds(1))
        #expect(bench.noted.first == .lossDetected(.serverLeave))
        #expect(bench.told.last == .reconnectCompleted(.quick))
    }

    @Test("A leave that asks for a full reconnect wastes a quick attempt in 2.16 (Z3)")
    func fullMark() {
        func kinds(_ defects: SDKDefects) -> [AttemptKind] {
            var bench = RoomClientBench.connected(defects: defects)
            bench.script.onResume = .leave(LeaveRequest(.reconnect, .stateMismatch))
            bench.say(.leave(LeaveRequest(.reconnect, .stateMismatch)))
            bench.run(for: .seconds(5))
            return bench.noted.compactMap {
                if case .attemptBegan(_, let kind) = $0 { kind } else { nil }
            }
        }
        #expect(kinds(.faithful) == [.quick, .full])
        #expect(kinds(.ideal) == [.full])
    }

    @Test("An early full attempt that fails is taken for a success in 2.16 (Z2, K-01c)")
    func earlyFullFailure() {
        func bench(_ defects: SDKDefects) -> RoomClientBench {
            var bench = RoomClientBench.connected(defects: defects)
            bench.script.onResume = .leave(LeaveRequest(.reconnect, .stateMismatch))
            bench.script.onJoin = .refuse(503)
            bench.hangUp()
            bench.run(for: .seconds(100))
            return bench
        }
        let faithful = bench(.faithful)
        #expect(faithful.told.suffix(2) == [.reconnected, .reconnectCompleted(.full)])
        #expect(faithful.client.machine.connectionState == .connected)
        #expect(faithful.client.machine.mediaRoute == nil)
        let ideal = bench(.ideal)
        #expect(ideal.client.machine.connectionState == .disconnected)
        #expect(ideal.noted.filter { $0 == .attemptBegan(number: 10, .full) }.count == 1)
    }

    @Test("JavaScript says farewell before a full restart, Swift does not (RS-11)")
    func farewell() {
        for (curve, leaves) in [(ReconnectCurve.js, true), (.swift, false)] {
            var bench = RoomClientBench.connected(curve, options: Self.three)
            bench.cut = [.media]
            bench.run(for: .seconds(60))
            bench.cut = []
            #expect(bench.script.requests.contains(.leave(.clientInitiated)) == leaves)
        }
    }

    @Test("A disconnect during a reconnect ends it for good (RS-05)")
    func disconnectWhileReconnecting() {
        var bench = RoomClientBench.connected()
        bench.cut = [.signalling, .media]
        bench.send(.socketsFailed(RoomClientBench.wifi))
        bench.run(for: .seconds(2))
        bench.send(.command(.disconnect(OperationID(number: 9))))
        bench.cut = []
        bench.forget()
        bench.run(for: .seconds(120))
        #expect(bench.told.isEmpty)
        #expect(bench.noted.isEmpty)
        #expect(bench.client.machine.connectionState == .disconnected)
    }
}
