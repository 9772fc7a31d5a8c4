import KodamaEvidence

/// The app asks for a token.
struct TokenRequested: TraceForm {
    static let kind = TraceKind(.session, 25)
    static let text = TraceFormText(
        "token.requested",
        .control,
        "The app asked its server for a token.",
        "operation"
    )
    /// The request's number in the app.
    var operation: Int64
}

/// The app's request for a token ended.
struct TokenAnswered: TraceForm {
    static let kind = TraceKind(.session, 26)
    static let text = TraceFormText(
        "token.answered",
        .control,
        "Credentials came (200), another HTTP status, or a failure.",
        "operation",
        .words("outcome", TokenFailure.self)
    )
    /// The request's number in the app.
    var operation: Int64
    /// The HTTP status, or why there is none.
    var outcome: TraceWord<TokenFailure>
}
