import KodamaEvidence

/// A datagram that was changed on its way, or is noise, reached an app.
///
/// The subject is whose connection it came by.
struct SpoiltArrived: TraceForm {
    static let kind = TraceKind(.intercom, 33)
    static let text = TraceFormText(
        "packet.spoilt",
        .control,
        "A datagram that was changed on its way, or is noise, reached an app.",
        "counted"
    )
    /// Whether the app refused it and counted that once, by its own counts.
    var isCounted: TraceFlag
}
