import KodamaEvidence
import SansIO

/// Whether a screen shows from the start whom its phone has to look for (S-UI-001, S-UI-002).
struct SoughtMeter {
    /// Two apps of a group, of which one has shown the other as reached.
    private struct Acquaintance {
        let screen: ComponentIndex
        let subject: ComponentIndex
        var group: Int64
        /// Whether the subject has said goodbye, as the screen showed, and was not reached since.
        var isParted = false
        /// Since when a card is due that is not shown.
        var missingSince: Int64?
    }

    private var missing = Measure.time(
        "group.card.missing.time",
        """
        For each phone that opens a group and each phone in it that it has met there before, and that has not \
        said goodbye to it since: until its screen shows a card of it, be it one that says that it is sought.
        """,
        "S-UI-001, S-UI-002",
        excluding: ["it left the group"]
    )
    private var groups: [ComponentIndex: Int64] = [:]
    private var acquaintances: [Acquaintance] = []
    /// Where the acquaintance of a screen and a subject is.
    private var places: [ComponentIndex: [ComponentIndex: Int]] = [:]
    /// Where the acquaintances are of an app's screen or of an app, ascending.
    private var placesOfApp: [ComponentIndex: [Int]] = [:]

    var metrics: [any AnyMeasure] { [missing] }

    mutating func record(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        switch record.kind {
        case GroupJoined.kind: join(record.component, GroupJoined(record).group, at: now)
        case GroupLeft.kind:
            groups[record.component] = nil
            for index in placesOfApp[record.component] ?? [] {
                if acquaintances[index].screen == record.component {
                    settle(index, at: now, isOpen: true)
                }
                // Whoever is gone is owed to nobody.
                if acquaintances[index].subject == record.component {
                    settle(index, at: now, isGone: true)
                }
            }
        case CardShown.kind: show(CardShown(record), record)
        case RunEnded.kind:
            for index in acquaintances.indices { settle(index, at: now, isOpen: true) }
        default: return
        }
    }

    private mutating func join(_ app: ComponentIndex, _ group: Int64, at now: Int64) {
        guard groups[app] == nil else { return }
        groups[app] = group
        for index in placesOfApp[app] ?? [] where acquaintances[index].screen == app {
            let acquaintance = acquaintances[index]
            guard acquaintance.group == group, groups[acquaintance.subject] == group,
                !acquaintance.isParted
            else { continue }
            acquaintances[index].missingSince = now
        }
    }

    private mutating func show(_ card: CardShown, _ record: TraceRecord) {
        let (screen, subject) = (record.component, record.subject)
        guard screen != subject, subject != .none, let shown = card.connection.value else { return }
        let index = places[screen]?[subject]
        guard shown != .gone else {
            // Of one who is in the group still, or on a screen that is closed, it tells of no goodbye.
            guard let index, groups[screen] != nil, groups[subject] == nil else { return }
            acquaintances[index].isParted = true
            return
        }
        if let index { settle(index, at: record.instant.nanoseconds) }
        guard shown.isReached, let group = groups[screen] else { return }
        if let index {
            acquaintances[index].group = group
            acquaintances[index].isParted = false
        } else {
            places[screen, default: [:]][subject] = acquaintances.count
            for app in [screen, subject] {
                placesOfApp[app, default: []].append(acquaintances.count)
            }
            acquaintances.append(Acquaintance(screen: screen, subject: subject, group: group))
        }
    }

    /// A card that was due is shown, or is due no more.
    private mutating func settle(
        _ index: Int,
        at now: Int64,
        isOpen: Bool = false,
        isGone: Bool = false
    ) {
        guard let since = acquaintances[index].missingSince else { return }
        acquaintances[index].missingSince = nil
        let (screen, subject) = (acquaintances[index].screen, acquaintances[index].subject)
        let span = Span(start: since, end: now)
        let occurrence = Occurrence(span, of: screen, about: subject)
        if isGone {
            missing.exclude("it left the group", at: occurrence)
        } else {
            missing.add(now - since, isOpen: isOpen, at: occurrence)
        }
    }
}
