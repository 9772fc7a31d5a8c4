import IncomingCalls
@testable import KodamaCalls
@testable import KodamaPhone
import SansIO
import SansIOTesting
import Testing

private typealias Effect = CallScreen.Effect

@Suite("The call screen: a phone call that gives way")
struct PhoneCallHoldTests: CallStory {
    /// A story whose call is on hold for a phone call since 9 s.
    private func heldForPhoneCall() throws -> Transcript<CallScreen> {
        var story = try CallScreenTests.going()
        try story.expect(.phoneCall(isOn: true), at: .seconds(9)) {
            Effect.news(Self.calls, .actionRequested(Self.action(2), Self.held(1)))
            Effect.news(Self.calls, .audioDeactivated)
            Effect.audioTaken(Self.calls, false)
        }
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(2))), at: .seconds(9))
        return story
    }

    @Test("Who takes a call back from a phone call hears it, and puts that on hold (VP-05)")
    func takenBack() throws {
        var story = try heldForPhoneCall()
        try story.expect(.user(.unhold), at: .seconds(12)) {
            Effect.phoneCallHeld
            Effect.news(Self.calls, .actionRequested(Self.action(3), Self.held(1, false)))
        }
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(3))), at: .seconds(12))
        try story.expectWake(at: .milliseconds(12_200)) {
            Effect.audioTaken(Self.calls, true)
            Effect.news(Self.calls, .audioActivated)
        }
        try story.expect(.phoneCall(isOn: false), at: .seconds(20))
    }

    @Test(
        "When the other side ends the phone call, the call stays on hold until the user takes it back (VP-05)"
    )
    func hungUp() throws {
        var story = try heldForPhoneCall()
        try story.expect(.phoneCallHungUp, at: .seconds(12))
        try story.expect(.user(.unhold), at: .seconds(15)) {
            Effect.news(Self.calls, .actionRequested(Self.action(3), Self.held(1, false)))
        }
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(3))), at: .seconds(15))
        try story.expectWake(at: .milliseconds(15_200)) {
            Effect.audioTaken(Self.calls, true)
            Effect.news(Self.calls, .audioActivated)
        }
        // What happens once happens again.
        try story.expect(.phoneCall(isOn: true), at: .seconds(20)) {
            Effect.news(Self.calls, .actionRequested(Self.action(4), Self.held(1)))
            Effect.news(Self.calls, .audioDeactivated)
            Effect.audioTaken(Self.calls, false)
        }
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(4))), at: .seconds(20))
        try story.expect(.phoneCallHungUp, at: .seconds(30))
        try story.expect(.phoneCall(isOn: false), at: .seconds(31))
    }

    @Test("What was held for one phone call is not taken back at the end of another (VP-05)")
    func heldOn() throws {
        var story = try heldForPhoneCall()
        try story.expect(.ordered(Self.other, Self.report(2)), at: .seconds(10)) {
            Effect.news(Self.other, .reportFinished(Self.operation(2), nil))
            Effect.ringBegan(Self.other, Self.call(2))
            Effect.isRinging(true)
            Effect.activityChanged(Self.other, .ringing)
        }
        try Self.answersDuringPhoneCall(&story, at: .seconds(11), Self.other, call: 2, action: 3)
        try story.expect(.phoneCall(isOn: true), at: .seconds(20)) {
            Effect.news(Self.other, .actionRequested(Self.action(4), Self.held(2)))
            Effect.news(Self.other, .audioDeactivated)
            Effect.audioTaken(Self.other, false)
        }
        try story.expect(.ordered(Self.other, .fulfill(Self.action(4))), at: .seconds(20))
        // One call is heard at a time: the other app's first call stays on hold.
        try story.expect(.phoneCall(isOn: false), at: .seconds(30)) {
            Effect.news(Self.other, .actionRequested(Self.action(5), Self.held(2, false)))
        }
    }
}
