import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory
private typealias Effect = RealtimeSession.Effect

@Suite("How long a session waits, and for what it does not")
struct RealtimeSessionPatienceTests {
    private func failed(_ room: UInt32, _ error: RoomError) -> [Effect] {
        [
            .writeLog(.failed(.connecting, code: error.rawValue)),
            Story.order(room, .release),
        ]
    }

    @Test(
        "While the system says that there is no path, at most ten attempts begin in a minute (D-19)"
    )
    func offline() throws {
        var session = RealtimeSession(configuration: Story.configuration, seed: 1)
        var effects: [Effect] = []
        effects += session.handle(.connectRequested(Story.identity), at: .zero)
        effects += session.handle(.pathChanged(.unsatisfied), at: .zero)
        var attempts: [Instant] = []
        var now = Instant.zero
        while now < Instant.zero.advanced(by: .seconds(200)) {
            for case .callAPI(let operation, _) in effects {
                attempts.append(now)
                effects += session.handle(.apiAnswered(operation, .failed(.offline)), at: now)
            }
            effects.removeAll()
            now = try #require(session.deadline).instant
            effects += session.wake(at: now)
        }
        let settled = Instant.zero.advanced(by: .seconds(20))
        for start in attempts where start >= settled {
            let minute = start..<start.advanced(by: .seconds(60))
            #expect(attempts.count { minute.contains($0) } <= 10)
        }
    }

    @Test(
        "Every third attempt has 20 s, for a path that is there and slow; its neighbours have 6.5 s"
    )
    func longThird() throws {
        var story = try Story.lost()
        var now = Duration.seconds(10)
        let attempts: [(wait: Int64, life: Int64, options: ConnectOptions)] = [
            (200, 6_500, Story.options), (400, 6_500, Story.options),
            (800, 20_000, Story.longOptions), (1_600, 6_500, Story.options),
        ]
        for (index, attempt) in attempts.enumerated() {
            let number = UInt32(index)
            now += .milliseconds(attempt.wait)
            try story.expectWake(at: now) {
                Story.connect(2 + number, operation: 4 + number, attempt.options)
            }
            now += .milliseconds(attempt.life)
            try story.expectWake(at: now - .milliseconds(1))
            try story.expectWake(at: now) { failed(2 + number, .timedOut) }
        }
    }

    @Test("A tap on connect ends a wait, and begins the fast phase anew (RS-04)")
    func tapWhileWaiting() throws {
        var story = try Story.lost()
        try story.expect(.connectRequested(Story.identity), at: .milliseconds(10_100)) {
            Story.connect(2, operation: 4)
        }
        try story.expect(Story.connectFinished(2, 4, .network), at: .seconds(11)) {
            failed(2, .network)
        }
        // As after the first failure of all.
        try story.expectWake(at: .milliseconds(11_399))
        try story.expectWake(at: .milliseconds(11_400)) { Story.connect(3, operation: 5) }
    }

    @Test("Without a watchdog a path that is back is believed (D-07)")
    func pathWithoutWatchdog() throws {
        var configuration = Story.configuration
        configuration.watchdog.isEnabled = false
        var story = try Story.connected(configuration)
        try story.expect(.pathChanged(.unsatisfied), at: .seconds(2)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .seconds(5)) {
            Effect.takeBackOnline
            Story.status(.connected)
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("A resume that goes on without the agent's voice is given up, checks or not (K-01a)")
    func resumesInVain() throws {
        var story = try Story.connected()
        for second in 2...3 as ClosedRange<Int64> {
            let voice = Story.statistics(1, consents: second, received: second * 50)
            try story.expect(voice, at: .seconds(second))
        }
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .milliseconds(3_500)) {
            Effect.writeLog(.reconnect(RoomID(number: 1), .reconnectStarted(.quick)))
            Story.status(.reconnecting)
        }
        for second in 4...27 as ClosedRange<Int64> {
            let checks = Story.statistics(1, consents: second, received: 150)
            try story.expect(checks, at: .seconds(second))
        }
        // Voice that still comes in lives, however long signalling takes.
        var heard = story
        let voice = Story.statistics(1, consents: 28, received: 200)
        try heard.expect(voice, at: .seconds(28))
        // ICE had 24 s since the resume began.
        let checks = Story.statistics(1, consents: 28, received: 150)
        try story.expect(checks, at: .seconds(28)) { Effect.handOverOffline }
        let more = Story.statistics(1, consents: 29, received: 150)
        try story.expect(more, at: .seconds(29))
        try story.expectWake(at: .seconds(30)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Story.connect(2, operation: 4)
        }
    }

    @Test("While the SDK reconnects, the watchdog gives it 10 s and not 2 (K-01a)")
    func waitsOutSDK() throws {
        var story = try Story.connected()
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(3)) {
            Effect.writeLog(.reconnect(RoomID(number: 1), .reconnectStarted(.quick)))
            Story.status(.reconnecting)
        }
        try story.expectWake(at: .seconds(7)) { Effect.handOverOffline }
        try story.expectWake(at: .milliseconds(16_999))
        try story.expectWake(at: .seconds(17)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Story.connect(2, operation: 4)
        }
    }

    /// A session between two people whose first token has not come within 5 s.
    private func lateToken() throws -> Transcript<RealtimeSession> {
        var configuration = Story.configuration
        configuration.partner = .person
        var story = Story.begin(configuration)
        try story.expect(.connectRequested(Story.identity), at: .zero) {
            Story.fetch(1)
            Story.status(.fetchingToken)
        }
        try story.expectWake(at: .seconds(5)) {
            Effect.writeLog(.failed(.tokenFailed, code: -1001))
            Story.status(.tokenFailed, "サーバーが応答しません")
        }
        return story
    }

    @Test("A token that comes late brings two people together, in a slow path's time (RS-02)")
    func lateTokenCounts() throws {
        var story = try lateToken()
        var early = story
        try early.expect(Story.answered(1, Story.credentials()), at: .milliseconds(5_100)) {
            Story.connect(1, operation: 2, Story.longOptions)
            Story.status(.connecting)
        }
        try story.expectWake(at: .milliseconds(5_400)) {
            Story.fetch(2)
            Story.status(.fetchingToken)
        }
        try story.expect(Story.answered(1, Story.credentials()), at: .seconds(6)) {
            Effect.cancelAPI(OperationID(number: 2))
            Story.connect(1, operation: 3, Story.longOptions)
            Story.status(.connecting)
        }
        #expect(story.machine.deadline?.instant == Instant.zero.advanced(by: .seconds(26)))
        try story.expect(Story.answered(2, Story.credentials()), at: .seconds(7))
    }

    @Test("A late token that fails leaves the next request alone, and who leaves waits for neither")
    func lateTokenFails() throws {
        var story = try lateToken()
        try story.expectWake(at: .milliseconds(5_400)) {
            Story.fetch(2)
            Story.status(.fetchingToken)
        }
        var left = story
        try left.expect(.disconnectRequested, at: .seconds(6)) {
            Effect.cancelAPI(OperationID(number: 1))
            Effect.cancelAPI(OperationID(number: 2))
            Story.status(.disconnected)
        }
        try story.expect(Story.answered(1, .refused(statusCode: 503)), at: .seconds(6))
        try story.expect(Story.answered(2, Story.credentials()), at: .seconds(7)) {
            Story.connect(1, operation: 3, Story.options)
            Story.status(.connecting)
        }
    }

    @Test("A token is asked for anew when the other host, which was away, is back (K-19)")
    func otherReturns() throws {
        var configuration = Story.configuration
        configuration.probe.isEnabled = true
        var session = RealtimeSession(configuration: configuration, seed: 1)
        var effects: [RealtimeSession.Effect] = []
        effects += session.handle(.connectRequested(Story.identity), at: .zero)
        effects += session.handle(Story.answered(1, .failed(.timedOut)), at: .zero)
        let back = Instant.zero.advanced(by: .seconds(3))
        var asked: [Int64] = []
        var now = Instant.zero
        while now < back.advanced(by: .seconds(1)) {
            let ordered = effects
            effects.removeAll()
            for effect in ordered {
                switch effect {
                case .callAPI:
                    asked.append(now.nanoseconds / 1_000_000)
                case .probe(let operation, let host) where host == .roomServer || now >= back:
                    effects += session.handle(.probeAnswered(operation), at: now)
                default:
                    continue
                }
            }
            guard effects.isEmpty else { continue }
            now = try #require(session.deadline).instant
            effects += session.wake(at: now)
        }
        // No room server is known yet, so that every probe asks the other host.
        #expect(asked.count == 3)
        #expect(asked.last == 3_000)
    }

    @Test("An answer to a sign-in that was given up signs nobody in (RS-12)")
    func staleSignIn() throws {
        var story = Transcript(LoginSession(seed: 1))
        func id(_ number: UInt32) -> OperationID { OperationID(number: number) }
        try story.expect(.requested, at: .zero) { LoginSession.Effect.readSecureStorage(id(1)) }
        try story.expect(.secureStorageRead(id(1), .value(nil)), at: .zero) {
            LoginSession.Effect.callAPI(id(2), .passkeyBegin)
        }
        try story.expect(.apiAnswered(id(2), .challenge("c")), at: .seconds(1)) {
            LoginSession.Effect.signInWanted(challenge: "c")
        }
        try story.expect(.passkeyAsserted("a"), at: .seconds(2)) {
            LoginSession.Effect.callAPI(id(3), .passkeyComplete(assertion: "a"))
        }
        // Sent again, since the server may not have seen it; it has, and the user is asked anew.
        try story.expectWake(at: .seconds(7)) {
            LoginSession.Effect.callAPI(id(4), .passkeyComplete(assertion: "a"))
        }
        let session = APIAnswer.session(token: "t", timeToLive: .seconds(60))
        try story.expect(.apiAnswered(id(4), .refused(statusCode: 401)), at: .seconds(11)) {
            LoginSession.Effect.cancelAPI(id(3))
            LoginSession.Effect.callAPI(id(5), .passkeyBegin)
        }
        try story.expect(.apiAnswered(id(5), .challenge("d")), at: .seconds(13)) {
            LoginSession.Effect.signInWanted(challenge: "d")
        }
        try story.expect(.passkeyAsserted("b"), at: .seconds(14)) {
            LoginSession.Effect.callAPI(id(6), .passkeyComplete(assertion: "b"))
        }
        // The first sign-in's answers, while the second one's is awaited.
        try story.expect(.apiAnswered(id(3), session), at: .seconds(15))
        try story.expect(.apiAnswered(id(4), session), at: .seconds(15))
    }
}
