import KodamaEvidence

/// A phone shows itself by another name to all who listen nearby, or no more.
struct SignShown: TraceForm {
    static let kind = TraceKind(.intercom, 34)
    static let text = TraceFormText(
        "sign.shown",
        .control,
        "A phone shows another sign or number nearby from now on; 0 if it shows itself no more.",
        "sign",
        "number"
    )
    /// The first eight bytes of the sign.
    var sign: Int64
    /// The framework's own number of the phone.
    var number: Int64
}
