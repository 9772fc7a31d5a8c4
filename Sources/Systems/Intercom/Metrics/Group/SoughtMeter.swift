import KodamaEvidence
import SansIO

/// Whether a screen shows from the start whom its phone has to look for (S-UI-001, S-UI-002).
struct SoughtMeter {
    /// Two apps of a group, of which one has shown the other as reached.
    private struct Acquaintance {
        let screen: ComponentIndex
        let subject: ComponentIndex
        var group: Int64
        /// Since when a card is due that is not shown.
        var missingSince: Int64?
    }

    private var missing = Measure.time(
        "group.card.missing.time",
        """
        For each phone that opens a group and each phone in it that it has met there before: until its \
        screen shows a card of it, be it one that says that it is sought.
        """,
        "S-UI-001, S-UI-002"
    )
    private var groups: [(app: ComponentIndex, group: Int64)] = []
    private var acquaintances: [Acquaintance] = []

    var metrics: [any AnyMeasure] { [missing] }

    mutating func record(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        switch record.kind {
        case GroupJoined.kind: join(record.component, GroupJoined(record).group, at: now)
        case GroupLeft.kind:
            groups.removeAll { $0.app == record.component }
            for index in acquaintances.indices {
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
        guard self.group(of: app) == nil else { return }
        groups.append((app, group))
        for index in acquaintances.indices where acquaintances[index].screen == app {
            let acquaintance = acquaintances[index]
            guard acquaintance.group == group, self.group(of: acquaintance.subject) == group else {
                continue
            }
            acquaintances[index].missingSince = now
        }
    }

    private mutating func show(_ card: CardShown, _ record: TraceRecord) {
        let (screen, subject) = (record.component, record.subject)
        guard screen != subject, subject != .none, let shown = card.connection.value,
            shown != .gone
        else { return }
        let index = acquaintances.firstIndex { $0.screen == screen && $0.subject == subject }
        if let index { settle(index, at: record.instant.nanoseconds) }
        guard shown.isReached, let group = group(of: screen) else { return }
        if let index {
            acquaintances[index].group = group
        } else {
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

    private func group(of app: ComponentIndex) -> Int64? {
        groups.first { $0.app == app }?.group
    }
}
