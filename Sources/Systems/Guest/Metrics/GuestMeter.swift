import KodamaEvidence
import SansIO

/// Measures what guests mark, and what kills cost them.
struct GuestMeter: SystemMeter {
    private typealias Times = Measure<Distribution>
    private typealias Sums = Measure<Tally>

    // What a guest does not mark is no occasion: only the guest knows what it waits for.
    private var delay = time("delay", "How old something was when it came.")
    private var response = time("response", "From a request to its answer.")
    private var setup = time("setup", "From the wish to be ready to being so.")
    private var gap = time("gap", "How long something was missing.")
    private var sent = sum("sent", "Things sent.", better: .neutral)
    private var received = sum("received", "Things that came.", better: .higher)
    private var lost = sum("lost", "Things that never came.")
    private var duplicates = sum("duplicates", "Things that came again.")
    private var retries = sum("retries", "Things that were tried again.")
    private var failures = sum("failures", "Things that failed.")
    private var lostWrites = Sums.count(
        "guest.writes.lost",
        "Writes that were not synced when a guest's process ended; a sync counts as none lost.",
        "HN-07",
        occasions: .atOnce
    )

    private var notifications = Sums.count(
        "guest.notifications.shown",
        "Notifications of guests that came to the user.",
        "HN-07",
        better: .higher,
        occasions: .atOnce
    )
    private var suppressed = Sums.count(
        "guest.notifications.dropped",
        "Notifications of guests that never came: 64 others waited, or the user allows none.",
        "HN-07",
        occasions: .atOnce
    )

    init(_ directory: TraceDirectory) {}

    private static let source = "What the guest marks"

    private static func time(_ word: String, _ meaning: String) -> Times {
        Times.time("guest.\(word)", meaning, source, occasions: .atOnce)
    }

    private static func sum(
        _ word: String,
        _ meaning: String,
        better: MetricDirection = .lower
    ) -> Sums {
        Sums.count("guest.\(word)", meaning, source, better: better, occasions: .atOnce)
    }

    mutating func record(contentsOf records: [TraceRecord], from position: Int) {
        for record in records {
            switch record.kind {
            case GuestMarked.kind:
                let marked = GuestMarked(record)
                if let mark = marked.mark.value {
                    add(marked.amount, to: mark, at: Occurrence(record))
                }
            case WritesSynced.kind:
                lostWrites.add(0, at: Occurrence(record))
            case WritesLost.kind:
                lostWrites.add(WritesLost(record).writes, at: Occurrence(record))
            case GuestNotified.kind:
                let fate = GuestNotified(record).fate.value
                guard fate != .tapped else { continue }
                notifications.add(fate == .shown ? 1 : 0, at: Occurrence(record))
                suppressed.add(fate == .shown ? 0 : 1, at: Occurrence(record))
            default:
                break
            }
        }
    }

    private mutating func add(_ amount: Int64, to mark: GuestMark, at occurrence: Occurrence) {
        switch mark {
        case .delay: delay.add(amount, at: occurrence)
        case .response: response.add(amount, at: occurrence)
        case .setup: setup.add(amount, at: occurrence)
        case .gap: gap.add(amount, at: occurrence)
        case .sent: sent.add(amount, at: occurrence)
        case .received: received.add(amount, at: occurrence)
        case .lost: lost.add(amount, at: occurrence)
        case .duplicates: duplicates.add(amount, at: occurrence)
        case .retries: retries.add(amount, at: occurrence)
        case .failures: failures.add(amount, at: occurrence)
        }
    }

    var metrics: [any AnyMeasure] {
        [
            delay, response, setup, gap, sent, received, lost, duplicates, retries, failures,
            lostWrites, notifications, suppressed,
        ]
    }
}
