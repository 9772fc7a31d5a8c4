import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory
private typealias Effect = RealtimeSession.Effect

@Suite("A session retries")
struct RealtimeSessionRetryTests {
    /// Loses room object 1 at 10 s.
    private func lost(
        _ error: RoomError?,
        timeToLive: Duration = .seconds(600)
    ) throws -> Transcript<RealtimeSession> {
        var story = try Story.connected(timeToLive: timeToLive)
        try story.expect(Story.says(1, .disconnected(error)), at: .seconds(10)) {
            Effect.writeLog(.disconnected(RoomID(number: 1), error))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        return story
    }

    @Test(
        "A lost room is released, not left, and joined again after the policy's first delay (RS-09)",
        arguments: [
            nil, RoomError.network, .timedOut, .serverShutdown, .stateMismatch, .joinFailure,
            .serverPingTimedOut, .unknown, .invalidState, .cancelled, .serviceNotFound,
        ]
    )
    func retries(error: RoomError?) throws {
        var story = try lost(error)
        try story.expectWake(at: .milliseconds(10_199))
        try story.expectWake(at: .milliseconds(10_200)) {
            Story.connect(2, operation: 4)
        }
        try story.expect(Story.connectFinished(2, 4), at: .seconds(11)) {
            Effect.writeLog(.connected(RoomID(number: 2)))
            Story.microphone(2, 5, true)
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
        try story.expectWake(at: .seconds(13)) { Story.status(.connected) }
    }

    @Test(
        "Nothing follows a duplicate identity, a removal or a deleted room but a request (D-08)",
        arguments: [RoomError.duplicateIdentity, .participantRemoved, .roomDeleted]
    )
    func taken(error: RoomError) throws {
        var story = try Story.connected()
        try story.expect(Story.says(1, .disconnected(error)), at: .seconds(10)) {
            Effect.writeLog(.disconnected(RoomID(number: 1), error))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Story.status(.takenOver)
        }
        #expect(story.machine.deadline == nil)
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .seconds(11))
        try story.expect(.scenePhaseChanged(.active), at: .seconds(12))
        try story.expect(.connectRequested(Story.identity), at: .seconds(13)) {
            Story.fetch(4)
            Story.status(.fetchingToken)
        }
    }

    @Test("A token that nears its end is replaced by one for the same room (D-08, D-18, RS-11)")
    func freshToken() throws {
        var story = try lost(.network, timeToLive: .seconds(70))
        try story.expectWake(at: .milliseconds(10_200)) { Story.fetch(4, resume: "room-1") }
        try story.expect(Story.answered(4, Story.credentials()), at: .seconds(11)) {
            Story.connect(2, operation: 5)
        }
    }

    @Test("A token's end is read from the phone's clock, which may jump past it (RS-11)")
    func clockJumps() throws {
        func clock(_ seconds: Int64) -> RealtimeSession.Event {
            .clockChanged(WallTime(nanosecondsSince1970: seconds * 1_000_000_000))
        }
        var story = try lost(.network)
        try story.expect(clock(590), at: .milliseconds(10_100))
        try story.expectWake(at: .milliseconds(10_200)) { Story.fetch(4, resume: "room-1") }
        var back = try lost(.network, timeToLive: .seconds(70))
        try back.expect(clock(-600), at: .milliseconds(10_100))
        try back.expectWake(at: .milliseconds(10_200)) { Story.connect(2, operation: 4) }
    }

    @Test("A token that was refused is replaced although it had time left (D-08)")
    func refusedToken() throws {
        var story = try lost(.network)
        try story.expectWake(at: .milliseconds(10_200)) { Story.connect(2, operation: 4) }
        try story.expect(Story.connectFinished(2, 4, .validation), at: .seconds(11)) {
            Effect.writeLog(.failed(.connecting, code: RoomError.validation.rawValue))
            Story.order(2, .release)
        }
        try story.expectWake(at: .milliseconds(11_400)) { Story.fetch(5, resume: "room-1") }
    }

    @Test("As specified, a retry uses the token it has, even a refused one (D-07, D-08)")
    func asSpecified() throws {
        var configuration = RealtimeSessionConfiguration.asSpecified
        configuration.connectOptions = Story.configuration.connectOptions
        var story = try Story.connected(configuration, timeToLive: .seconds(70))
        try story.expect(Story.says(1, .disconnected(.network)), at: .seconds(100)) {
            Effect.writeLog(.disconnected(RoomID(number: 1), .network))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        for attempt in 0..<3 as Range<UInt32> {
            let start = Duration.seconds(102 + 3 * Int(attempt))
            try story.expectWake(at: start) {
                Story.connect(
                    2 + attempt,
                    operation: 4 + attempt,
                    attempt == 2 ? Story.longOptions : Story.options
                )
            }
            let end = Story.connectFinished(2 + attempt, 4 + attempt, .validation)
            try story.expect(end, at: start + .seconds(1)) {
                Effect.writeLog(.failed(.connecting, code: RoomError.validation.rawValue))
                Story.order(2 + attempt, .release)
                attempt == 2 ? [Story.status(.couldNotConnect)] : []
            }
        }
        #expect(story.machine.deadline?.instant == Instant.zero.advanced(by: .seconds(139)))
    }

    @Test(
        "After the fast phase the user reads that it failed, and slow attempts go on (RS-09, D-19)"
    )
    func slowPhase() throws {
        var story = try lost(.network)
        var now = Duration.milliseconds(10_000)
        let waits = [200, 400, 800, 1_600, 2_000, 2_000, 3_000, 3_000]
        for (attempt, wait) in waits.enumerated() {
            now += .milliseconds(wait)
            try story.expectWake(at: now - .milliseconds(1))
            let number = UInt32(attempt)
            let options = attempt % 3 == 2 ? Story.longOptions : Story.options
            try story.expectWake(at: now) {
                Story.connect(2 + number, operation: 4 + number, options)
            }
            try story.expect(Story.connectFinished(2 + number, 4 + number, .network), at: now) {
                Effect.writeLog(.failed(.connecting, code: RoomError.network.rawValue))
                Story.order(2 + number, .release)
                attempt == 5 ? [Story.status(.couldNotConnect)] : []
            }
        }
        try story.expect(.scenePhaseChanged(.active), at: now) {
            Story.connect(10, operation: 12)
            Story.status(.reconnecting)
        }
    }

    @Test(
        "A connect that is never answered is given up, and its late success is not believed (D-08)"
    )
    func lateSuccess() throws {
        var story = try lost(.network)
        try story.expectWake(at: .milliseconds(10_200)) { Story.connect(2, operation: 4) }
        try story.expectWake(at: .milliseconds(16_699))
        try story.expectWake(at: .milliseconds(16_700)) {
            Effect.writeLog(.failed(.connecting, code: RoomError.timedOut.rawValue))
            Story.order(2, .release)
        }
        try story.expect(Story.connectFinished(2, 4), at: .milliseconds(16_800))
        try story.expectWake(at: .milliseconds(17_100)) { Story.connect(3, operation: 5) }
        try story.expect(Story.connectFinished(2, 4), at: .milliseconds(17_200))
    }

    @Test("An eviction by a join of its own that came late is retried, once (flutter issue 1219)")
    func strayJoin() throws {
        var story = try lost(.network)
        try story.expectWake(at: .milliseconds(10_200)) { Story.connect(2, operation: 4) }
        try story.expectWake(at: .milliseconds(16_700)) {
            Effect.writeLog(.failed(.connecting, code: RoomError.timedOut.rawValue))
            Story.order(2, .release)
        }
        try story.expectWake(at: .milliseconds(17_100)) { Story.connect(3, operation: 5) }
        let evicted = RoomError.duplicateIdentity
        try story.expect(Story.connectFinished(3, 5, evicted), at: .seconds(18)) {
            Effect.writeLog(.failed(.connecting, code: evicted.rawValue))
            Story.order(3, .release)
        }
        try story.expectWake(at: .milliseconds(18_800)) {
            Story.connect(4, operation: 6, Story.longOptions)
        }
        try story.expect(Story.connectFinished(4, 6, evicted), at: .seconds(19)) {
            Effect.writeLog(.failed(.connecting, code: evicted.rawValue))
            Story.order(4, .release)
            Effect.endOffline
            Story.status(.takenOver)
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("A wake that comes an hour late starts one attempt (L4)")
    func lateWake() throws {
        var story = try lost(.network)
        try story.expectWake(at: .seconds(3_600), isLate: true) { Story.fetch(4, resume: "room-1") }
    }

    @Test("What failed before the user gave up delays nothing that they ask for next (RS-04)")
    func asksAgain() throws {
        var session = RealtimeSession(configuration: Story.configuration, seed: 1)
        for operation in 1...2 as ClosedRange<UInt32> {
            session.handle(.connectRequested(Story.identity), at: .zero)
            let refused = Story.answered(operation, .refused(statusCode: 500))
            session.handle(refused, at: .zero)
            let deadline = try #require(session.deadline)
            #expect(deadline.instant == Instant.zero.advanced(by: .milliseconds(400)))
            session.handle(.disconnectRequested, at: .zero)
        }
    }

    @Test("Waits grow by a share up to the jitter, drawn from the seed")
    func jitter() throws {
        var waits: Set<Int64> = []
        var configuration = RealtimeSessionConfiguration()
        configuration.probe.isEnabled = false
        for seed in 0..<50 as Range<UInt64> {
            var session = RealtimeSession(configuration: configuration, seed: seed)
            session.handle(.connectRequested(Story.identity), at: .zero)
            session.handle(Story.answered(1, .refused(statusCode: 500)), at: .zero)
            let wait = try #require(session.deadline).instant.nanoseconds
            #expect((400_000_000..<600_000_000).contains(wait))
            waits.insert(wait)
        }
        #expect(waits.count > 40)
    }
}
