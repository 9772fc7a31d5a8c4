import SansIO

/// Keeps the story of each phone's session, and measures and checks it when the run has ended.
///
/// Only then is it known whether a frame is still heard in time, whether an attempt succeeds and when
/// the path comes back. Memory grows with what happens to sessions, never with frames.
struct SessionMeter: Sendable {
    private enum Filing {
        case unused
        case component
        case subject
    }

    private var directory = TraceDirectory(names: [])
    private var slots: [Int32] = []
    private var stories: [SessionStory] = []
    private var totals = SessionTotals()
    private var checks = SessionInvariants()

    /// By kind, about whom a record is.
    private static let filings: [Filing] = {
        var filings = TraceKind.descriptions.map { _ in Filing.unused }
        let own: [TraceKind] = [
            .appLaunched, .appTerminated, .sceneChanged, .statusShown, .pathLost, .pathUsable,
            .tokenRequested, .tokenAnswered, .connectBegan, .connectEnded, .roomLeft,
            .roomDisconnected, .lossDetected, .attemptBegan, .attemptSignalled, .attemptConnected,
            .attemptEnded, .offlineHandedOver, .offlineTakenBack, .offlineEnded, .userActed,
            .answerHeard,
        ]
        own.forEach { filings[Int($0.place)] = .component }
        let others: [TraceKind] = [
            .speechBegan, .speechEnded, .agentJoined, .agentClosed, .answerBegan, .answerEnded,
            .faultBegan,
        ]
        others.forEach { filings[Int($0.place)] = .subject }
        return filings
    }()

    mutating func begin(_ directory: TraceDirectory) {
        self = SessionMeter()
        self.directory = directory
        slots = Array(repeating: -1, count: directory.names.count)
    }

    /// The metrics, in the order of the catalogue; complete after `run.ended`.
    var metrics: [MetricResult] { totals.results }

    /// The invariants, in the order of the catalogue; complete after `run.ended`.
    var invariants: [InvariantResult] { checks.results }

    /// Takes a record that `position` records of its run came before.
    mutating func record(_ record: TraceRecord, position: Int) {
        switch record.kind {
        case .voiceHeard:
            let (captured, heard) = (record.values[1], record.values[2])
            withLine(of: record) { $0.frame(captured: captured, heard: heard) }
        case .audioFlowing:
            let (captured, heard) = (record.values[1], record.values[2])
            withLine(of: record) { $0.flows(captured: captured, heard: heard) }
        case .audioStopped:
            let captured = record.values[1]
            withLine(of: record) { $0.stops(captured: captured) }
        case .runEnded:
            end(at: record.instant.nanoseconds)
        default:
            file(record, position)
        }
    }

    private mutating func withLine(of record: TraceRecord, _ change: (inout AudioLine) -> Void) {
        guard let slot = slot(of: record.component) else { return }
        if record.values[0] == 0 {
            change(&stories[slot].fromPhone)
        } else {
            change(&stories[slot].toPhone)
        }
    }

    private mutating func file(_ record: TraceRecord, _ position: Int) {
        let filing = Self.filings[Int(record.kind.place)]
        guard filing != .unused else { return }
        let phone = filing == .component ? record.component : record.subject
        // What others do concerns a session only if there is one.
        if filing == .component, slot(of: phone) == nil, Int(phone.place) < slots.count {
            slots[Int(phone.place)] = Int32(stories.count)
            stories.append(SessionStory())
        }
        guard let slot = slot(of: phone) else { return }
        stories[slot].entries.append(SessionStory.Entry(record: record, position: position))
    }

    private func slot(of component: ComponentIndex) -> Int? {
        let place = Int(component.place)
        guard place < slots.count, slots[place] >= 0 else { return nil }
        return Int(slots[place])
    }

    private mutating func end(at instant: Int64) {
        let readings = stories.map { story in
            var story = story
            story.fromPhone.end(at: instant)
            story.toPhone.end(at: instant)
            return SessionReading(story, end: instant)
        }
        stories = []
        slots = slots.map { _ in -1 }
        totals.add(readings)
        checks.check(readings, directory)
    }
}
