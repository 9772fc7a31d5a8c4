import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import RealtimeVoice
import SansIO

/// Tells a session of which everything is known.
struct SessionTelling {
    let reading: SessionReading
    let app: ComponentIndex

    private var requests = NarratedRequests()
    /// When an attempt last succeeded since the launch; what led to it explains nothing any more.
    private var succeeded: Instant?
    /// The latest trouble of the path, until everything that it led to is over.
    var lost: Instant?
    var usable: Instant?
    /// When the path was lost in the latest trouble that seems to be over.
    private var overcome: Instant?
    private var attempt: NarratedAttempt?
    private var wait: Int64?
    /// What led to the user's wish to be heard, until that is so.
    var asked: Sentence.Cause?
    /// Whether the app has shown that it does nothing more until the user asks anew.
    private var hasGivenUp = false
    /// When the app last noticed a loss, and what was said of it.
    private var notice: (at: Instant, text: String)?
    /// What was said of the room that was left last.
    private var leaving: String?
    var hearing = Hearing()

    /// Begins to tell what was read, of an app.
    init(_ reading: SessionReading, of app: ComponentIndex) {
        self.reading = reading
        self.app = app
    }

    /// Tells moments, in the order of time.
    mutating func tell(_ moments: [NarratedSession.Moment], in narration: inout Narration) {
        for moment in moments {
            let instant = Instant(nanoseconds: moment.at)
            narration.position = moment.position
            switch moment.event {
            case .record(let record): follow(record, in: &narration)
            case .silence(let direction, let isJoint):
                stop(direction, at: instant, isJoint: isJoint, in: &narration)
            case .voice(let direction): hear(direction, at: instant, in: &narration)
            }
            settle()
        }
    }

    private mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        switch record.kind {
        case AppLaunched.kind: launch(record, in: narration)
        case AppTerminated.kind: (attempt, wait) = (nil, nil)
        case PathLost.kind: (lost, usable) = (record.instant, nil)
        case PathUsable.kind: usable = record.instant
        case UserActed.kind, PhoneCallHeld.kind: ask(record)
        case StatusShown.kind:
            let stage = StatusShown(record).stage.value
            requests.show(stage)
            hasGivenUp = stage?.isFinal ?? false
            // From here on it is the user who is waited for.
            if stage == .signedOut, !hearing.wasMutual { asked = nil }
            guard let text = stage?.sentence(narration.app(app)) else { return }
            narration.say(text, of: app, at: record.instant)
        case TokenRequested.kind:
            let isForToken = requests.begin(TokenRequested(record), at: record.instant)
            if isForToken, isAway { askForToken(record, in: &narration) }
        case TokenAnswered.kind:
            let (answered, name) = (TokenAnswered(record), narration.app(app))
            let text = requests.end(answered, at: record.instant, of: name)
            if let text { say(text, record, in: &narration) }
        case LossDetected.kind: detectLoss(record, in: &narration)
        case RoomLeft.kind: leave(record, in: &narration)
        case RoomDisconnected.kind:
            wait = nil
            guard let error = RoomDisconnected(record).error.value else { return }
            say("the room object gives up: \(error.sentence)", record, in: &narration)
        case AttemptBegan.kind: begin(record, in: &narration)
        case AttemptEnded.kind: end(record, in: &narration)
        case AttemptWaiting.kind: wait = AttemptWaiting(record).durationNanoseconds
        default: break
        }
    }

    /// Whether voice has passed and no longer does.
    private var isAway: Bool { hearing.wasMutual && hearing.silentSince != nil }

    private var isPathAway: Bool { lost != nil && usable == nil }

    /// Lets the path's trouble explain nothing any more once nothing that it led to is under way.
    private mutating func settle() {
        guard succeeded != nil, !isPathAway, hearing.silentSince == nil, attempt == nil, wait == nil
        else { return }
        overcome = lost ?? overcome
        (lost, usable) = (nil, nil)
    }

    /// The latest thing that explains how long something took, if anything that is not over does.
    private var cause: Sentence.Cause? {
        let isOver = asked.map { asked in succeeded.map { asked.at <= $0 } ?? false } ?? true
        return Self.latest([
            usable.map { Sentence.Cause(at: $0, "the path was back") },
            lost.map { Sentence.Cause(at: $0, "the path was lost") },
            // What the user wants comes to nothing without a path.
            isOver || isPathAway && hearing.wasMutual ? nil : asked,
            stopped.map { Sentence.Cause(at: $0, "the voice stopped") },
        ])
    }

    /// When the voice stopped, unless it went with the path: a little later at the ear.
    private var stopped: Instant? {
        guard let silentSince = hearing.silentSince, let lost else { return hearing.silentSince }
        let delay = lost.duration(to: silentSince).wholeNanoseconds
        return (0...AudioLine.delayMax).contains(delay) ? nil : silentSince
    }

    /// The latest of some causes, of those at one instant the first.
    static func latest(_ causes: [Sentence.Cause?]) -> Sentence.Cause? {
        causes.compactMap(\.self).max { $0.at < $1.at }
    }

    private func say(_ text: String, _ record: TraceRecord, in narration: inout Narration) {
        let cause = cause.flatMap { $0.at < record.instant ? $0 : nil }
        narration.say(text, of: app, at: record.instant, after: cause)
    }
}

// MARK: - What the user wants

extension SessionTelling {
    private mutating func launch(_ record: TraceRecord, in narration: Narration) {
        (attempt, wait, succeeded, notice, hasGivenUp) = (nil, nil, nil, nil, false)
        requests = NarratedRequests()
        asked = Sentence.Cause(at: record.instant, "\(narration.app(app)) was launched")
    }

    /// The user may want to be heard from now on, while that is not so.
    private mutating func ask(_ record: TraceRecord) {
        let text: String?
        switch record.kind {
        case UserActed.kind:
            let act = UserActed(record).action
            if act == .signIn { requests.signIn(at: record.instant) }
            text = act.resumption
        default: text = "the phone call gave way"
        }
        // What is asked for once more is no news before it was ever had, or was refused.
        guard let text, hearing.sides.count < 2,
            hearing.wasMutual || hasGivenUp || beginsWish(record.instant)
        else { return }
        asked = Sentence.Cause(at: record.instant, text)
    }

    private func beginsWish(_ instant: Instant) -> Bool {
        reading.wishes.wishes.contains { $0.span.start == instant.nanoseconds }
    }
}

// MARK: - Rooms and attempts

extension SessionTelling {
    /// What is longer ago is not what pings and timers find out, in nanoseconds.
    private static let noticeMax: Int64 = 30_000_000_000

    /// Pings and timers find out after the voice is back that the path was gone.
    private mutating func detectLoss(_ record: TraceRecord, in narration: inout Narration) {
        let detection = LossDetected(record).cause
        let text = "\(narration.app(app)) notices: \(detection.sentence)"
        notice = (record.instant, text)
        let isSlow = detection.value == .signalPingTimeout || detection.value == .transport
        guard isSlow, cause == nil, let overcome,
            overcome.duration(to: record.instant).wholeNanoseconds <= Self.noticeMax
        else { return say(text, record, in: &narration) }
        let loss = Sentence.Cause(at: overcome, "the path was lost")
        narration.say(text, of: app, at: record.instant, after: loss)
    }

    private mutating func leave(_ record: TraceRecord, in narration: inout Narration) {
        wait = nil
        leaving = nil
        guard isAway else { return }
        let manner = RoomLeft(record).manner.value
        let text =
            narration.app(app)
            + (manner == .disconnect ? " leaves its room" : " lets go of its room object")
        leaving = text
        say(text, record, in: &narration)
    }

    private func askForToken(_ record: TraceRecord, in narration: inout Narration) {
        guard let leaving else { return }
        _ = narration.amend(
            "\(leaving) and asks for a new token",
            insteadOf: leaving,
            of: app,
            at: record.instant
        )
    }

    private mutating func begin(_ record: TraceRecord, in narration: inout Narration) {
        let began = AttemptBegan(record)
        let attempt = NarratedAttempt(
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
                "\(notice.text); \(attempt.newName) begins",
                insteadOf: notice.text,
                of: app,
                at: record.instant
            )
        {
            return
        }
        say("\(attempt.newName) begins\(waited)", record, in: &narration)
    }

    /// An attempt that the weather had doomed before it cleared costs its whole time-out: said so.
    private mutating func end(_ record: TraceRecord, in narration: inout Narration) {
        let ended = AttemptEnded(record)
        guard let attempt, attempt.room == ended.room else { return }
        self.attempt = nil
        guard let value = ended.failure.value else {
            if attempt.isTold { say("\(attempt.name) succeeds", record, in: &narration) }
            succeeded = record.instant
            return
        }
        let reason = value.sentence(narration.app(app))
        let took = attempt.began.duration(to: record.instant).wholeNanoseconds
        if value.isTimeout, let usable, attempt.began < usable {
            return say(
                "\(attempt.shortName) had begun \(attempt.began.length(to: usable)) too early and "
                    + "waited out its \(took.lengthText): \(reason)",
                record,
                in: &narration
            )
        }
        let length = took > 0 ? " after \(took.lengthText)" : " at once"
        say("\(attempt.name) fails\(length): \(reason)", record, in: &narration)
    }
}

extension Instant {
    /// How long after this instant another lies, for people.
    func length(to other: Instant) -> String {
        duration(to: other).wholeNanoseconds.lengthText
    }
}
