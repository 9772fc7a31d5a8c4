import KodamaEvidence
import SansIO

// Who is heard in a session, and who is not.

extension SessionTelling {
    /// Which sides are heard.
    struct Hearing {
        var sides: Set<VoiceDirection> = []
        /// Whether both sides have ever been heard.
        var wasMutual = false
        var silentSince: Instant?
        /// When each side was heard last that is heard no more.
        var stops: [VoiceDirection: Instant] = [:]
        /// The side that is heard again while the other is not, and since when.
        var returned: (direction: VoiceDirection, at: Instant)?
        /// Whether what is said of one side's silence waits for the other's.
        var isSilenceOpen = false
    }

    /// The run is over: says what is still missing of what the user wants.
    mutating func end(at instant: Instant, in narration: inout Narration) {
        tellReturn(before: instant, in: &narration)
        guard let absence = reading.absences.last, absence.isOpen,
            absence.end == instant.nanoseconds
        else { return }
        let stopped = hearing.silentSince.map { Sentence.Cause(at: $0, "it stopped") }
        narration.position = .max
        if hearing.wasMutual, hearing.sides.count == 1, let stop = hearing.stops.first {
            return narration.say(
                "the \(Self.name(of: stop.key)) is still not heard",
                of: app,
                at: instant,
                after: Self.latest([asked, Sentence.Cause(at: stop.value, "the voice stopped")])
            )
        }
        narration.say(
            hearing.wasMutual
                ? "the voice is still not back" : "user and agent have not heard each other",
            of: app,
            at: instant,
            after: Self.latest([asked, stopped])
        )
    }

    /// A side is heard no more; both may be at once.
    mutating func stop(
        _ direction: VoiceDirection,
        at instant: Instant,
        isJoint: Bool,
        in narration: inout Narration
    ) {
        tellReturn(before: instant, in: &narration)
        hearing.sides.remove(direction)
        guard hearing.wasMutual else { return }
        hearing.stops[direction] = instant
        if hearing.silentSince == nil {
            hearing.silentSince = instant
            // A path that is back already is not what this silence ends with.
            if usable != nil { (lost, usable) = (nil, nil) }
        }
        let isBoth = hearing.isSilenceOpen && hearing.sides.isEmpty
        hearing.isSilenceOpen = isJoint
        guard !isJoint else { return }
        narration.say(
            isBoth
                ? "no voice passes any more"
                : "the \(Self.name(of: direction)) is heard no more",
            of: app,
            at: instant
        )
    }

    /// A side is heard, or nobody is to hear it because it is muted.
    mutating func hear(
        _ direction: VoiceDirection,
        at instant: Instant,
        in narration: inout Narration
    ) {
        hearing.sides.insert(direction)
        hearing.stops[direction] = nil
        let isMuted = reading.wishes.muted.contains(instant.nanoseconds)
        guard hearing.sides.count == 2 else {
            if hearing.silentSince != nil, !(isMuted && direction == .fromPhone) {
                hearing.returned = (direction, instant)
            }
            return
        }
        tellReturn(before: instant, in: &narration)
        defer {
            (hearing.silentSince, asked) = (nil, nil)
            hearing.wasMutual = true
        }
        let who = isMuted ? "the user hears the agent" : "user and agent hear each other"
        let back = usable.map { Sentence.Cause(at: $0, "the path was back") }
        guard hearing.wasMutual else {
            return narration.say(who, of: app, at: instant, after: Self.latest([back, asked]))
        }
        // The end of a silence that a mute excuses is nothing that anybody hears.
        guard let silentSince = hearing.silentSince, !(isMuted && direction == .fromPhone)
        else { return }
        let stopped = Sentence.Cause(at: silentSince, "the voice stopped")
        let since = Self.latest([back, asked].filter { $0.map { $0.at > silentSince } ?? false })
        let span = Span(
            start: since?.at.nanoseconds ?? silentSince.nanoseconds,
            end: instant.nanoseconds
        )
        let silent = Span(start: silentSince.nanoseconds, end: instant.nanoseconds)
        let silence = silentSince.length(to: instant)
        let length = since == nil ? "" : ", \(silence) after the voice stopped"
        let parts = ReconnectPart.sentence(
            reading.activity.parts(of: span),
            since.map { "since \($0.text)" } ?? "that time",
            stayedUp: reading.activity.attemptCount(in: silent) == 0
        )
        let text = "\(who) again\(length)\(parts)"
        let cause = since.flatMap { $0.at < instant ? $0 : nil } ?? stopped
        narration.say(text, of: app, at: instant, after: cause)
    }

    /// For so long one side is heard before the other as a rule, in nanoseconds.
    private static let usualMax: Int64 = 1_000_000_000

    /// Says that one side was heard again alone, if that lasted.
    private mutating func tellReturn(before end: Instant, in narration: inout Narration) {
        guard let returned = hearing.returned else { return }
        hearing.returned = nil
        guard hearing.wasMutual, returned.at.duration(to: end).wholeNanoseconds >= Self.usualMax
        else { return }
        let other: VoiceDirection = returned.direction == .fromPhone ? .toPhone : .fromPhone
        narration.say(
            "the \(Self.name(of: returned.direction)) is heard again, "
                + "but the \(Self.name(of: other)) is not",
            of: app,
            at: returned.at
        )
    }

    private static func name(of direction: VoiceDirection) -> String {
        direction == .fromPhone ? "user" : "agent"
    }
}
