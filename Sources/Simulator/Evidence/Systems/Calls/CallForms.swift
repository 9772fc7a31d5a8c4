public import Models
public import SansIO

/// The app server has a call of the app from now on.
public struct CallPlaced: TraceForm {
    /// The call's number.
    public var call: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.calls, 8) }

    /// Its text.
    public static let text = TraceFormText(
        "call.placed",
        .milestone,
        ["call"],
        "The app server has a call of the app from now on."
    )

    /// Makes the values of a record.
    @inlinable
    public init(call: Int64) {
        self.call = call
    }
}

/// The call screen of a phone rings for a call.
public struct CallRinging: TraceForm {
    /// The call's number.
    public var call: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.calls, 9) }

    /// Its text.
    public static let text = TraceFormText(
        "call.ringing",
        .milestone,
        ["call"],
        "The call screen of a phone rings for a call."
    )

    /// Makes the values of a record.
    @inlinable
    public init(call: Int64) {
        self.call = call
    }
}

/// The call screen rings no more.
public struct CallRingEnded: TraceForm {
    /// The call's number.
    public var call: Int64
    /// How.
    public var end: TraceWord<RingEnd>

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.calls, 10) }

    /// Its text.
    public static let text = TraceFormText(
        "call.ring-ended",
        .milestone,
        ["call", .words("end", RingEnd.self)],
        "The call screen rings no more."
    )

    /// Makes the values of a record.
    @inlinable
    public init(call: Int64, end: RingEnd) {
        self.call = call
        self.end = TraceWord(end)
    }
}

/// The app server has the answer to a call; the subject is the app that called.
public struct CallTaken: TraceForm {
    /// The call's number.
    public var call: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.calls, 11) }

    /// Its text.
    public static let text = TraceFormText(
        "call.taken",
        .milestone,
        ["call"],
        "The app server has the answer to a call; the subject is the app that called."
    )

    /// Makes the values of a record.
    @inlinable
    public init(call: Int64) {
        self.call = call
    }
}

/// The app server knows that a call is over; the subject is the app that called.
public struct CallOver: TraceForm {
    /// The call's number.
    public var call: Int64
    /// Why.
    public var reason: TraceWord<CallEnding>

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.calls, 12) }

    /// Its text.
    public static let text = TraceFormText(
        "call.over",
        .milestone,
        ["call", .words("reason", CallEnding.self)],
        "The app server knows that a call is over; the subject is the app that called."
    )

    /// Makes the values of a record.
    @inlinable
    public init(call: Int64, reason: CallEnding) {
        self.call = call
        self.reason = TraceWord(reason)
    }
}

/// The app says that both sides of a call are joined.
public struct CallConnected: TraceForm {
    /// The call's number.
    public var call: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.calls, 13) }

    /// Its text.
    public static let text = TraceFormText(
        "call.connected",
        .milestone,
        ["call"],
        "The app says that both sides of a call are joined."
    )

    /// Makes the values of a record.
    @inlinable
    public init(call: Int64) {
        self.call = call
    }
}

/// The app says that a call is over.
public struct CallEnded: TraceForm {
    /// The call's number.
    public var call: Int64
    /// Why.
    public var reason: TraceWord<CallEnding>

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.calls, 14) }

    /// Its text.
    public static let text = TraceFormText(
        "call.ended",
        .milestone,
        ["call", .words("reason", CallEnding.self)],
        "The app says that a call is over."
    )

    /// Makes the values of a record.
    @inlinable
    public init(call: Int64, reason: CallEnding) {
        self.call = call
        self.reason = TraceWord(reason)
    }
}

/// The subject's voice is heard at the phone from then on.
public struct CallVoiceFlowing: TraceForm {
    /// The call's number.
    public var call: Int64
    /// When its first sample is heard.
    public var heard: Instant

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.calls, 15) }

    /// Its text.
    public static let text = TraceFormText(
        "call.voice-flowing",
        .control,
        ["call", "heard_ns"],
        "The subject's voice is heard at the phone from then on."
    )

    /// Makes the values of a record.
    @inlinable
    public init(call: Int64, heard: Instant) {
        self.call = call
        self.heard = heard
    }
}

/// The subject's voice is heard at the phone no more.
public struct CallVoiceStopped: TraceForm {
    /// The call's number.
    public var call: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.calls, 16) }

    /// Its text.
    public static let text = TraceFormText(
        "call.voice-stopped",
        .control,
        ["call"],
        "The subject's voice is heard at the phone no more."
    )

    /// Makes the values of a record.
    @inlinable
    public init(call: Int64) {
        self.call = call
    }
}

/// The phone shows a notice of a missed call.
public struct MissedCallShown: TraceForm {
    /// The call's number.
    public var call: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.calls, 17) }

    /// Its text.
    public static let text = TraceFormText(
        "call.missed-shown",
        .milestone,
        ["call"],
        "The phone shows a notice of a missed call."
    )

    /// Makes the values of a record.
    @inlinable
    public init(call: Int64) {
        self.call = call
    }
}

/// The system activated the audio session for calls, or took it back.
public struct CallAudioChanged: TraceForm {
    /// Whether it is active.
    public var isActive: TraceFlag

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.calls, 18) }

    /// Its text.
    public static let text = TraceFormText(
        "call.audio",
        .control,
        ["active"],
        "The system activated the audio session for calls, or took it back."
    )

    /// Makes the values of a record.
    @inlinable
    public init(isActive: Bool) {
        self.isActive = TraceFlag(isActive)
    }
}
