import KodamaEvidence
import RealtimeVoice

/// A phone sends a probe of the app's.
struct ProbeSent: TraceForm {
    /// The probe's number in the app.
    var operation: Int64
    /// Whom it asks.
    var host: TraceWord<ProbeHost>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 54) }

    /// Its text.
    static let text = TraceFormText(
        "probe.sent",
        .control,
        ["operation", .words("host", ProbeHost.self)],
        "The app feels for the path: one datagram leaves."
    )

    /// Makes the values of a record.
    init(operation: Int64, host: ProbeHost) {
        self.operation = operation
        self.host = TraceWord(host)
    }
}

/// The answer to a probe reached the app.
struct ProbeAnswered: TraceForm {
    /// The probe's number in the app.
    var operation: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 55) }

    /// Its text.
    static let text = TraceFormText(
        "probe.answered",
        .control,
        ["operation"],
        "A host answered probe `operation`."
    )

    /// Makes the values of a record.
    init(operation: Int64) {
        self.operation = operation
    }
}
