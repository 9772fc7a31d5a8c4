import KodamaEvidence

/// What listeners hear where talk spurts begin and end, from what their speakers were given.
///
/// Only real audio has edges; those beside which another talker is heard do not count.
struct EdgeMeter {
    private var step = Measure.number(
        "voice.edge.step.pcm16",
        """
        The greatest step between two samples of a listener's speaker within 1 ms of where a talk \
        spurt begins or ends, in units of 16 bits.
        """,
        "D-14",
        occasions: .atOnce
    )
    private var audible = Measure.share(
        "voice.edge.audible",
        """
        Share of the edges of talk spurts whose step exceeds the 99.9th percentile of the steps \
        within all spurts that the same speaker sounded before, a second of them at least, and all \
        steps from 1 to 10 ms beside it.
        """,
        "D-14",
        occasions: .atOnce
    )
    private var level = Measure.number(
        "voice.edge.level.db",
        """
        By how many decibels, up or down, the sound of a listener's speaker from 10 to 20 ms after \
        a talk spurt begins or ends differs from the 10 ms before.
        """,
        "RFC 3389",
        occasions: .atOnce
    )

    var metrics: [any AnyMeasure] { [step, audible, level] }

    mutating func sounded(_ edge: EdgeSounded, _ record: TraceRecord) {
        step.add(edge.step, at: Occurrence(record))
        level.add(Self.decibels(edge.levelBefore, edge.levelAfter), at: Occurrence(record))
        guard edge.usualStep > 0 else { return }
        audible.add(edge.step > edge.usualStep ? 1 : 0, of: 1, at: Occurrence(record))
    }

    /// The difference of two mean squares in whole decibels; silence counts as one unit.
    private static func decibels(_ one: Int64, _ other: Int64) -> Int64 {
        let ratio = Double(max(one, other, 1)) / Double(max(min(one, other), 1))
        return Int64(EModel.binaryLogarithm(ratio) * 3.010_299_956_639_812 + 0.5)
    }
}
