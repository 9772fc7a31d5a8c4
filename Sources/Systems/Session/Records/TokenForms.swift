import KodamaEvidence

/// The app asks for a token.
struct TokenRequested: TraceForm {
    /// The request's number in the app.
    var operation: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 25) }

    /// Its text.
    static let text = TraceFormText(
        "token.requested",
        .control,
        ["operation"],
        "The app asked its server for a token."
    )

    /// Makes the values of a record.
    init(operation: Int64) {
        self.operation = operation
    }
}

/// The app's request for a token ended.
struct TokenAnswered: TraceForm {
    /// The request's number in the app.
    var operation: Int64
    /// The HTTP status, or why there is none.
    var outcome: TraceWord<TokenFailure>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 26) }

    /// Its text.
    static let text = TraceFormText(
        "token.answered",
        .control,
        ["operation", .words("outcome", TokenFailure.self)],
        "Credentials came (200), another HTTP status, or a failure."
    )

    /// Makes the values of a record.
    init(operation: Int64, outcome: TraceWord<TokenFailure>) {
        self.operation = operation
        self.outcome = outcome
    }
}
