import IncomingCalls
@testable import KodamaPhone
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Effect = PhoneEffect

@Suite("A phone's system, from the push to the call's audio")
struct PhoneCallsTests: PhoneStory {
    private static let push = PushID(number: 1)
    private static let duty = PushInbox.duty(of: push)
    private static let call = UniqueID(high: 0, low: 1)
    private static let answer = ActionID(number: 1)
    private static let report = SystemOrder.call(.reportIncoming(operation, call, .unusable))

    private func received(_ payload: String) -> PhoneEffect {
        inform(.push(.received(Self.push, payload: payload, duty: Self.duty)))
    }

    /// A phone whose app has registered for pushes and was killed at 10 s; locked at 11 s.
    private func locked() throws -> Transcript<PhoneSystem> {
        var story = try launched()
        try story.expect(ordered(.registerForPushes), at: .seconds(1)) {
            Effect.requestPushToken(Self.app)
        }
        try story.expect(.pushTokenIssued(Self.app, [1]), at: .seconds(2)) {
            inform(.push(.token([1])))
        }
        try story.expect(.user(.killApp(Self.app)), at: .seconds(10)) {
            Effect.kill(Self.app, .user)
        }
        try story.expect(.user(.lock), at: .seconds(11))
        return story
    }

    /// A locked phone whose app was launched for a push at 60 s and is handed it at 60.6 s.
    private func pushed() throws -> Transcript<PhoneSystem> {
        var story = try locked()
        try story.expect(.pushArrived(Self.app, payload: "a"), at: .seconds(60)) {
            Effect.launch(Self.app)
        }
        try story.expectWake(at: .milliseconds(60_600)) {
            inform(.launched(.push))
            clock(60_600)
            inform(.path(.satisfied(.wifi)))
            received("a")
        }
        return story
    }

    /// The same, whose call rings.
    private func ringing() throws -> Transcript<PhoneSystem> {
        var story = try pushed()
        try story.expect(ordered(Self.report), at: .milliseconds(60_600)) {
            inform(.call(.reportFinished(Self.operation, nil)))
            Effect.ringBegan(Self.app, Self.call)
        }
        try story.expect(.handlerReturned(Self.app, Self.duty), at: .milliseconds(60_600))
        return story
    }

    /// The same, answered at 65 s and fulfilled at 66 s, with audio at 66.2 s.
    private func going() throws -> Transcript<PhoneSystem> {
        var story = try ringing()
        try story.expect(.user(.call(.answer)), at: .seconds(65)) {
            Effect.ringEnded(Self.app, Self.call, .answered)
            inform(.call(.actionRequested(Self.answer, .answer(Self.call))))
        }
        try story.expect(ordered(.call(.fulfill(Self.answer))), at: .seconds(66))
        try story.expectWake(at: .milliseconds(66_200)) { inform(.call(.audioActivated)) }
        return story
    }

    @Test("Killed and locked: launched, handed the push, it rings, and is answered unseen (VP-04)")
    func killedAndLocked() throws {
        var story = try going()
        try story.expect(ordered(.startVoiceEngine(Self.operation)), at: .milliseconds(66_200)) {
            answer(.voiceEngine(.running))
        }
        #expect(story.machine.isLocked && !story.machine.isInFront(Self.app))
        #expect(story.machine.soundOwner == Self.app)
        #expect(story.machine.deadline == nil, "a call keeps its app awake")
        let end = ActionID(number: 2)
        try story.expect(.user(.call(.hangUp)), at: .seconds(100)) {
            inform(.call(.actionRequested(end, .end(Self.call))))
            inform(.call(.audioDeactivated))
        }
        #expect(story.machine.soundOwner == nil)
        try story.expect(ordered(.call(.fulfill(end))), at: .seconds(100))
        try story.expectWake(at: .seconds(105)) { Effect.suspend(Self.app) }
    }

    @Test("A suspended app learns when it runs again that its token went, and the next one (VP-03)")
    func tokensWhileSuspended() throws {
        var story = try launched()
        try story.expect(ordered(.registerForPushes), at: .seconds(1)) {
            Effect.requestPushToken(Self.app)
        }
        try story.expect(.pushTokenIssued(Self.app, [1]), at: .seconds(2)) {
            inform(.push(.token([1])))
        }
        for round in [0, 60] as [Int64] {
            try story.expect(.user(.leaveApp), at: .seconds(round + 10)) {
                inform(.scene(.inactive))
            }
            try story.expectWake(at: .milliseconds(round * 1_000 + 10_300)) {
                inform(.scene(.background))
            }
            try story.expectWake(at: .milliseconds(round * 1_000 + 15_300)) {
                Effect.suspend(Self.app)
            }
            try story.expect(.pushTokenWithdrawn(Self.app), at: .seconds(round + 16)) {
                Effect.requestPushToken(Self.app)
            }
            try story.expect(.pushTokenIssued(Self.app, [2]), at: .seconds(round + 17))
            try story.expect(.user(.openApp(Self.app)), at: .seconds(round + 20)) {
                Effect.resume(Self.app)
                inform(.push(.tokenInvalidated))
                inform(.push(.token([2])))
                inform(.scene(.inactive))
            }
            try story.expectWake(at: .milliseconds(round * 1_000 + 20_300)) {
                inform(.scene(.active))
            }
        }
    }

    @Test("Unlocked, an answer opens the app; the banner before makes the app in front inactive")
    func unlocked() throws {
        var story = try ringing()
        try story.expect(.user(.unlock), at: .seconds(62))
        try story.expect(.user(.call(.answer)), at: .seconds(65)) {
            Effect.ringEnded(Self.app, Self.call, .answered)
            inform(.scene(.inactive))
            inform(.call(.actionRequested(Self.answer, .answer(Self.call))))
        }
        #expect(story.machine.isInFront(Self.app))
        try story.expectWake(at: .milliseconds(65_300)) { inform(.scene(.active)) }
    }

    @Test("Who answers during a phone call puts that on hold, and the phone says so (VP-05, RS-15)")
    func phoneCallHeld() throws {
        var story = try ringing()
        try story.expect(.user(.phoneCallBegins), at: .seconds(62)) {
            inform(.audio(.interruptionBegan))
        }
        try story.expect(.user(.call(.answer)), at: .seconds(65)) {
            Effect.phoneCallHeld
            inform(.audio(.interruptionEnded(shouldResume: true)))
            Effect.ringEnded(Self.app, Self.call, .answered)
            inform(.call(.actionRequested(Self.answer, .answer(Self.call))))
        }
    }

    @Test("An engine that is started before the audio's activation fails (VP-05)")
    func engineTooEarly() throws {
        var story = try ringing()
        let failed = answer(.voiceEngine(.failed(.insufficientPriority)))
        try story.expect(ordered(.startVoiceEngine(Self.operation)), at: .seconds(61)) { failed }
        try story.expect(.user(.call(.answer)), at: .seconds(65)) {
            Effect.ringEnded(Self.app, Self.call, .answered)
            inform(.call(.actionRequested(Self.answer, .answer(Self.call))))
        }
        try story.expect(ordered(.startVoiceEngine(Self.operation)), at: .seconds(65)) { failed }
        try story.expect(ordered(.call(.fulfill(Self.answer))), at: .seconds(66))
        try story.expect(ordered(.startVoiceEngine(Self.operation)), at: .seconds(66)) { failed }
        try story.expectWake(at: .milliseconds(66_200)) { inform(.call(.audioActivated)) }
        try story.expect(ordered(.startVoiceEngine(Self.operation)), at: .milliseconds(66_200)) {
            answer(.voiceEngine(.running))
        }
    }

    @Test("A push that is not reported ends the app when its handler returns (D-01, D-20)")
    func unreported() throws {
        var story = try pushed()
        try story.expect(.handlerReturned(Self.app, Self.duty), at: .milliseconds(60_600)) {
            Effect.pushUnreported(Self.app, .handlerReturned)
            Effect.kill(Self.app, .unreportedPush)
        }
    }

    @Test("In front the rule spares the app (D-20)")
    func sparedInFront() throws {
        var story = try pushed()
        try story.expect(.user(.openApp(Self.app)), at: .milliseconds(60_600)) {
            inform(.scene(.inactive))
        }
        try story.expect(.handlerReturned(Self.app, Self.duty), at: .milliseconds(60_600))
    }

    @Test("With a call going on the rule spares the app; with one that rings it does not (D-20)")
    func sparedInCall() throws {
        let second = PushID(number: 2)
        let duty = PushInbox.duty(of: second)
        let received = inform(.push(.received(second, payload: "b", duty: duty)))
        var story = try going()
        try story.expect(.pushArrived(Self.app, payload: "b"), at: .seconds(70)) { received }
        try story.expect(.handlerReturned(Self.app, duty), at: .seconds(70))
        var other = try ringing()
        try other.expect(.pushArrived(Self.app, payload: "b"), at: .seconds(62)) { received }
        try other.expect(.handlerReturned(Self.app, duty), at: .seconds(62)) {
            Effect.pushUnreported(Self.app, .handlerReturned)
            Effect.kill(Self.app, .unreportedPush)
            Effect.ringEnded(Self.app, Self.call, .appEnded)
        }
    }

    @Test("A ring outlives its app's 30 s; a decline resumes the app to tell its server (VP-05)")
    func declinedAsleep() throws {
        var story = try ringing()
        try story.expectWake(at: .seconds(90)) { Effect.suspend(Self.app) }
        try story.expect(.user(.call(.decline)), at: .seconds(95)) {
            Effect.ringEnded(Self.app, Self.call, .declined)
            Effect.resume(Self.app)
            inform(.call(.actionRequested(Self.answer, .end(Self.call))))
        }
        try story.expectWake(at: .seconds(100)) { Effect.suspend(Self.app) }
    }

    @Test("A suspended app is resumed for a push and handed it (VP-04)")
    func suspendedApp() throws {
        var story = try suspended()
        try story.expect(.pushArrived(Self.app, payload: "a"), at: .seconds(16))
        try story.expect(.user(.openApp(Self.app)), at: .seconds(17)) {
            Effect.resume(Self.app)
            inform(.scene(.inactive))
        }
        try story.expectWake(at: .milliseconds(17_300)) { inform(.scene(.active)) }
        try story.expect(ordered(.registerForPushes), at: .seconds(18)) {
            Effect.requestPushToken(Self.app)
        }
        try story.expect(.user(.leaveApp), at: .seconds(20)) { inform(.scene(.inactive)) }
        try story.expectWake(at: .milliseconds(20_300)) { inform(.scene(.background)) }
        try story.expectWake(at: .milliseconds(25_300)) { Effect.suspend(Self.app) }
        try story.expect(.pushArrived(Self.app, payload: "a"), at: .seconds(30)) {
            Effect.resume(Self.app)
            received("a")
        }
        #expect(story.machine.deadline?.instant == .zero.advanced(by: .seconds(37)))
    }
}
