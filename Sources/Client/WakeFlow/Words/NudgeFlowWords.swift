public import SansIO

/// Names one nudge.
public struct NudgeID: Sendable, Hashable {
    /// The nudge's number, from 1, counted through the app's life on the phone.
    public var number: UInt32

    /// Names nudge `number`.
    public init(number: UInt32) {
        self.number = number
    }

    /// The identifier of its notification: `nudge.3`.
    public var text: String { "nudge.\(number)" }

    /// Reads what `text` writes; `nil` for any other identifier.
    public init?(_ text: String) {
        guard text.hasPrefix("nudge."), let number = UInt32(text.dropFirst(6)) else { return nil }
        self.init(number: number)
        guard self.text == text else { return nil }
    }
}

/// How long an intervention is (K-07).
public enum NudgeForm: String, Sendable, Hashable, CaseIterable {
    /// At most 30 s from the opening.
    case short
    /// 30 to 60 s from the opening.
    case full
}

/// How a nudge reaches the user.
public enum NudgeRoute: String, Sendable, Hashable, CaseIterable {
    /// A local notification; needs no network (D-25).
    case local
    /// A push that the server sends.
    case push
}

extension NudgeFlow {
    /// A fact for the nudges.
    public enum Event: Sendable, Equatable {
        /// The app runs again; what the clock and the zone are.
        case resumed(WallTime, TimeZoneRules)
        /// The phone's clock shows this now.
        case clockChanged(WallTime)
        /// The phone is in another zone.
        case zoneChanged(TimeZoneRules)
        /// Notifications are allowed, or not.
        case grantChanged(Grant)
        /// The server's flags changed.
        case flagsChanged(CoachFlags)
        /// The detector says that the user is distracted (D-25).
        case distractionDetected
        /// The user opened a nudge's notification.
        case opened(NudgeID)
        /// The user said the call phrase, or asked for help by a button.
        case called
        /// The session is connected.
        case conversationStarted
        /// The session cannot be had for now.
        case conversationFailed
        /// The user did what the intervention asked for.
        case instructionDone
        /// The user left the app during the intervention, or a call took the audio.
        case brokenOff
        /// The user went back to the app they came from, by the breadcrumb or by opening it (D-24).
        case wentBack
        /// The user ran the routine on a day without being asked to.
        case routineRunAlone(LocalDay)
    }

    /// An order from the nudges.
    public enum Effect: Sendable, Equatable {
        /// Keeps the record and adds the facts to the analytics outbox, in one transaction.
        case store(NudgeRecord, [CoachFact])
        /// Posts a nudge, time-sensitive; never a critical alert (AN-20).
        case post(NudgeID, NudgeRoute)
        /// Takes an unopened nudge out of the notification centre.
        case withdraw(NudgeID)
        /// Connects the session at once (RS-13).
        case connectSession
        /// Begins the intervention: with the agent, or by the phone's own script.
        case intervene(NudgeForm, isOnline: Bool)
        /// Ends the session and closes the microphone (AN-20).
        case endSession
        /// Invites the user to go back by the system's breadcrumb (D-24).
        case offerReturn
        /// A nudge ended so.
        case ended(NudgeID, NudgeOutcome)
    }
}

/// How a nudge ended.
public struct NudgeOutcome: Sendable, Hashable {
    /// How far the nudge got.
    public enum Reach: String, Sendable, Hashable, CaseIterable {
        /// It was never opened.
        case unopened
        /// It was opened, and the intervention ended without its instruction done.
        case opened
        /// The instruction was done.
        case done
    }

    /// How far it got.
    public var reach: Reach
    /// How long the intervention took from the opening; zero if there was none.
    public var length: Duration
    /// Whether the user was back in the app they came from in time; `nil` if there was no intervention.
    public var wentBack: Bool?

    /// Makes an outcome.
    public init(_ reach: Reach, length: Duration = .zero, wentBack: Bool? = nil) {
        self.reach = reach
        self.length = length
        self.wentBack = wentBack
    }
}
