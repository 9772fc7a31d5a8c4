import KodamaEvidence

/// How `frame.concealed` says a frame was made up.
enum ConcealmentMeans: Int64, Sendable, CaseIterable {
    /// Extrapolated from what came before.
    case extrapolated
    /// Decoded from the copy in the next packet.
    case repaired
}
