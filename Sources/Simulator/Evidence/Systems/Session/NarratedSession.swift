import Models
import RealtimeVoice
import SansIO

/// What the narrator of sessions keeps of one app.
struct NarratedSession: Sendable {
    /// The records that concern a session.
    static let kinds: Set<TraceKind> = [
        PathLost.kind, PathUsable.kind, AppLaunched.kind, AppTerminated.kind, StatusShown.kind,
        TokenRequested.kind, TokenAnswered.kind, ConnectBegan.kind, ConnectEnded.kind,
        RoomLeft.kind, RoomDisconnected.kind, LossDetected.kind, AttemptBegan.kind,
        AttemptSignalled.kind, AttemptConnected.kind, AttemptEnded.kind, AttemptWaiting.kind,
        AudioFlowing.kind, AudioStopped.kind,
    ]

    private struct Attempt {
        var began: Instant
        var room: Int64
        var number: Int64
        var kind: AttemptKind
        /// Whether it is told; the first connect of a launch is what everybody expects.
        var isTold: Bool

        var name: String {
            switch kind {
            case .connect: "attempt \(number) to connect"
            case .quick: "attempt \(number) to resume the connection"
            case .full: "attempt \(number) to connect anew"
            }
        }
    }

    /// Voice that is back; into what its time went is known when the run is over.
    private struct Recovery {
        var at: Instant
        var cause: Sentence.Cause
        var text: String
        /// What is split into parts, and what it is called.
        var span: Span
        var what: String
    }

    private var entries: [SessionStory.Entry] = []
    private var launched: Instant?
    /// Whether an attempt has succeeded since the launch, which then explains nothing any more.
    private var hasConnected = false
    /// The latest trouble of the path, until everything that it led to is over.
    private var lost: Instant?
    private var usable: Instant?
    /// When the path was lost in the latest trouble that seems to be over.
    private var overcome: Instant?
    private var attempt: Attempt?
    private var wait: Int64?
    /// What the user did, while no voice passed, to have it again.
    private var resumption: Sentence.Cause?
    /// When the app last noticed a loss, and what was said of it.
    private var notice: (at: Instant, text: String)?
    /// By direction the instant from which on voice is heard.
    private var heard: [Int64: Instant] = [:]
    private var hasHeard = false
    private var silentSince: Instant?
    private var recoveries: [Recovery] = []

    mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        defer { settle() }
        entries.append(SessionStory.Entry(record: record, position: entries.count))
        switch record.kind {
        case AppLaunched.kind: self = Self(restartedAt: record.instant, like: self)
        case PathLost.kind: (lost, usable) = (record.instant, nil)
        case PathUsable.kind: usable = record.instant
        case LossDetected.kind: detectLoss(record, in: &narration)
        case RoomLeft.kind:
            wait = nil
            if isAway { say(Self.leaving, record, in: &narration) }
        case TokenRequested.kind where isAway:
            _ = narration.amend(
                "\(Self.leaving) and asks for a new token",
                insteadOf: Self.leaving,
                of: record.component,
                at: record.instant
            )
        case AttemptBegan.kind: begin(record, in: &narration)
        case AttemptEnded.kind: end(record, in: &narration)
        case AttemptWaiting.kind: wait = AttemptWaiting(record).durationNanoseconds
        case TokenAnswered.kind:
            let outcome = TokenAnswered(record).outcome
            guard outcome.number != 200 else { return }
            say("the app gets no token: \(outcome.sentence)", record, in: &narration)
        case RoomDisconnected.kind:
            wait = nil
            let error = RoomDisconnected(record).error
            guard error.value != nil else { return }
            say("the room object gives up: \(error.spoken)", record, in: &narration)
        case StatusShown.kind: show(record, in: &narration)
        case AudioStopped.kind: stop(record, in: &narration)
        case AudioFlowing.kind: flow(record, in: &narration)
        default: break
        }
    }

    /// The run ends: says into what the time of recoveries went, and what was still missing.
    mutating func end(of app: ComponentIndex, at instant: Instant, in narration: inout Narration) {
        let activity = ReconnectActivity(entries)
        for recovery in recoveries {
            let parts = activity.parts(of: recovery.span)
            let text = recovery.text + ReconnectPart.sentence(parts, recovery.what)
            narration.say(text, of: app, at: recovery.at, after: recovery.cause)
        }
        guard hasHeard, heard.count < 2, let silentSince else { return }
        narration.say(
            "the voice is still not back",
            of: app,
            at: instant,
            after: Sentence.Cause(at: silentSince, "it stopped")
        )
    }

    /// Whether voice has passed and no longer does.
    private var isAway: Bool { hasHeard && silentSince != nil }

    private static let leaving = "the app leaves its room"

    /// The user wants to be heard again.
    mutating func resume(_ cause: Sentence.Cause) {
        if silentSince != nil { resumption = cause }
    }

    init() {}

    private init(restartedAt instant: Instant, like other: Self) {
        launched = instant
        (lost, usable, hasHeard) = (other.lost, other.usable, other.hasHeard)
        (silentSince, resumption) = (other.silentSince, other.resumption)
        (entries, recoveries) = (other.entries, other.recoveries)
    }

    private var isPathAway: Bool { lost != nil && usable == nil }

    /// Lets the path's trouble explain nothing any more once nothing that it led to is under way.
    private mutating func settle() {
        guard hasConnected, !isPathAway, silentSince == nil, attempt == nil, wait == nil else {
            return
        }
        overcome = lost ?? overcome
        (lost, usable) = (nil, nil)
    }

    /// The latest thing that explains how long something took, if anything that is not over does.
    private var cause: Sentence.Cause? {
        let start = hasConnected ? nil : launched
        let causes: [Sentence.Cause?] = [
            usable.map { Sentence.Cause(at: $0, "the path was back") },
            lost.map { Sentence.Cause(at: $0, "the path was lost") },
            // What the user wants comes to nothing without a path.
            isPathAway ? nil : resumption,
            silentSince.map { Sentence.Cause(at: $0, "the voice stopped") },
            start.map { Sentence.Cause(at: $0, "the app was launched") },
        ]
        // Of those at one instant the first.
        return causes.compactMap(\.self).max { $0.at < $1.at }
    }

    private func say(_ text: String, _ record: TraceRecord, in narration: inout Narration) {
        let cause = cause.flatMap { $0.at < record.instant ? $0 : nil }
        narration.say(text, of: record.component, at: record.instant, after: cause)
    }

    /// Pings and timers find out after the voice is back that the path was gone.
    private mutating func detectLoss(_ record: TraceRecord, in narration: inout Narration) {
        let detection = LossDetected(record).cause
        let text = "the app notices: \(detection.sentence)"
        notice = (record.instant, text)
        let isSlow = detection.value == .signalPingTimeout || detection.value == .transport
        guard isSlow, cause == nil, let overcome,
            overcome.duration(to: record.instant).wholeNanoseconds <= Self.noticeMax
        else { return say(text, record, in: &narration) }
        let loss = Sentence.Cause(at: overcome, "the path was lost")
        narration.say(text, of: record.component, at: record.instant, after: loss)
    }

    /// What is longer ago is not what pings and timers find out, in nanoseconds.
    private static let noticeMax: Int64 = 30_000_000_000

    private mutating func begin(_ record: TraceRecord, in narration: inout Narration) {
        let began = AttemptBegan(record)
        let attempt = Attempt(
            began: record.instant,
            room: began.room,
            number: began.number,
            kind: began.attempt.value ?? .connect,
            isTold: isAway || began.number > 1 || began.attempt.value != .connect
        )
        self.attempt = attempt
        let waited = wait.map { " after a wait of \($0.lengthText)" } ?? ""
        wait = nil
        guard attempt.isTold else { return }
        if let notice, notice.at == record.instant,
            narration.amend(
                "\(notice.text); \(attempt.name) begins",
                insteadOf: notice.text,
                of: record.component,
                at: record.instant
            )
        {
            return
        }
        say("\(attempt.name) begins\(waited)", record, in: &narration)
    }

    /// An attempt that the weather had doomed before it cleared costs its whole time-out: said so.
    private mutating func end(_ record: TraceRecord, in narration: inout Narration) {
        let ended = AttemptEnded(record)
        guard let attempt, attempt.room == ended.room else { return }
        self.attempt = nil
        guard let value = ended.failure.value else {
            if attempt.isTold { say("\(attempt.name) succeeds", record, in: &narration) }
            hasConnected = true
            return
        }
        let reason = value.sentence
        let took = attempt.began.duration(to: record.instant).wholeNanoseconds
        if value.isTimeout, let usable, attempt.began < usable {
            let early = attempt.began.duration(to: usable).wholeNanoseconds
            return say(
                "attempt \(attempt.number) had begun \(early.lengthText) too early and "
                    + "waited out its \(took.lengthText): \(reason)",
                record,
                in: &narration
            )
        }
        let length = took > 0 ? " after \(took.lengthText)" : " at once"
        say("\(attempt.name) fails\(length): \(reason)", record, in: &narration)
    }

    private func show(_ record: TraceRecord, in narration: inout Narration) {
        guard let text = StatusShown(record).stage.value?.sentence else { return }
        narration.say(text, of: record.component, at: record.instant)
    }

    // MARK: Voice

    private static let both = "no voice passes any more"

    private mutating func stop(_ record: TraceRecord, in narration: inout Narration) {
        let stopped = AudioStopped(record)
        guard heard.removeValue(forKey: stopped.direction.number) != nil else { return }
        if silentSince == nil {
            silentSince = record.instant
            // A path that is back already is not what this silence ends with.
            if usable != nil { (lost, usable) = (nil, nil) }
        }
        let isAlone = !heard.isEmpty
        let (mine, other) =
            stopped.direction.value == .fromPhone
            ? ("the user is heard no more", "the agent is heard no more")
            : ("the agent is heard no more", "the user is heard no more")
        let isSaid =
            !isAlone
            && narration.amend(
                Self.both,
                insteadOf: other,
                of: record.component,
                at: record.instant
            )
        if !isSaid { narration.say(mine, of: record.component, at: record.instant) }
    }

    private mutating func flow(_ record: TraceRecord, in narration: inout Narration) {
        let flowing = AudioFlowing(record)
        heard[flowing.direction.number] = flowing.heard
        guard heard.count == 2, let last = heard.values.max() else { return }
        defer {
            (silentSince, resumption) = (nil, nil)
            hasHeard = true
        }
        guard hasHeard, let silentSince else {
            guard !hasHeard else { return }
            return narration.say(
                "user and agent hear each other",
                of: record.component,
                at: last,
                after: launched.map { Sentence.Cause(at: $0, "the app was launched") }
            )
        }
        let start = max(usable ?? silentSince, resumption?.at ?? silentSince, silentSince)
        let away = silentSince.duration(to: last).wholeNanoseconds.lengthText
        let back = usable.map { Sentence.Cause(at: $0, "the path was back") }
        let since = [back, resumption].compactMap(\.self).max { $0.at < $1.at }
        let afterStop = Sentence.Cause(at: silentSince, "the voice stopped")
        let silence = since == nil ? "" : ", \(away) after the voice stopped"
        recoveries.append(
            Recovery(
                at: last,
                cause: since.flatMap { $0.at < last ? $0 : nil } ?? afterStop,
                text: "user and agent hear each other again\(silence)",
                span: Span(start: start.nanoseconds, end: last.nanoseconds),
                what: usable == start
                    ? "since the path was back"
                    : resumption.flatMap { $0.at == start ? "since \($0.text)" : nil }
                        ?? "that time"
            )
        )
    }
}
