import KodamaEvidence

/// The probes of a run's phones, added up.
struct ProbeTotals: Sendable {
    private var rate = Measure.number(
        "session.probe.packets.rate",
        """
        For each probe that left a phone: how many left it in the second that ends with it; the \
        maximum is the peak of any second.
        """,
        "K-19",
        occasions: .atOnce
    )
    private var lateRate = Measure.number(
        "session.probe.packets.late_rate",
        """
        For each probe more than 63 s after the first of its outage: how many left the phone in the \
        3 s that end with it. A pause of 5 s makes another outage.
        """,
        "K-19",
        occasions: .atOnce
    )
    private var counts = Measure.number(
        "session.probe.packets.count",
        "Probes per outage that was probed, each of 48 bytes. A pause of 5 s makes another outage.",
        "K-19",
        occasions: .atOnce
    )
    private var energy = Measure.number(
        "session.probe.energy.millijoules",
        """
        What each outage's probes cost at most, in mJ: as if they alone kept an LTE radio connected, from \
        the promotion for the first one to the tail after the last.
        """,
        "K-19; Huang et al., MobiSys 2012: the power characteristics of 4G LTE networks",
        occasions: .atOnce
    )

    /// The metrics, in the order in which reports list them.
    var all: [any AnyMeasure] { [rate, lateRate, counts, energy] }

    /// After how long of an outage probes are to be rare, and within how long one is enough then.
    private static let firstMinute: Int64 = 60_000_000_000
    private static let lateWindow: Int64 = 3_000_000_000
    /// A pause between probes that makes what follows another outage; shorter than the radio's tail.
    private static let outageGap: Int64 = 5_000_000_000
    /// What the radio takes to become connected: 260.1 ms at 1,210.7 mW (Huang et al., MobiSys 2012).
    private static let promotionMicrojoules: Int64 = 314_903
    /// How long it stays connected after a packet, and what it draws meanwhile (as above).
    private static let tail: Int64 = 11_576_000_000
    private static let tailMilliwatts: Int64 = 1_060

    /// Adds the probes of one phone.
    mutating func add(_ entries: [SessionStory.Entry]) {
        let probes = entries.filter { $0.kind == ProbeSent.kind }
        let instants = probes.map(\.instant)
        var (first, oldest, oldestLate) = (0, 0, 0)
        for (index, instant) in instants.enumerated() {
            if index > 0, instant - instants[index - 1] >= Self.outageGap {
                addOutage(probes[first..<index])
                first = index
            }
            while instants[oldest] <= instant - 1_000_000_000 { oldest += 1 }
            let record = probes[index].record
            rate.add(Int64(index - oldest + 1), at: Occurrence(record))
            let late = instants[first] + Self.firstMinute
            guard instant - Self.lateWindow >= late else { continue }
            while instants[oldestLate] <= instant - Self.lateWindow { oldestLate += 1 }
            lateRate.add(Int64(index - oldestLate + 1), at: Occurrence(record))
        }
        guard first < instants.count else { return }
        addOutage(probes[first...])
    }

    private mutating func addOutage(_ probes: ArraySlice<SessionStory.Entry>) {
        let outage = Self.outage(probes)
        counts.add(Int64(probes.count), at: outage)
        let (begin, end) = (probes.first?.instant ?? 0, probes.last?.instant ?? 0)
        let awake = end - begin + Self.tail
        let microjoules = Self.promotionMicrojoules + awake / 1_000_000 * Self.tailMilliwatts
        energy.add(microjoules / 1_000, at: outage)
    }

    private static func outage(_ probes: ArraySlice<SessionStory.Entry>) -> Occurrence {
        let records = (probes.first?.record, probes.last?.record)
        guard let first = records.0, let last = records.1 else {
            preconditionFailure("an outage without probes is none that was probed")
        }
        return Occurrence(from: first.instant, until: last.instant, of: first.component)
    }
}
