import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import SansIO

/// How many phones meet a server in one second after what befell several, as a share of all.
struct StormTotals: Sendable {
    private var peakShare = Measure(
        MetricDescription(
            name: "session.storm.peak.share",
            unit: .partsPerMillion,
            form: .distribution,
            direction: .lower,
            meaning: """
                For each cause that several phones may share: the greatest share of all phones whose \
                attempts the room server answered after it, with a join, a resume or a refusal, within one \
                second. Each phone counts once, with the first such answer. Such causes are that the room \
                server is back, lets people in again, opens its port again or speaks again, that the \
                app's server is back, and that in one instant the path of several phones is back, several \
                agents leave or several phones are told to leave. \
                One that makes no phone try has no sample.
                """,
            source: "K-20",
            exclusions: ["no phone came"]
        ),
        Distribution(resolution: 1)
    )

    private static let second: Int64 = 1_000_000_000
    private static let million: Int64 = 1_000_000

    /// Adds a run's phones and the instants of what befell several, in order.
    mutating func add(_ readings: [SessionReading], returns: [Int64]) {
        for (index, start) in returns.enumerated() {
            let end = index + 1 < returns.count ? returns[index + 1] : Int64.max
            let met = readings.compactMap { reading in
                reading.entries.first {
                    $0.instant >= start && $0.instant < end && Self.meetsServer($0)
                }?.instant
            }
            guard !met.isEmpty else {
                let back = Occurrence(Span(start: start, end: start), of: .none)
                peakShare.exclude("no phone came", at: back)
                continue
            }
            let peak = Self.peak(of: met.sorted())
            peakShare.add(
                peak.count * Self.million / Int64(readings.count),
                at: Occurrence(peak.span, of: .none)
            )
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

    /// The most of these instants, in order, that lie in one second, and from when to when.
    private static func peak(of instants: [Int64]) -> (count: Int64, span: Span) {
        var (oldest, peak, span) = (0, 0, Span(start: 0, end: 0))
        for (index, instant) in instants.enumerated() {
            while instants[oldest] <= instant - second { oldest += 1 }
            guard index - oldest + 1 > peak else { continue }
            peak = index - oldest + 1
            span = Span(start: instants[oldest], end: instant)
        }
        return (Int64(peak), span)
    }
}
