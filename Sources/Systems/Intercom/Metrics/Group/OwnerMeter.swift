import KodamaEvidence
import SansIO

/// Whether screens name the right owner: of those whom a screen shows, the one with the smallest id
/// (S-OWN-002), and when that one is gone, the next (S-OWN-003).
struct OwnerMeter {
    /// What one app's screen shows.
    private struct Screen {
        let app: ComponentIndex
        /// Whom its cards show as in, its own phone among them.
        var shown: [ComponentIndex] = []
        var owner: ComponentIndex?
        /// Since when it has named another than it should.
        var wrongSince: Int64?
        var longest: Span
        /// All such times together, and since when it is known whom it should name.
        var wrongTime: Int64 = 0
        let knownSince: Int64
    }

    private var wrong = Measure.time(
        "group.owner.wrong.time",
        """
        For each app that was in a group: the longest time in which its screen named as the owner \
        somebody else than the one with the smallest id of those whom it showed, or nobody.
        """,
        "S-OWN-002, S-OWN-003, A-F-023"
    )
    private var wrongShare = Measure.share(
        "group.owner.wrong.share",
        "Share of all such times in those since an app was first in a group.",
        "S-OWN-002, S-OWN-003, A-F-023",
        occasions: .atOnce
    )

    /// The number of each app, and how many were identified before it.
    private var numbers: [ComponentIndex: (number: Int64, rank: Int)] = [:]
    private var identifiedCount = 0
    private var screens: [Screen] = []
    /// Where each app's screen is.
    private var places: [ComponentIndex: Int] = [:]

    var metrics: [any AnyMeasure] { [wrong, wrongShare] }

    mutating func record(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        switch record.kind {
        case MemberIdentified.kind:
            let app = record.component
            numbers[app] = (MemberIdentified(record).number, identifiedCount)
            identifiedCount += 1
            guard places[app] == nil else { return }
            places[app] = screens.count
            screens.append(Screen(app: app, longest: Span(start: now, end: now), knownSince: now))
        case GroupLeft.kind:
            guard let index = places[record.component] else { return }
            // Its own screen is closed.
            screens[index].shown = []
            screens[index].owner = nil
            judge(index, at: now)
        case CardShown.kind: show(CardShown(record), record)
        case RunEnded.kind:
            for index in screens.indices {
                let isOpen = screens[index].wrongSince != nil
                close(index, at: now)
                let screen = screens[index]
                let occurrence = Occurrence(screen.longest, of: screen.app)
                wrong.add(screen.longest.length, isOpen: isOpen, at: occurrence)
                wrongShare.add(screen.wrongTime, of: now - screen.knownSince, at: occurrence)
            }
        default: return
        }
    }

    private mutating func show(_ card: CardShown, _ record: TraceRecord) {
        guard let index = places[record.component] else { return }
        let subject = record.subject
        screens[index].shown.removeAll { $0 == subject }
        switch card.connection.value {
        // Who is only sought is not in and owns nothing.
        case .gone, .searching: break
        default: screens[index].shown.append(subject)
        }
        if card.isOwner.isSet {
            screens[index].owner = subject
        } else if screens[index].owner == subject {
            screens[index].owner = nil
        }
        judge(index, at: record.instant.nanoseconds)
    }

    /// Holds the owner that a screen names against those whom it shows.
    private mutating func judge(_ index: Int, at now: Int64) {
        let screen = screens[index]
        let candidates = screen.shown.compactMap { app in numbers[app].map { (app, $0) } }
        let smallest = candidates.min { $0.1 < $1.1 }?.0
        guard screen.owner != smallest else { return close(index, at: now) }
        screens[index].wrongSince = screen.wrongSince ?? now
    }

    private mutating func close(_ index: Int, at now: Int64) {
        guard let since = screens[index].wrongSince else { return }
        screens[index].wrongSince = nil
        screens[index].wrongTime += now - since
        let longest = screens[index].longest
        guard now - since > longest.end - longest.start else { return }
        screens[index].longest = Span(start: since, end: now)
    }
}
