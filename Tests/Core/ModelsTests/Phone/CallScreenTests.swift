import IncomingCalls
@testable import KodamaCalls
@testable import KodamaPhone
import SansIO
import SansIOTesting
import Testing

private typealias Effect = CallScreen.Effect

@Suite("The call screen: reports, answers, audio")
struct CallScreenTests: CallStory {
    /// A story that begins with a screen without calls.
    static func story(focusIsOn: Bool = false) -> Transcript<CallScreen> {
        let configuration = PhoneSystemConfiguration()
        return Transcript(
            CallScreen(appCount: 2, focusIsOn: focusIsOn, configuration: configuration)
        )
    }

    /// A story whose first call rings since 1 s.
    static func ringing() throws -> Transcript<CallScreen> {
        var story = story()
        try story.expect(.ordered(calls, report(1)), at: .seconds(1)) {
            Effect.news(calls, .reportFinished(operation(1), nil))
            Effect.ringBegan(calls, call(1))
            Effect.isRinging(true)
            Effect.activityChanged(calls, .ringing)
        }
        return story
    }

    /// A story whose first call the user answers at 3 s; the app has not yet.
    static func answered() throws -> Transcript<CallScreen> {
        var story = try ringing()
        try story.expect(.user(.answer), at: .seconds(3)) {
            Effect.ringEnded(calls, call(1), .answered)
            Effect.answered(calls)
            Effect.news(calls, .actionRequested(action(1), .answer(call(1))))
            Effect.isRinging(false)
            Effect.activityChanged(calls, .going)
        }
        return story
    }

    /// A story whose first call goes on, with audio since 4.2 s.
    static func going() throws -> Transcript<CallScreen> {
        var story = try answered()
        try story.expect(.ordered(calls, .fulfill(action(1))), at: .seconds(4))
        try story.expectWake(at: .milliseconds(4_200)) {
            Effect.audioTaken(calls, true)
            Effect.news(calls, .audioActivated)
        }
        return story
    }

    // MARK: Reports

    @Test("A reported call rings at once; its identity a second time is code 2 (VP-04, VP-06)")
    func reportedTwice() throws {
        var story = try Self.ringing()
        try story.expect(.ordered(Self.calls, Self.report(1)), at: .seconds(2)) {
            Effect.news(Self.calls, .reportFinished(Self.operation(1), .callUUIDAlreadyExists))
        }
        try story.expect(.ordered(Self.other, Self.report(1)), at: .seconds(2)) {
            Effect.news(Self.other, .reportFinished(Self.operation(1), .callUUIDAlreadyExists))
        }
        #expect(story.machine.deadline == nil, "a screen rings until somebody ends it")
    }

    @Test("Do Not Disturb refuses a call by code 3, and none that rings already (VP-06)")
    func focus() throws {
        var story = Self.story(focusIsOn: true)
        try story.expect(.ordered(Self.calls, Self.report(1)), at: .seconds(1)) {
            Effect.news(Self.calls, .reportFinished(Self.operation(1), .filteredByDoNotDisturb))
        }
        #expect(story.machine.activity(of: Self.calls) == .none)
        try story.expect(.focus(isOn: false), at: .seconds(2))
        try story.expect(.ordered(Self.calls, Self.report(2)), at: .seconds(3)) {
            Effect.news(Self.calls, .reportFinished(Self.operation(2), nil))
            Effect.ringBegan(Self.calls, Self.call(2))
            Effect.isRinging(true)
            Effect.activityChanged(Self.calls, .ringing)
        }
        try story.expect(.focus(isOn: true), at: .seconds(4))
    }

    @Test("An app that is let through Do Not Disturb rings, and the others do not (VP-06)")
    func focusAllows() throws {
        var story = Self.story(focusIsOn: true)
        try story.expect(.allowedInFocus(Self.other, true), at: .seconds(1))
        try story.expect(.ordered(Self.calls, Self.report(1)), at: .seconds(2)) {
            Effect.news(Self.calls, .reportFinished(Self.operation(1), .filteredByDoNotDisturb))
        }
        try story.expect(.ordered(Self.other, Self.report(2)), at: .seconds(3)) {
            Effect.news(Self.other, .reportFinished(Self.operation(2), nil))
            Effect.ringBegan(Self.other, Self.call(2))
            Effect.isRinging(true)
            Effect.activityChanged(Self.other, .ringing)
        }
        try story.expect(.allowedInFocus(Self.other, false), at: .seconds(4))
        try story.expect(.ordered(Self.other, Self.report(3)), at: .seconds(5)) {
            Effect.news(Self.other, .reportFinished(Self.operation(3), .filteredByDoNotDisturb))
        }
    }

    @Test("A third call at a time is refused without a code of its own (VP-05)")
    func third() throws {
        var story = try Self.going()
        try story.expect(.ordered(Self.other, Self.report(2)), at: .seconds(5)) {
            Effect.news(Self.other, .reportFinished(Self.operation(2), nil))
            Effect.ringBegan(Self.other, Self.call(2))
            Effect.isRinging(true)
            Effect.activityChanged(Self.other, .ringing)
        }
        try story.expect(.ordered(Self.calls, Self.report(3)), at: .seconds(6)) {
            Effect.news(Self.calls, .reportFinished(Self.operation(3), .unknown))
        }
    }

    @Test("A placeholder that the app ends in the same instant is a flash of the screen (D-01)")
    func flash() throws {
        var story = try Self.ringing()
        try story.expect(.ordered(Self.other, .reportEnded(Self.call(1), .failed)), at: .seconds(1))
        let ended = SystemCallCommand.reportEnded(Self.call(1), .failed)
        try story.expect(.ordered(Self.calls, ended), at: .seconds(1)) {
            Effect.ringEnded(Self.calls, Self.call(1), .endedByApp)
            Effect.isRinging(false)
            Effect.activityChanged(Self.calls, .none)
        }
        try story.expect(.ordered(Self.calls, ended), at: .seconds(1))
        try story.expect(.user(.answer), at: .seconds(2))
    }

    // MARK: Answers and audio

    @Test("Audio comes a moment after the fulfilled answer, never before it (VP-05)")
    func activation() throws {
        var story = try Self.answered()
        #expect(story.machine.deadline?.instant == .zero.advanced(by: .seconds(33)))
        try story.expectWake(at: .seconds(4))
        try story.expect(.ordered(Self.other, .fulfill(Self.action(1))), at: .seconds(4))
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(1))), at: .seconds(4))
        try story.expectWake(at: .milliseconds(4_199))
        try story.expectWake(at: .milliseconds(4_200)) {
            Effect.audioTaken(Self.calls, true)
            Effect.news(Self.calls, .audioActivated)
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("An answer that the app fails ends the call (VP-06)")
    func failedAnswer() throws {
        var story = try Self.answered()
        try story.expect(.ordered(Self.calls, .fail(Self.action(1))), at: .seconds(4)) {
            Effect.activityChanged(Self.calls, .none)
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("An answer that stays open for 30 s times out and ends the call (VP-06)")
    func openAnswer() throws {
        var story = try Self.answered()
        try story.expectWake(at: .seconds(33)) {
            Effect.news(Self.calls, .actionTimedOut(Self.action(1)))
            Effect.activityChanged(Self.calls, .none)
        }
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(1))), at: .seconds(34))
        #expect(story.machine.deadline == nil, "no audio for a call that is over")
    }

    @Test("A ring that its app ends by itself is nobody's decline (VP-05)")
    func endedByApp() throws {
        var story = try Self.ringing()
        let operation = OperationID(number: 8)
        let end = SystemCallCommand.request(operation, .end(Self.call(1)))
        try story.expect(.ordered(Self.calls, end), at: .seconds(3)) {
            Effect.news(Self.calls, .requestFinished(operation, isAccepted: true))
            Effect.ringEnded(Self.calls, Self.call(1), .endedByApp)
            Effect.news(Self.calls, .actionRequested(Self.action(1), .end(Self.call(1))))
            Effect.isRinging(false)
            Effect.activityChanged(Self.calls, .none)
        }
    }

    @Test("An app may ask for the answer to a call that rings, as the user would (VP-05, VP-09)")
    func answeredByApp() throws {
        var story = try Self.ringing()
        let answer = SystemCallAction.answer(Self.call(1))
        let request = SystemCallCommand.request(Self.operation(7), answer)
        try story.expect(.ordered(Self.calls, request), at: .seconds(3)) {
            Effect.news(Self.calls, .requestFinished(Self.operation(7), isAccepted: true))
            Effect.ringEnded(Self.calls, Self.call(1), .answered)
            Effect.answered(Self.calls)
            Effect.news(Self.calls, .actionRequested(Self.action(1), answer))
            Effect.isRinging(false)
            Effect.activityChanged(Self.calls, .going)
        }
    }

    @Test("A declined call is gone before its app is asked to end it (VP-05)")
    func decline() throws {
        var story = try Self.ringing()
        try story.expect(.user(.hangUp), at: .seconds(2))
        try story.expect(.user(.decline), at: .seconds(3)) {
            Effect.ringEnded(Self.calls, Self.call(1), .declined)
            Effect.news(Self.calls, .actionRequested(Self.action(1), .end(Self.call(1))))
            Effect.isRinging(false)
            Effect.activityChanged(Self.calls, .none)
        }
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(1))), at: .seconds(3))
        #expect(story.machine.deadline == nil)
    }

    @Test("Hanging up takes the audio back at once (VP-05)")
    func hangUp() throws {
        var story = try Self.going()
        try story.expect(.user(.decline), at: .seconds(5))
        try story.expect(.user(.hangUp), at: .seconds(9)) {
            Effect.news(Self.calls, .actionRequested(Self.action(2), .end(Self.call(1))))
            Effect.news(Self.calls, .audioDeactivated)
            Effect.audioTaken(Self.calls, false)
            Effect.activityChanged(Self.calls, .none)
        }
        try story.expectWake(at: .seconds(39)) {
            Effect.news(Self.calls, .actionTimedOut(Self.action(2)))
        }
    }

    @Test("Mute is the app's affair alone (VP-08)")
    func mute() throws {
        var story = try Self.going()
        for (number, isMuted) in [(2, true), (3, false)] as [(UInt32, Bool)] {
            let asked = SystemCallAction.setMuted(Self.call(1), isMuted: isMuted)
            try story.expect(.user(isMuted ? .mute : .unmute), at: .seconds(9)) {
                Effect.news(Self.calls, .actionRequested(Self.action(number), asked))
            }
            try story.expect(.ordered(Self.calls, .fulfill(Self.action(number))), at: .seconds(9))
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("A call can be muted from its answer on, before its app has taken that (VP-08)")
    func muteAtOnce() throws {
        var story = try Self.answered()
        for (number, isMuted) in [(2, true), (3, false)] as [(UInt32, Bool)] {
            let asked = SystemCallAction.setMuted(Self.call(1), isMuted: isMuted)
            try story.expect(.user(isMuted ? .mute : .unmute), at: .milliseconds(3_100)) {
                Effect.news(Self.calls, .actionRequested(Self.action(number), asked))
            }
        }
        try story.expect(.user(.hold), at: .milliseconds(3_200))
        var ringing = try Self.ringing()
        try ringing.expect(.user(.mute), at: .seconds(2))
    }

    @Test("A held call gives the audio back when its app has done it, and gets it again (VP-05)")
    func hold() throws {
        var story = try Self.going()
        try story.expect(.user(.unhold), at: .seconds(8))
        try story.expect(.user(.hold), at: .seconds(9)) {
            Effect.news(Self.calls, .actionRequested(Self.action(2), Self.held(1)))
        }
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(2))), at: .seconds(9)) {
            Effect.news(Self.calls, .audioDeactivated)
            Effect.audioTaken(Self.calls, false)
        }
        try story.expect(.user(.unhold), at: .seconds(20)) {
            Effect.news(Self.calls, .actionRequested(Self.action(3), Self.held(1, false)))
        }
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(3))), at: .seconds(20))
        try story.expectWake(at: .milliseconds(20_200)) {
            Effect.audioTaken(Self.calls, true)
            Effect.news(Self.calls, .audioActivated)
        }
    }

    @Test("An app that dies loses its calls, its ring and the audio (VP-05)")
    func death() throws {
        var ringing = try Self.ringing()
        try ringing.expect(.appEnded(Self.calls), at: .seconds(2)) {
            Effect.ringEnded(Self.calls, Self.call(1), .appEnded)
            Effect.isRinging(false)
            Effect.activityChanged(Self.calls, .none)
        }
        var going = try Self.going()
        try going.expect(.user(.mute), at: .seconds(5)) {
            let muted = SystemCallAction.setMuted(Self.call(1), isMuted: true)
            Effect.news(Self.calls, .actionRequested(Self.action(2), muted))
        }
        try going.expect(.appEnded(Self.other), at: .seconds(6))
        try going.expect(.appEnded(Self.calls), at: .seconds(7)) {
            Effect.news(Self.calls, .audioDeactivated)
            Effect.audioTaken(Self.calls, false)
            Effect.activityChanged(Self.calls, .none)
        }
        #expect(going.machine.deadline == nil)
    }
}
