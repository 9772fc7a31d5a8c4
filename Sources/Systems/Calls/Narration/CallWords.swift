import IncomingCalls
import KodamaEvidence

/// How an app stood when a push for it was accepted; the raw value is its number in the trace.
enum AppState: Int64, Sendable, Hashable, CaseIterable {
    /// It was in front.
    case foreground
    /// It ran in the background.
    case background
    /// It was held in the background.
    case suspended
    /// It did not run.
    case killed
}

/// Why the push service gave up a push; the raw value is its number in the trace.
enum PushLoss: Int64, Sendable, Hashable, CaseIterable {
    /// Its time was over before the device came back.
    case expired
    /// Another notification is kept for the app.
    case superseded
    /// It was to be tried once, and the device is known to be offline.
    case notStored
    /// The app is gone from the device, or no longer has this token.
    case appRemoved
}

/// Why a call ended; the raw value is its number in the trace.
enum CallEnding: Int64, Sendable, Hashable, CaseIterable {
    case cancelled
    case unanswered
    case declined
    case answeredElsewhere
    case declinedElsewhere
    case busy
    case hungUp
    case failed
    case filtered
    case expired
    case unusable
    case crossed
    case signedOut
    case notReady

    /// The ending that an app has a word for.
    init(_ reason: CallEndReason) {
        switch reason {
        case .cancelled: self = .cancelled
        case .unanswered: self = .unanswered
        case .declined: self = .declined
        case .answeredElsewhere: self = .answeredElsewhere
        case .declinedElsewhere: self = .declinedElsewhere
        case .busy: self = .busy
        case .hungUp: self = .hungUp
        case .failed: self = .failed
        case .filtered: self = .filtered
        case .expired: self = .expired
        case .unusable: self = .unusable
        case .crossed: self = .crossed
        case .signedOut: self = .signedOut
        case .notReady: self = .notReady
        }
    }

    /// Whether the callee should learn that somebody called.
    var isMissed: Bool {
        switch self {
        case .cancelled, .unanswered, .busy, .failed, .filtered, .expired, .notReady: true
        case .declined, .answeredElsewhere, .declinedElsewhere, .hungUp, .unusable, .crossed,
            .signedOut:
            false
        }
    }
}

/// What an app says of one of its calls (VP-08); the raw value is its number in the trace.
enum CallTelling: Int64, Sendable, Hashable, CaseIterable {
    /// The user answered it.
    case answered
    /// The user's own call was begun.
    case started
    /// It was muted.
    case muted
    /// It was unmuted.
    case unmuted
    /// It is over.
    case ended
}
