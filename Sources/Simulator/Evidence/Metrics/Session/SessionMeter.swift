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
    private var filings = KindTable<Filing>()

    /// What is about the phone that it happens to.
    private static let own: [any TraceForm.Type] = [
        AppLaunched.self, AppTerminated.self, SceneChanged.self, StatusShown.self, PathLost.self,
        PathUsable.self, TokenRequested.self, TokenAnswered.self, ConnectBegan.self,
        ConnectEnded.self, RoomLeft.self, RoomDisconnected.self, LossDetected.self,
        AttemptBegan.self, AttemptSignalled.self, AttemptConnected.self, AttemptEnded.self,
        OfflineHandedOver.self, OfflineTakenBack.self, OfflineEnded.self, UserActed.self,
        AnswerHeard.self,
    ]
    /// What others do, about the phone that it concerns.
    private static let others: [any TraceForm.Type] = [
        SpeechBegan.self, SpeechEnded.self, AgentJoined.self, AgentClosed.self, AnswerBegan.self,
        AnswerEnded.self, FaultBegan.self,
    ]
    /// What it measures; other records change nothing.
    static let forms: [any TraceForm.Type] =
        own + others + [VoiceHeard.self, AudioFlowing.self, AudioStopped.self, RunEnded.self]

    mutating func begin(_ directory: TraceDirectory) {
        self = SessionMeter()
        self.directory = directory
        filings = KindTable(directory.forms, repeating: .unused)
        for form in Self.own { filings[form.kind] = .component }
        for form in Self.others { filings[form.kind] = .subject }
        slots = Array(repeating: -1, count: directory.names.count)
    }

    /// The metrics, in the order of the catalogue; complete after `run.ended`.
    var metrics: [MetricResult] { totals.results }

    /// The invariants, in the order of the catalogue; complete after `run.ended`.
    var invariants: [InvariantResult] { checks.results }

    /// Takes a record that `position` records of its run came before.
    mutating func record(_ record: TraceRecord, position: Int) {
        switch record.kind {
        case VoiceHeard.kind:
            let voice = VoiceHeard(record)
            let (captured, heard) = (voice.captured.nanoseconds, voice.heard.nanoseconds)
            withLine(voice.direction, of: record) { $0.frame(captured: captured, heard: heard) }
        case AudioFlowing.kind:
            let flow = AudioFlowing(record)
            let (captured, heard) = (flow.captured.nanoseconds, flow.heard.nanoseconds)
            withLine(flow.direction, of: record) { $0.flows(captured: captured, heard: heard) }
        case AudioStopped.kind:
            let stop = AudioStopped(record)
            withLine(stop.direction, of: record) { $0.stops(captured: stop.captured.nanoseconds) }
        case RunEnded.kind:
            end(at: record.instant.nanoseconds)
        default:
            file(record, position)
        }
    }

    private mutating func withLine(
        _ direction: TraceWord<VoiceDirection>,
        of record: TraceRecord,
        _ change: (inout AudioLine) -> Void
    ) {
        guard let slot = slot(of: record.component) else { return }
        switch direction.value {
        case .fromPhone: change(&stories[slot].fromPhone)
        case .toPhone, nil: change(&stories[slot].toPhone)
        }
    }

    private mutating func file(_ record: TraceRecord, _ position: Int) {
        let filing = filings[record.kind]
        guard filing != .unused else { return }
        let phone = filing == .component ? record.component : record.subject
        // What others do concerns a session only if there is one.
        if filing == .component, slot(of: phone) == nil, Int(phone.index) < slots.count {
            slots[Int(phone.index)] = Int32(stories.count)
            stories.append(SessionStory())
        }
        guard let slot = slot(of: phone) else { return }
        stories[slot].entries.append(SessionStory.Entry(record: record, position: position))
    }

    private func slot(of component: ComponentIndex) -> Int? {
        let index = Int(component.index)
        guard index < slots.count, slots[index] >= 0 else { return nil }
        return Int(slots[index])
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
