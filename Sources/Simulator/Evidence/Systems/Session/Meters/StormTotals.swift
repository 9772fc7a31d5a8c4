import Models

/// How many phones meet a server in one second after it is back, as a share of all.
struct StormTotals: Sendable {
    private var peakShare = Measure(
        MetricDescription(
            name: "session.storm.peak.share",
            unit: .partsPerMillion,
            form: .distribution,
            direction: .lower,
            meaning: """
                For each return of a room server that was down: the greatest share of all phones whose \
                attempts it answered, with a join, a resume or a refusal, within one second. Each phone \
                counts once, with the first such answer.
                """,
            source: "K-20"
        ),
        Distribution(resolution: 1)
    )

    private static let second: Int64 = 1_000_000_000
    private static let million: Int64 = 1_000_000

    /// Adds a run's phones and the instants from which the room server accepted again.
    mutating func add(_ readings: [SessionReading], returns: [Int64]) {
        for (index, start) in returns.enumerated() {
            let end = index + 1 < returns.count ? returns[index + 1] : Int64.max
            let met = readings.compactMap { reading in
                reading.entries.first {
                    $0.instant >= start && $0.instant < end && Self.meetsServer($0)
                }?.instant
            }
            guard !met.isEmpty else { continue }
            peakShare.add(Self.peak(of: met.sorted()) * Self.million / Int64(readings.count))
        }
    }

    /// The metrics, in the order in which reports list them.
    var all: [any AnyMeasure] { [peakShare] }

    /// Whether the server answered an attempt, with whatever.
    private static func meetsServer(_ entry: SessionStory.Entry) -> Bool {
        switch entry.kind {
        case AttemptSignalled.kind:
            return true
        case AttemptEnded.kind:
            let failure = AttemptEnded(entry.record).failure.value
            return failure == .refused || failure == .serverLeave
        default:
            return false
        }
    }

    /// The most of these instants, in order, that lie in one second.
    private static func peak(of instants: [Int64]) -> Int64 {
        var (oldest, peak) = (0, 0)
        for (index, instant) in instants.enumerated() {
            while instants[oldest] <= instant - second { oldest += 1 }
            peak = max(peak, index - oldest + 1)
        }
        return Int64(peak)
    }
}
