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

    private var entries: [SessionStory.Entry] = []
    private var launched: Instant?
    private var lost: Instant?
    private var usable: Instant?
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

    mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        entries.append(SessionStory.Entry(record: record, position: entries.count))
        switch record.kind {
        case AppLaunched.kind: self = Self(restartedAt: record.instant, like: self)
        case PathLost.kind: (lost, usable) = (record.instant, nil)
        case PathUsable.kind: usable = record.instant
        case LossDetected.kind:
            let text = "the app notices: \(Self.notice(LossDetected(record).cause))"
            notice = (record.instant, text)
            say(text, record, in: &narration)
        case RoomLeft.kind where isAway: say(Self.leaving, record, in: &narration)
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
            say("the app gets no token: \(Self.words(outcome))", record, in: &narration)
        case RoomDisconnected.kind:
            let error = RoomDisconnected(record).error
            guard error.value != nil else { return }
            say("the room object gives up: \(error.spoken)", record, in: &narration)
        case StatusShown.kind: show(record, in: &narration)
        case AudioStopped.kind: stop(record, in: &narration)
        case AudioFlowing.kind: flow(record, in: &narration)
        default: break
        }
    }

    /// The run ends: says what was still missing.
    mutating func end(of app: ComponentIndex, at instant: Instant, in narration: inout Narration) {
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
        silentSince = other.silentSince
        entries = other.entries
    }

    /// The latest thing that explains how long something took.
    private var cause: Sentence.Cause? {
        if let usable { return Sentence.Cause(at: usable, "the path was back") }
        if let lost { return Sentence.Cause(at: lost, "the path was lost") }
        if let silentSince { return Sentence.Cause(at: silentSince, "the voice stopped") }
        return launched.map { Sentence.Cause(at: $0, "the app was launched") }
    }

    private func say(_ text: String, _ record: TraceRecord, in narration: inout Narration) {
        let cause = cause.flatMap { $0.at < record.instant ? $0 : nil }
        narration.say(text, of: record.component, at: record.instant, after: cause)
    }

    private mutating func begin(_ record: TraceRecord, in narration: inout Narration) {
        let began = AttemptBegan(record)
        let attempt = Attempt(
            began: record.instant,
            number: began.number,
            kind: began.attempt.value ?? .connect,
            isTold: isAway || began.number > 1 || began.attempt.value != .connect
        )
        self.attempt = attempt
        guard attempt.isTold else { return }
        let waited = wait.map { " after a wait of \($0.lengthText)" } ?? ""
        wait = nil
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
        let failure = AttemptEnded(record).failure
        guard let attempt else { return }
        self.attempt = nil
        guard let value = failure.value else {
            guard attempt.isTold else { return }
            return say("\(attempt.name) succeeds", record, in: &narration)
        }
        let reason = Self.words(of: value)
        let took = attempt.began.duration(to: record.instant).wholeNanoseconds
        if let usable, attempt.began < usable {
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
        let text: String
        switch StatusShown(record).stage.value {
        case .couldNotConnect: text = "the app says that it could not connect, and goes on trying"
        case .tokenFailed: text = "the app says that it has no token"
        case .signedOut: text = "the app asks the user to sign in"
        case .microphoneRefused: text = "the app may not use the microphone"
        case .engineFailed: text = "the voice engine cannot be started"
        case .deviceIdentityFailed: text = "the device's identity cannot be had"
        case .takenOver: text = "the app says that the conversation was taken over, and stops"
        case .audioTaken: text = "the app says that a call or another app has the audio"
        case .disconnected: text = "the app says that it is disconnected"
        default: return
        }
        narration.say(text, of: record.component, at: record.instant)
    }

    // MARK: Voice

    private static let both = "no voice passes any more"

    private mutating func stop(_ record: TraceRecord, in narration: inout Narration) {
        let stopped = AudioStopped(record)
        guard heard.removeValue(forKey: stopped.direction.number) != nil else { return }
        if silentSince == nil { silentSince = record.instant }
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
            (lost, usable, silentSince, resumption) = (nil, nil, nil, nil)
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
        let spent = spent(
            Span(start: start.nanoseconds, end: last.nanoseconds),
            usable == start
                ? "since the path was back"
                : resumption.flatMap { $0.at == start ? "since \($0.text)" : nil } ?? "that time"
        )
        let away = silentSince.duration(to: last).wholeNanoseconds.lengthText
        let back = usable.map { Sentence.Cause(at: $0, "the path was back") }
        let since = [back, resumption].compactMap(\.self).max { $0.at < $1.at }
        let afterStop = Sentence.Cause(at: silentSince, "the voice stopped")
        let silence = since == nil ? "" : ", \(away) after the voice stopped"
        narration.say(
            "user and agent hear each other again\(silence)\(spent)",
            of: record.component,
            at: last,
            after: since.flatMap { $0.at < last ? $0 : nil } ?? afterStop
        )
    }

    /// What the time went into, longest first.
    private func spent(_ span: Span, _ what: String) -> String {
        let parts = ReconnectActivity(entries).parts(of: span)
        let shares = ReconnectPart.allCases.map { (part: $0, time: parts[$0.rawValue]) }
            .filter { $0.time >= 1_000_000 }
            .sorted { $0.time > $1.time }
        guard !shares.isEmpty else { return "" }
        guard shares.map(\.part) != [.selfHealed] else { return "; the connection had stayed up" }
        let list = shares.map { "\($0.time.lengthText) \($0.part.spoken)" }
        return "; \(what): " + list.joined(separator: ", ")
    }

    // MARK: Words

    private static func notice(_ cause: TraceWord<DetectionCause>) -> String {
        switch cause.value {
        case .signalClosed: "its signal connection was closed"
        case .signalPingTimeout: "its pings stay unanswered"
        case .transport: "its media transport is disconnected"
        case .serverLeave: "the server tells it to leave"
        case nil: cause.spoken
        }
    }

    private static func words(of failure: AttemptFailure) -> String {
        switch failure {
        case .offline: "there is no network"
        case .socketTimeout: "the socket does not open in time"
        case .joinTimeout: "the socket opens, but the server says nothing in time"
        case .refused: "the server refuses"
        case .serverLeave: "the server tells it to leave and join anew"
        case .socketBroken: "the socket breaks"
        case .transportTimeout: "media does not connect in time"
        case .cancelled: "the app gives it up"
        }
    }

    private static func words(_ outcome: TraceWord<TokenFailure>) -> String {
        switch outcome.value {
        case .malformed: "the answer cannot be read"
        case .connectionLost: "the connection breaks"
        case .timedOut: "no answer comes in time"
        case .offline: "there is no network"
        case nil: "HTTP \(outcome.number)"
        }
    }
}

extension ReconnectPart {
    /// What the time went into, after a length of time.
    fileprivate var spoken: String {
        switch self {
        case .detection: "until it was noticed"
        case .waiting: "waiting between attempts"
        case .failedQuick: "in attempts to resume that failed"
        case .failedFull: "in attempts to connect anew that failed"
        case .failedConnect: "in connects that failed"
        case .token: "for a token"
        case .signalling: "for signalling"
        case .media: "until media was connected"
        case .audible: "until the first voice was heard"
        case .selfHealed: "in which nothing was done"
        }
    }
}
