import KodamaEvidence

/// A datagram that was changed on its way, or is noise, reached an app.
///
/// The subject is whose connection it came by.
struct SpoiltArrived: TraceForm {
    /// Whether the app refused it and counted that once, by its own counts.
    var isCounted: TraceFlag

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.intercom, 33) }

    /// Its text.
    static let text = TraceFormText(
        "packet.spoilt",
        .control,
        ["counted"],
        "A datagram that was changed on its way, or is noise, reached an app."
    )

    /// Makes the values of a record.
    init(isCounted: Bool) {
        self.isCounted = TraceFlag(isCounted)
    }
}
