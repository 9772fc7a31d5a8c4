import SansIO

extension LinkProbe {
    /// A frame is due 20 ms after the one before; it counts as missing after twice that.
    static var frameDueNanoseconds: Int64 { 2 * VoiceClock.frameNanoseconds }
    /// How often a silence is looked at: once a frame, and once a second after two seconds of it.
    static var checkNanoseconds: Int64 { VoiceClock.frameNanoseconds }
    static var longSilenceNanoseconds: Int64 { 2_000_000_000 }
    static var longCheckNanoseconds: Int64 { 1_000_000_000 }
    /// A path that answered no ping for so long is dead until it answers one.
    static var deadNanoseconds: Int64 { 10_000_000_000 }
    /// From this round trip on an Internet is bad whatever it loses, as for `ThresholdJudge`.
    static var lateNanoseconds: Int64 { 800_000_000 }
    /// A pong as quick as this tells that the queue which made an Internet late is gone.
    ///
    /// Far enough below what is late for such pongs to bring the smoothed round trip below it, too.
    static var quickNanoseconds: Int64 { 500_000_000 }
    /// While frames come in time the path is judged this often: a part of the loss window.
    static var judgePeriodNanoseconds: Int64 { LossWindow.bucketNanoseconds }

    mutating func comeUp(at now: Instant) {
        guard !isUp else { return }
        isUp = true
        (losses, voiceJitter, pingJitter) = (
            LossWindow(), InterarrivalJitter(), InterarrivalJitter()
        )
        judgedNanoseconds = now.nanoseconds
        // The first ping is due at once.
        pingNanoseconds = now.nanoseconds - limits.periodNanoseconds
    }

    mutating func goDown() {
        (isUp, isActive, isTalkedElsewhere) = (false, false, false)
        askedNanoseconds = nil
        verdict = nil
        frameNanoseconds = nil
        pings.forgetAll()
    }

    mutating func hear(
        _ sequence: SerialNumber,
        _ captureIndex: Int64,
        _ marks: FrameMarks,
        in turn: inout Turn<Effect>
    ) {
        guard isUp else { return }
        if !hasVoice(at: turn.now) { voiceJitter = InterarrivalJitter() }
        losses.receive(sequence, at: turn.now)
        isTalkedElsewhere = false
        frameNanoseconds = marks.contains(.talkEnd) ? nil : turn.now.nanoseconds
        let isSane = (-JitterBuffer.indexMax...JitterBuffer.indexMax).contains(captureIndex)
        if !marks.contains(.burst), isSane {
            let departure = captureIndex * VoiceClock.frameNanoseconds
            voiceJitter.record(transitNanoseconds: turn.now.nanoseconds - departure)
        }
        guard turn.now.nanoseconds - judgedNanoseconds >= Self.judgePeriodNanoseconds else {
            return
        }
        judge(in: &turn)
    }

    /// Whether voice has come by this path in the time that all figures are taken from.
    ///
    /// When it goes by the other path nothing moves its jitter: a radio that was left for that would
    /// be poor for ever.
    func hasVoice(at now: Instant) -> Bool {
        guard let heard = losses.heardNanoseconds else { return false }
        return now.nanoseconds - heard < LossWindow.lengthNanoseconds
    }

    mutating func answer(_ ping: Ping, in turn: inout Turn<Effect>) {
        guard isUp, ping.path == path else { return }
        turn.order(.send(.pong(Pong(ping))))
        let transit = SerialNumber(turn.now.microsecondsOnWire &- ping.sentMicroseconds)
        pingJitter.record(transitNanoseconds: pingTransits.unwrap(transit) * 1_000)
    }

    mutating func settle(_ pong: Pong, in turn: inout Turn<Effect>) {
        guard isUp, pong.ping.path == path, let answer = pings.settle(pong, at: turn.now) else {
            return
        }
        if answer.isInTime { losses.settlePing(isAnswered: true, at: turn.now) }
        if !isActive { turn.order(.activated) }
        isActive = true
        if let asked = askedNanoseconds, answer.sentNanoseconds >= asked {
            askedNanoseconds = nil
            turn.order(.answered)
        }
        noticeLeaving(by: answer, at: turn.now)
        judge(in: &turn)
    }

    mutating func judge(in turn: inout Turn<Effect>) {
        guard isUp else { return }
        judgedNanoseconds = turn.now.nanoseconds
        losses.advance(to: turn.now)
        let metrics = metrics(at: turn.now)
        guard let verdict = judge.verdict(on: metrics), verdict != self.verdict else { return }
        self.verdict = verdict
        turn.order(.judged(verdict, metrics))
    }

    /// For how long the next frame has been due, or the pong of the oldest unanswered ping.
    func silenceNanoseconds(at now: Instant) -> Int64 {
        guard isUp else { return 0 }
        var silence: Int64 = 0
        if let since = quietSince(at: now), now.nanoseconds - since >= Self.frameDueNanoseconds {
            silence = now.nanoseconds - since
        }
        if let due = pings.unansweredDueNanoseconds {
            silence = max(silence, now.nanoseconds - due)
        }
        return silence
    }

    /// A path is asked seldom where more pings would tell nothing new, or would lengthen its queue.
    var nextPingNanoseconds: Int64 {
        let isSeldom = !isProbing && (isCalm || isLate || isDead)
        let period = isSeldom ? limits.periodNanoseconds : limits.probingPeriodNanoseconds
        return pingNanoseconds + period
    }

    /// Whether nothing is amiss: the path is good, or an Internet that is poor and gets no worse.
    ///
    /// A poor Internet is used all the same, and two mobile networks one behind the other are poor
    /// for hours by their jitter alone. Asked ten times a second, each member would cost five
    /// megabytes an hour each way. An Internet that loses pings is asked often: nothing else tells
    /// how many while the member is silent. So is one whose latest pong was late, until a pong is
    /// faster again or the smoothed round trip is late, too.
    private var isCalm: Bool {
        guard pings.unansweredDueNanoseconds == nil, !isInDoubt else { return false }
        guard path == .internet, verdict == .poor else { return verdict == .good }
        // The smoothed round trip follows by an eighth: at one pong a second, a queue outgrows it.
        guard pings.latestTripNanoseconds ?? 0 < Self.lateNanoseconds else { return false }
        return !pings.hasLost(since: pingNanoseconds - LossWindow.lengthNanoseconds)
    }

    /// Whether the path is an Internet that is bad by its round trip alone, whatever it loses.
    ///
    /// What comes so late waits in a queue, which pings and pongs make longer. Ten of each a second
    /// take 12 kbit/s of both cells, and one that the voice just fits into would stay seconds late.
    /// RFC 8085 (section 3.1.3) allows one for each round trip.
    private var isLate: Bool {
        guard path == .internet, let smoothed = pings.roundTripNanoseconds,
            let latest = pings.latestTripNanoseconds
        else { return false }
        return smoothed >= Self.lateNanoseconds && latest > Self.quickNanoseconds
    }

    private var isDead: Bool {
        guard let due = pings.unansweredDueNanoseconds else { return false }
        return pingNanoseconds - due >= Self.deadNanoseconds
    }

    /// When a silence is to be looked at; `nil` while nothing is due.
    var nextCheckNanoseconds: Int64? {
        guard let frame = frameNanoseconds else { return nil }
        let first = missedNanoseconds(after: frame)
        guard judgedNanoseconds >= first else { return first }
        let isLong = judgedNanoseconds - frame >= Self.longSilenceNanoseconds
        return judgedNanoseconds + (isLong ? Self.longCheckNanoseconds : Self.checkNanoseconds)
    }
}
