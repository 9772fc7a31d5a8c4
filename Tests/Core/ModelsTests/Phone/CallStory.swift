import IncomingCalls
@testable import KodamaCalls
@testable import KodamaPhone
import SansIO
import SansIOTesting

private typealias Effect = CallScreen.Effect

/// What the stories of the call screen speak of: two apps and their calls.
protocol CallStory {}

extension CallStory {
    static var calls: AppID { AppID(0) }
    static var other: AppID { AppID(1) }

    /// A call's identity.
    static func call(_ number: UInt64) -> UniqueID { UniqueID(high: 0, low: number) }

    static func operation(_ number: UInt32) -> OperationID { OperationID(number: number) }

    static func action(_ number: UInt32) -> ActionID { ActionID(number: number) }

    /// A report of a call, whose operation has the call's number.
    static func report(_ number: UInt64) -> SystemCallCommand {
        .reportIncoming(operation(UInt32(number)), call(number), .unusable)
    }

    /// The action to start a call.
    static func start(_ number: UInt64) -> SystemCallAction {
        .start(call(number), handle: "ren", hasVideo: false)
    }

    static func held(_ number: UInt64, _ isHeld: Bool = true) -> SystemCallAction {
        .setHeld(call(number), isHeld: isHeld)
    }

    /// The user answers an app's call during a phone call, which that puts on hold.
    ///
    /// The app fulfils the action a second later, and its call is heard 0.2 s after that.
    static func answersDuringPhoneCall(
        _ story: inout Transcript<CallScreen>,
        at instant: Duration,
        _ app: AppID,
        call callNumber: UInt64,
        action actionNumber: UInt32
    ) throws(TranscriptMismatch) {
        let call = Self.call(callNumber)
        let action = Self.action(actionNumber)
        try story.expect(.user(.answer), at: instant) {
            Effect.phoneCallHeld
            Effect.ringEnded(app, call, .answered)
            Effect.answered(app)
            Effect.news(app, .actionRequested(action, .answer(call)))
            Effect.isRinging(false)
            Effect.activityChanged(app, .going)
        }
        try story.expect(.ordered(app, .fulfill(action)), at: instant + .seconds(1))
        try story.expectWake(at: instant + .milliseconds(1_200)) {
            Effect.audioTaken(app, true)
            Effect.news(app, .audioActivated)
        }
    }
}
