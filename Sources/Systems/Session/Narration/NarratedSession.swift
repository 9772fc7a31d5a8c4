import KodamaEvidence
import SansIO

/// What the narrator of sessions keeps of one app.
///
/// It is told when there are no more records: only then is it known which voice was heard in time,
/// and when the user wanted to be heard.
struct NarratedSession: Sendable {
    /// The records that concern a session.
    static let kinds: Set<TraceKind> = [
        PathLost.kind, PathUsable.kind, AppLaunched.kind, AppTerminated.kind, SceneChanged.kind,
        StatusShown.kind, TokenRequested.kind, TokenAnswered.kind, ConnectBegan.kind,
        ConnectEnded.kind, RoomLeft.kind, RoomDisconnected.kind, LossDetected.kind,
        AttemptBegan.kind, AttemptSignalled.kind, AttemptConnected.kind, AttemptEnded.kind,
        AttemptWaiting.kind, UserActed.kind, PhoneCallHeld.kind, FaultBegan.kind,
    ]

    /// Something of a session: a record, or voice that comes and goes.
    struct Moment: Sendable {
        enum Event: Sendable {
            case record(TraceRecord)
            /// One side is heard no more; with `isJoint` the other side neither in a moment.
            case silence(VoiceDirection, isJoint: Bool)
            /// One side is heard, or nobody is to hear it any more.
            case voice(VoiceDirection)
        }

        var at: Int64
        var position: Int
        var event: Event
    }

    private var entries: [SessionStory.Entry] = []
    private var fromPhone = NarratedVoice()
    private var toPhone = NarratedVoice()

    /// Keeps a record, before which so many others came.
    mutating func file(_ record: TraceRecord, _ position: Int) {
        entries.append(SessionStory.Entry(record: record, position: position))
    }

    /// Follows the voice, which is far too much to keep.
    mutating func hear(_ record: TraceRecord, _ position: Int) {
        switch record.kind {
        case VoiceHeard.kind:
            let voice = VoiceHeard(record)
            withVoice(voice.direction) { $0.frame(voice) }
        case AudioFlowing.kind:
            let flow = AudioFlowing(record)
            withVoice(flow.direction) { $0.flows(flow) }
        default:
            let stop = AudioStopped(record)
            withVoice(stop.direction) { $0.stops(stop, at: record.instant, position: position) }
        }
    }

    private mutating func withVoice(
        _ direction: TraceWord<VoiceDirection>,
        _ change: (inout NarratedVoice) -> Void
    ) {
        switch direction.value {
        case .fromPhone: change(&fromPhone)
        case .toPhone, nil: change(&toPhone)
        }
    }

    /// Tells all of it.
    ///
    /// - Parameters:
    ///   - phone: The phone.
    ///   - instant: When the last record came.
    ///   - isWhole: Whether the run was over then, and what is missing is still missing.
    ///   - narration: Where the sentences go.
    func tell(
        of phone: ComponentIndex,
        until instant: Instant,
        isWhole: Bool,
        in narration: inout Narration
    ) {
        var (mine, theirs) = (fromPhone, toPhone)
        mine.end(at: instant)
        theirs.end(at: instant)
        var story = SessionStory(of: phone)
        story.entries = entries
        (story.fromPhone, story.toPhone) = (mine.line, theirs.line)
        let reading = SessionReading(story, end: instant.nanoseconds)
        var moments = entries.map {
            Moment(at: $0.instant, position: $0.position, event: .record($0.record))
        }
        moments += Self.moments(mine.silences(except: reading.wishes.muted), .fromPhone)
        moments += Self.moments(theirs.silences(), .toPhone)
        var telling = SessionTelling(reading, of: app ?? phone)
        telling.tell(Self.ordered(moments), in: &narration)
        if isWhole { telling.end(at: instant, in: &narration) }
    }

    /// The app that the session is of; none is known if nothing but its phone was in the story.
    private var app: ComponentIndex? {
        entries.first { entry in
            ![UserActed.kind, PhoneCallHeld.kind, FaultBegan.kind].contains(entry.kind)
        }?.record.component
    }

    private static func moments(
        _ silences: [NarratedVoice.Silence],
        _ direction: VoiceDirection
    ) -> [Moment] {
        silences.flatMap { silence -> [Moment] in
            let stop = Moment(
                at: silence.start,
                position: silence.position,
                event: .silence(direction, isJoint: false)
            )
            let back = Moment(at: silence.end, position: .max, event: .voice(direction))
            return (silence.start > Span.past ? [stop] : [])
                + (silence.end < Span.future ? [back] : [])
        }
    }

    /// Moments in the order of time, in which one silence may be known to be both sides'.
    private static func ordered(_ moments: [Moment]) -> [Moment] {
        var ordered = moments.enumerated()
            .sorted { left, right in
                (left.element.at, left.element.position, left.offset)
                    < (right.element.at, right.element.position, right.offset)
            }
            .map(\.element)
        for index in ordered.indices {
            guard case .silence(let direction, _) = ordered[index].event else { continue }
            let isJoint = silencesOther(than: direction, after: index, in: ordered)
            ordered[index].event = .silence(direction, isJoint: isJoint)
        }
        return ordered
    }

    /// Whether the other side falls silent too, before this one is heard again and so soon that it
    /// is one loss.
    private static func silencesOther(
        than direction: VoiceDirection,
        after index: Int,
        in moments: [Moment]
    ) -> Bool {
        for moment in moments[(index + 1)...] {
            guard moment.at - moments[index].at <= AudioLine.missingMin else { return false }
            switch moment.event {
            case .silence(let other, _) where other != direction: return true
            case .voice(let other) where other == direction: return false
            case .silence, .voice, .record: continue
            }
        }
        return false
    }
}
