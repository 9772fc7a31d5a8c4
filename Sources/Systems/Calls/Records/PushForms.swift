import KodamaEvidence
import KodamaNetwork
import KodamaPhone

/// The app server sent a push for a call to the push service.
struct PushSent: TraceForm {
    /// The call's number.
    var call: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.calls, 0) }

    /// Its text.
    static let text = TraceFormText(
        "push.sent",
        .control,
        ["call"],
        "The app server sent a push for a call to the push service; the subject is the app that it is for."
    )

    /// Makes the values of a record.
    init(call: Int64) {
        self.call = call
    }
}

/// The push service accepted a push for a call; how the phone stood then.
struct PushAccepted: TraceForm {
    /// The call's number.
    var call: Int64
    /// What the app's process did.
    var state: TraceWord<AppState>
    /// Whether the phone was locked.
    var isLocked: TraceFlag
    /// Whether packets passed between phone and push service.
    var isReachable: TraceFlag

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.calls, 1) }

    /// Its text.
    static let text = TraceFormText(
        "push.accepted",
        .milestone,
        ["call", .words("state", AppState.self), "locked", "reachable"],
        "The push service accepted a push for a call; how the phone stood then."
    )

    /// Makes the values of a record.
    init(call: Int64, state: AppState, isLocked: Bool, isReachable: Bool) {
        self.call = call
        self.state = TraceWord(state)
        self.isLocked = TraceFlag(isLocked)
        self.isReachable = TraceFlag(isReachable)
    }
}

/// The push service refused a push for a call.
struct PushRefused: TraceForm {
    /// The call's number.
    var call: Int64
    /// The HTTP status.
    var status: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.calls, 2) }

    /// Its text.
    static let text = TraceFormText(
        "push.refused",
        .milestone,
        ["call", "status"],
        "The push service refused a push for a call."
    )

    /// Makes the values of a record.
    init(call: Int64, status: Int64) {
        self.call = call
        self.status = status
    }
}

/// A push for a call reached the phone.
struct PushReceived: TraceForm {
    /// The call's number.
    var call: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.calls, 3) }

    /// Its text.
    static let text = TraceFormText(
        "push.received",
        .milestone,
        ["call"],
        "A push for a call reached the phone."
    )

    /// Makes the values of a record.
    init(call: Int64) {
        self.call = call
    }
}

/// The app did not report a push as a call, and the system ended it for that.
struct PushUnreported: TraceForm {
    /// Which enforcement found it.
    var breach: TraceWord<PushRuleBreach>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.calls, 4) }

    /// Its text.
    static let text = TraceFormText(
        "push.unreported",
        .milestone,
        [.words("breach", PushRuleBreach.self)],
        "The app did not report a push as a call, and the system ended it for that."
    )

    /// Makes the values of a record.
    init(breach: PushRuleBreach) {
        self.breach = TraceWord(breach)
    }
}

/// The system launches the app for pushes no more.
struct PushesBlocked: TraceForm {
    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.calls, 5) }

    /// Its text.
    static let text = TraceFormText(
        "push.blocked",
        .milestone,
        [],
        "The system launches the app for pushes no more."
    )

    /// Makes the values of a record.
    init() {}
}

/// The push service gave up a push that it had accepted.
struct PushDropped: TraceForm {
    /// The call's number.
    var call: Int64
    /// Why.
    var reason: TraceWord<PushLoss>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.calls, 6) }

    /// Its text.
    static let text = TraceFormText(
        "push.dropped",
        .milestone,
        ["call", .words("reason", PushLoss.self)],
        "The push service gave up a push that it had accepted."
    )

    /// Makes the values of a record.
    init(call: Int64, reason: PushLoss) {
        self.call = call
        self.reason = TraceWord(reason)
    }
}

/// The app server knows the token of the app from now on.
struct DeviceRegistered: TraceForm {
    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.calls, 7) }

    /// Its text.
    static let text = TraceFormText(
        "device.registered",
        .milestone,
        [],
        "The app server knows the token of the app from now on."
    )

    /// Makes the values of a record.
    init() {}
}
