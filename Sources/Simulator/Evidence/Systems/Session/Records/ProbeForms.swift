public import RealtimeVoice

/// A phone sends a probe of the app's.
public struct ProbeSent: TraceForm {
    /// The probe's number in the app.
    public var operation: Int64
    /// Whom it asks.
    public var host: TraceWord<ProbeHost>

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.session, 54) }

    /// Its text.
    public static let text = TraceFormText(
        "probe.sent",
        .control,
        ["operation", .words("host", ProbeHost.self)],
        "The app feels for the path: one datagram leaves."
    )

    /// Makes the values of a record.
    @inlinable
    public init(operation: Int64, host: ProbeHost) {
        self.operation = operation
        self.host = TraceWord(host)
    }
}

/// The answer to a probe reached the app.
public struct ProbeAnswered: TraceForm {
    /// The probe's number in the app.
    public var operation: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.session, 55) }

    /// Its text.
    public static let text = TraceFormText(
        "probe.answered",
        .control,
        ["operation"],
        "A host answered probe `operation`."
    )

    /// Makes the values of a record.
    @inlinable
    public init(operation: Int64) {
        self.operation = operation
    }
}
