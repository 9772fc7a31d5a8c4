import SansIO

// A path that a talker leaves for another falls silent as if it had died. What tells the two apart:
// frames come by the other path, so that nobody is unheard and there is time to ask; and a pong by
// this one shows that a frame would have come as well.

extension LinkProbe {
    /// Where pings are answered and no frame has come for so long, frames go by another path.
    static var elsewhereNanoseconds: Int64 { 500_000_000 }
    /// The same where no ping was left unanswered meanwhile: five frames are not lost between them.
    static var leftNanoseconds: Int64 { 5 * VoiceClock.frameNanoseconds }
    /// Frames by the other path that are further apart excuse nothing: it is silent itself.
    static var excuseGapNanoseconds: Int64 { 3 * VoiceClock.frameNanoseconds }
    /// How long a silence may be excused: until two pings at the probing period have been answered.
    ///
    /// Shorter than what makes a path bad: one that stalls while both carry is noticed as before.
    static var excuseNanosecondsMax: Int64 { 300_000_000 }

    mutating func hearElsewhere(_ sequence: SerialNumber, at now: Instant) {
        guard isUp else { return }
        if losses.isBehind(sequence) { isTalkedElsewhere = true }
        guard let frame = frameNanoseconds else { return }
        let since = max(frame, excusedNanoseconds)
        if now.nanoseconds - since < Self.excuseGapNanoseconds {
            excusedNanoseconds = now.nanoseconds
        }
    }

    /// Who ended elsewhere is not due here, unless this path owes a pong as well.
    mutating func endTalkElsewhere() {
        guard isTalkedElsewhere, pings.unansweredDueNanoseconds == nil else { return }
        frameNanoseconds = nil
    }

    mutating func ask(at now: Instant) {
        guard isActive else { return }
        askedNanoseconds = now.nanoseconds
        // The next ping is due at once.
        pingNanoseconds = now.nanoseconds - limits.periodNanoseconds
    }

    /// Notes that the talker has left this path if the pong shows that frames would have come.
    mutating func noticeLeaving(by answer: PingLedger.Answer, at now: Instant) {
        if let frame = frameNanoseconds, now.nanoseconds - frame >= Self.elsewhereNanoseconds {
            frameNanoseconds = nil
        }
        // Copies by a slower path lie behind; that they come shows that there is another path. While
        // this side probes, it has told the other to send by one.
        let isExcused = isProbing || frameNanoseconds.map { excusedNanoseconds >= $0 } ?? false
        guard isExcused || isTalkedElsewhere, answer.isInTime,
            let last = losses.heardNanoseconds, answer.sentNanoseconds >= last,
            now.nanoseconds - last >= Self.leftNanoseconds
        else { return }
        let start = max(last, answer.sentNanoseconds - Self.elsewhereNanoseconds)
        guard !pings.isUnanswered(from: start, before: answer.sentNanoseconds) else { return }
        frameNanoseconds = nil
        losses.leave()
    }

    /// Since when the next frame of a spurt has been missed; `nil` while none is due.
    func quietSince(at now: Instant) -> Int64? {
        guard let frame = frameNanoseconds else { return nil }
        let isOverdue = pings.unansweredDueNanoseconds != nil
        guard !isOverdue, now.nanoseconds - frame < Self.excuseNanosecondsMax else { return frame }
        // While this side probes, it has told the other to send by the other path.
        return isProbing ? nil : max(frame, excusedNanoseconds)
    }

    /// From when on the frame is missed that is due after the one that came at `frame`.
    func missedNanoseconds(after frame: Int64) -> Int64 {
        let due = frame + Self.frameDueNanoseconds
        guard pings.unansweredDueNanoseconds == nil else { return due }
        let latest = frame + Self.excuseNanosecondsMax
        guard !isProbing else { return latest }
        return min(max(due, excusedNanoseconds + Self.frameDueNanoseconds), latest)
    }

    /// Whether a silence is being excused and no ping is under way whose pong would decide.
    var isInDoubt: Bool {
        guard let frame = frameNanoseconds, pings.firstExpiryNanoseconds == nil else {
            return false
        }
        return excusedNanoseconds >= frame + Self.frameDueNanoseconds
    }
}
