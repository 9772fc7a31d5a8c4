import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import SansIO

// When phones ring, and for how long after a call is over.

extension CallMeter {
    mutating func ring(_ call: Int64, _ record: TraceRecord) {
        change(call, record.component) { $0.rings = record.instant.nanoseconds }
    }

    mutating func ringEnded(_ ended: CallRingEnded, _ record: TraceRecord) {
        let now = record.instant.nanoseconds
        guard let began = calls[ended.call]?.side(record.component)?.rings else { return }
        let isAnswered = ended.end.value == .answered
        let isThrownOut = ended.end.value == .appEnded && thrownOut[record.component] == now
        if isAnswered || now - began >= Self.flash {
            count(ringSince: began, of: ended.call, at: record.component)
            conduct.rings(record.component, from: began, to: now)
        }
        change(ended.call, record.component) {
            $0.rings = nil
            $0.rangUntil = now
            if isAnswered { $0.answered = now }
            if isThrownOut { $0.isThrownOut = true }
        }
        if ended.end.value == .declined, calls[ended.call]?.decline == nil {
            let decline = CallStory.UserEnd(instant: now, app: record.component)
            calls[ended.call]?.decline = decline
        }
        if isAnswered {
            microphones.begin(record.component, at: now)
            holdOthers(than: ended.call, at: record.component, now)
        }
        addGhost(from: began, to: now, settled: calls[ended.call]?.settled, at: record.component)
    }

    /// A call screen has proved to be a ring.
    mutating func count(
        ringSince began: Int64,
        of call: Int64,
        at app: ComponentIndex
    ) {
        guard let story = calls[call], let side = story.side(app) else { return }
        change(call, app) { $0.ringCount += 1 }
        let rang = Occurrence(Span(start: began, end: began), of: app)
        measures.duplicates.add(side.ringCount > 0 ? 1 : 0, at: rang)
        guard side.ringCount == 0 else { return }
        if let dialled = story.dialled, !story.sides.contains(where: { $0.ringCount > 0 }) {
            // Another phone may ring since earlier, and still.
            let first = story.sides.compactMap(\.rings).min() ?? began
            measures.place.add(min(first, began) - dialled, at: rang)
        }
        guard let accepted = side.accepted, accepted.isReachable else { return }
        let wait = Occurrence(Span(start: accepted.instant, end: began), of: app)
        measures.ring.add(began - accepted.instant, at: wait)
        if let state = accepted.state {
            let measure = Int(state.rawValue)
            measures.ringByState[measure].add(began - accepted.instant, at: wait)
        }
    }

    mutating func addGhost(
        from began: Int64,
        to end: Int64,
        settled: Int64?,
        isOpen: Bool = false,
        at app: ComponentIndex
    ) {
        let from = min(end, max(began, settled ?? end))
        let length = conditions.time(with: .path, of: app, from: from, to: end)
        let ghost = Occurrence(Span(start: from, end: end), of: app)
        measures.ghost.add(length, isOpen: isOpen && settled != nil, at: ghost)
    }
}
