import KodamaEvidence
import KodamaNetwork
import KodamaPhone

/// The app server sent a push for a call to the push service.
struct PushSent: TraceForm {
    static let kind = TraceKind(.calls, 0)
    static let text = TraceFormText(
        "push.sent",
        .control,
        "The app server sent a push for a call to the push service; the subject is the app that it is for.",
        "call"
    )
    var call: Int64
}

struct PushAccepted: TraceForm {
    static let kind = TraceKind(.calls, 1)
    static let text = TraceFormText(
        "push.accepted",
        .milestone,
        "The push service accepted a push for a call; how the phone stood then.",
        "call",
        .words("state", AppState.self),
        "locked",
        "reachable"
    )
    var call: Int64
    /// What the app's process did.
    var state: TraceWord<AppState>
    /// Whether the phone was locked.
    var isLocked: TraceFlag
    /// Whether packets passed between phone and push service.
    var isReachable: TraceFlag
}

struct PushRefused: TraceForm {
    static let kind = TraceKind(.calls, 2)
    static let text = TraceFormText(
        "push.refused",
        .milestone,
        "The push service refused a push for a call.",
        "call",
        "status"
    )
    var call: Int64
    /// The HTTP status.
    var status: Int64
}

struct PushReceived: TraceForm {
    static let kind = TraceKind(.calls, 3)
    static let text = TraceFormText(
        "push.received",
        .milestone,
        "A push for a call reached the phone.",
        "call"
    )
    var call: Int64
}

struct PushUnreported: TraceForm {
    static let kind = TraceKind(.calls, 4)
    static let text = TraceFormText(
        "push.unreported",
        .milestone,
        "The app did not report a push as a call, and the system ended it for that.",
        .words("breach", PushRuleBreach.self)
    )
    /// Which enforcement found it.
    var breach: TraceWord<PushRuleBreach>
}

struct PushesBlocked: TraceForm {
    static let kind = TraceKind(.calls, 5)
    static let text = TraceFormText(
        "push.blocked",
        .milestone,
        "The system launches the app for pushes no more."
    )
}

struct PushDropped: TraceForm {
    static let kind = TraceKind(.calls, 6)
    static let text = TraceFormText(
        "push.dropped",
        .milestone,
        "The push service gave up a push that it had accepted.",
        "call",
        .words("reason", PushLoss.self)
    )
    var call: Int64
    /// Why.
    var reason: TraceWord<PushLoss>
}

/// A message that is no VoIP push told a running app that a call is over, rightly or not.
struct EndSignalled: TraceForm {
    static let kind = TraceKind(.calls, 21)
    static let text = TraceFormText(
        "call.end-signalled",
        .control,
        "A message that is no VoIP push told the app that a call is over.",
        "call"
    )
    var call: Int64
}

/// The push service takes another token for the app from now on, or none.
struct PushTokenReplaced: TraceForm {
    static let kind = TraceKind(.calls, 18)
    static let text = TraceFormText(
        "push.token-replaced",
        .milestone,
        "The push service takes the token of the app no more."
    )
}

struct DeviceRegistered: TraceForm {
    static let kind = TraceKind(.calls, 7)
    static let text = TraceFormText(
        "device.registered",
        .milestone,
        "The app server knows the token of the app from now on."
    )
}
