import KodamaEvidence
import RealtimeVoice

/// A phone sends a probe of the app's.
struct ProbeSent: TraceForm {
    static let kind = TraceKind(.session, 54)
    static let text = TraceFormText(
        "probe.sent",
        .control,
        "The app feels for the path: one datagram leaves.",
        "operation",
        .words("host", ProbeHost.self)
    )
    /// The probe's number in the app.
    var operation: Int64
    /// Whom it asks.
    var host: TraceWord<ProbeHost>
}

/// The answer to a probe reached the app.
struct ProbeAnswered: TraceForm {
    static let kind = TraceKind(.session, 55)
    static let text = TraceFormText(
        "probe.answered",
        .control,
        "A host answered probe `operation`.",
        "operation"
    )
    /// The probe's number in the app.
    var operation: Int64
}
