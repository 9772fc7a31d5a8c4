import KodamaEvidence

/// A talk spurt of the subject began or ended in the sound of a device's speaker.
struct EdgeSounded: TraceForm {
    /// The greatest step between two samples within 1 ms of the edge, in units of 16 bits.
    var step: Int64
    /// The 99.9th percentile of the steps within the spurts that sounded so far, or the greatest step
    /// from 1 to 10 ms off the edge if that is more; 0 if not known yet.
    var usualStep: Int64
    /// The mean square of the samples in the 10 ms before the edge.
    var levelBefore: Int64
    /// The mean square of the samples from 10 to 20 ms after the edge.
    var levelAfter: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.intercom, 27) }

    /// Its text.
    static let text = TraceFormText(
        "edge.sounded",
        .media,
        ["step", "usual_step", "level_before", "level_after"],
        "A talk spurt began or ended in the sound of a speaker, which made a step between two samples."
    )

    /// Makes the values of a record.
    init(step: Int64, usualStep: Int64, levelBefore: Int64, levelAfter: Int64) {
        self.step = step
        self.usualStep = usualStep
        self.levelBefore = levelBefore
        self.levelAfter = levelAfter
    }
}
