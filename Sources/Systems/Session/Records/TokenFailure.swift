import KodamaEvidence

/// Why `token.answered` says a request brought no HTTP status; below every status.
package enum TokenFailure: Int64, Sendable, CaseIterable {
    /// The answer could not be read.
    case malformed = -4
    /// The connection broke.
    case connectionLost = -3
    /// No answer came in time.
    case timedOut = -2
    /// There was no network to ask by.
    case offline = -1
}
