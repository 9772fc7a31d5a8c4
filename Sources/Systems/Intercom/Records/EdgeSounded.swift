import KodamaEvidence

/// A talk spurt of the subject began or ended in the sound of a device's speaker.
struct EdgeSounded: TraceForm {
    static let kind = TraceKind(.intercom, 27)
    static let text = TraceFormText(
        "edge.sounded",
        .media,
        "A talk spurt began or ended in the sound of a speaker, which made a step between two samples.",
        "step",
        "usual_step",
        "level_before",
        "level_after"
    )
    /// The greatest step between two samples within 1 ms of the edge, in units of 16 bits.
    var step: Int64
    /// The 99.9th percentile of the steps within the spurts that sounded so far, or the greatest step
    /// from 1 to 10 ms off the edge if that is more; 0 if not known yet.
    var usualStep: Int64
    /// The mean square of the samples in the 10 ms before the edge.
    var levelBefore: Int64
    /// The mean square of the samples from 10 to 20 ms after the edge.
    var levelAfter: Int64
}
