import KodamaEvidence
import SansIO

/// Keeps the story of each phone's session, and measures and checks it when the run has ended.
///
/// Only then is it known whether a frame is still heard in time, whether an attempt succeeds and when
/// the path comes back. Memory grows with what happens to sessions, never with frames.
struct SessionMeter: SystemMeter {
    /// What is done with a record.
    private enum Filing {
        case unused
        /// It is measured as it comes.
        case measured
        /// It is kept in the story of the phone that it happens to.
        case component
        /// It is kept in the story of the phone that it concerns.
        case subject
    }

    private var slots: [Int32]
    private var stories: [SessionStory] = []
    private var measures = SessionMeasures()
    /// When what several phones share befell them.
    private var causes = SharedCauses()
    /// What the world took away that a session needs.
    private var conditions: Conditions
    private var checks = SessionInvariants()
    private var turns = TurnTakingMeter()

    /// How the names of its apps end.
    private static let appSuffix = ".session"

    /// When a link carried nothing, or held everything back for longer than a conversation bears.
    private var stopped: [ComponentIndex: [Span]] = [:]

    /// What is done with records, by kind.
    private let filings: KindTable<Filing>

    /// What is about the phone that it happens to.
    private static let own: [any TraceForm.Type] = [
        AppLaunched.self, AppTerminated.self, SceneChanged.self, StatusShown.self, PathLost.self,
        PathUsable.self, TokenRequested.self, TokenAnswered.self, ConnectBegan.self,
        ConnectEnded.self, RoomLeft.self, RoomDisconnected.self, LossDetected.self,
        AttemptBegan.self, AttemptSignalled.self, AttemptConnected.self, AttemptEnded.self,
        OfflineHandedOver.self, OfflineTakenBack.self, OfflineEnded.self, UserActed.self,
        AnswerHeard.self, ProbeSent.self, SoundOrdered.self, SoundTaken.self,
        RoomLacking.self, PhoneCallHeld.self, MicrophoneChanged.self, SignInShown.self,
    ]
    /// What others do, about the phone that it concerns.
    private static let others: [any TraceForm.Type] = [
        SpeechBegan.self, SpeechEnded.self, AgentJoined.self, AgentClosed.self, AnswerBegan.self,
        AnswerEnded.self, FaultBegan.self,
    ]
    /// What is measured as it comes.
    private static let heard: [any TraceForm.Type] = [
        VoiceHeard.self, AudioFlowing.self, AudioStopped.self, FaultEnded.self,
        CallAudioChanged.self, RunEnded.self, SoundOpened.self, SoundMadeUp.self,
        Interjected.self, AgentFellSilent.self, LinkChanged.self,
    ]

    /// The phone that each component is or belongs to; none for an app of another system.
    private let owners: [ComponentIndex]
    /// The Wi-Fi radio of each component that is a phone with one.
    private let wifis: [ComponentIndex?]

    init(_ directory: TraceDirectory) {
        var filings = KindTable(directory.forms, repeating: Filing.unused)
        for form in Self.own { filings[form.kind] = .component }
        for form in Self.others { filings[form.kind] = .subject }
        for form in Self.heard { filings[form.kind] = .measured }
        self.filings = filings
        conditions = Conditions(directory)
        let names = directory.names
        owners = zip(directory.owners, names.indices).map { owner, index in
            let isForeign = Int(owner.index) != index && !names[index].hasSuffix(Self.appSuffix)
            return isForeign ? .none : owner
        }
        let places = Dictionary(zip(names, names.indices)) { first, _ in first }
        wifis = names.map { places["\($0)/wifi"].map { ComponentIndex($0) } }
        slots = Array(repeating: -1, count: owners.count)
    }

    var metrics: [any AnyMeasure] { measures.all + turns.metrics }

    var invariants: [Invariant] { checks.all }

    mutating func record(contentsOf records: [TraceRecord], from position: Int) {
        for (offset, record) in records.enumerated() {
            switch filings[record.kind] {
            case .unused: break
            case .measured: measure(record)
            case .component:
                follow(condition: record)
                guard isOwn(record) else { break }
                openStory(of: record.component)
                file(record, about: record.component, position + offset)
            case .subject:
                follow(condition: record)
                file(record, about: record.subject, position + offset)
            }
        }
    }

    /// Whether it is the session's: what a user does to another app of the phone is not.
    private func isOwn(_ record: TraceRecord) -> Bool {
        guard record.kind == UserActed.kind, record.subject != .none else { return true }
        return owners[Int(record.subject.index)] != .none
    }

    /// Something may have been taken away, or given back, that sessions need.
    private mutating func follow(condition record: TraceRecord) {
        let index = Int(record.component.index)
        let phone = owners.indices.contains(index) ? owners[index] : .none
        causes.take(record, of: phone, conditions.take(record), conditions)
    }

    private mutating func measure(_ record: TraceRecord) {
        switch record.kind {
        case VoiceHeard.kind:
            let voice = VoiceHeard(record)
            let (captured, heard) = (voice.captured.nanoseconds, voice.heard.nanoseconds)
            withLine(voice.direction, of: record) { $0.frame(captured: captured, heard: heard) }
            withSound(of: record) { sound, measures in
                guard sound.play(voice), voice.speech.isSet else { return }
                let isOfAgent = voice.direction.value == .toPhone
                measures.sound.played(
                    voice,
                    by: isOfAgent ? record.component : record.subject,
                    of: isOfAgent ? record.subject : record.component,
                    record
                )
            }
        case AudioFlowing.kind:
            let flow = AudioFlowing(record)
            let (captured, heard) = (flow.captured.nanoseconds, flow.heard.nanoseconds)
            withLine(flow.direction, of: record) { $0.flows(captured: captured, heard: heard) }
        case AudioStopped.kind:
            let stop = AudioStopped(record)
            withLine(stop.direction, of: record) { $0.stops(captured: stop.captured.nanoseconds) }
        case FaultEnded.kind, CallAudioChanged.kind: follow(condition: record)
        case SoundOpened.kind:
            withSound(of: record) { sound, _ in sound.open(SoundOpened(record), to: record.subject)
            }
        case SoundMadeUp.kind:
            withSound(of: record) { sound, _ in sound.makeUp(SoundMadeUp(record)) }
        case Interjected.kind, AgentFellSilent.kind: turns.take(record)
        case LinkChanged.kind: stop(record)
        default:
            end(at: record.instant.nanoseconds)
        }
    }

    /// A link stops, or holds everything back.
    private mutating func stop(_ record: TraceRecord) {
        let change = LinkChanged(record)
        let isHeld = change.disruption.value == .jammed
        guard change.disruption.value == .stopped || isHeld,
            !isHeld || change.parameter > AudioLine.longestDelayMax
        else { return }
        let start = record.instant.nanoseconds
        let span = Span(start: start, end: start + change.parameter)
        stopped[record.component, default: []].append(span)
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

    private mutating func withSound(
        of record: TraceRecord,
        _ change: (inout SoundPair, inout SessionMeasures) -> Void
    ) {
        guard let slot = slot(of: record.component) else { return }
        change(&stories[slot].sound, &measures)
    }

    private mutating func openStory(of phone: ComponentIndex) {
        guard slot(of: phone) == nil, Int(phone.index) < owners.count,
            owners[Int(phone.index)] != .none
        else { return }
        let owner = owners[Int(phone.index)]
        slots[Int(owner.index)] = Int32(stories.count)
        stories.append(SessionStory(of: owner))
    }

    /// Keeps a record in a phone's story; what others do concerns a session only if there is one.
    private mutating func file(
        _ record: TraceRecord,
        about phone: ComponentIndex,
        _ position: Int
    ) {
        guard let slot = slot(of: phone) else { return }
        stories[slot].entries.append(SessionStory.Entry(record: record, position: position))
    }

    private func slot(of component: ComponentIndex) -> Int? {
        let index = Int(component.index)
        guard index < owners.count, owners[index] != .none else { return nil }
        let slot = slots[Int(owners[index].index)]
        return slot < 0 ? nil : Int(slot)
    }

    private mutating func end(at instant: Int64) {
        let readings = stories.map { story in
            var story = story
            story.fromPhone.end(at: instant)
            story.toPhone.end(at: instant)
            story.ownCalls = conditions.without(.sound, of: story.phone, end: instant)
            story.serverGone = conditions.without(.server("api"), end: instant)
            story.serverShut = conditions.without(.admission, end: instant)
            story.portClosed = conditions.without(.signallingPort, end: instant)
            story.keychainFailed = conditions.without(.keychain, of: story.phone, end: instant)
            story.engineFailed = conditions.without(.voice, of: story.phone, end: instant)
            story.agentsAway = conditions.without(.agents, end: instant)
            if let wifi = wifis[Int(story.phone.index)] {
                story.wifiCut = conditions.without(.signalling, of: wifi, end: instant)
                    .union(Spans(stopped[wifi] ?? []))
                    .subtracting(conditions.without(.network, of: wifi, end: instant))
            }
            return SessionReading(story, end: instant)
        }
        stories = []
        stopped = [:]
        slots = slots.map { _ in -1 }
        measures.add(readings, serverReturns: causes.all)
        checks.check(readings)
    }
}
