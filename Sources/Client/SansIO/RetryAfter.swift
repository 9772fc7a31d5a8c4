/// How long to honour a busy server's `Retry-After` (RFC 9110 §10.2.3).
public struct RetryAfter: Sendable, Equatable {
    /// The wait: 0 to 5 minutes, so that no server's slip silences an app; an assumption.
    public let wait: Duration

    /// Takes what a server asks for.
    public init(_ told: Duration) {
        wait = min(max(told, .zero), .seconds(300))
    }

    /// Reads an answer of a busy server: 429 (RFC 6585 §4) or 503 (RFC 9110 §15.6.4) with `Retry-After`.
    ///
    /// It is `nil` if the status is another, or the field no number of seconds (RFC 9110 §10.2.3): the
    /// other form, a date, would need the server's clock.
    ///
    /// - Parameters:
    ///   - statusCode: The answer's status.
    ///   - field: The value of its header field `Retry-After`, if it has one.
    public init?(statusCode: Int, field: String?) {
        guard statusCode == 429 || statusCode == 503, let field,
            let seconds = Int64(field), (0...86_400).contains(seconds)
        else { return nil }
        self.init(.seconds(seconds))
    }
}
