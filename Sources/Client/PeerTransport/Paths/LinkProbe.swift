public import SansIO

/// Measures one path to one member and has it judged (S-HO-003).
///
/// It looks at what passes anyway: voice by its sequence, and a ping of its own now and then, more often
/// when something is amiss. What it hears of a path is what came *by that path*, before copies from
/// other paths are dropped: while everything is sent twice, merged figures would show the better path
/// only.
///
/// A talk spurt has a frame every 20 ms until it ends, so its silence is noticed within frames; a
/// path without talk is noticed within a ping's period and the time of its pong.
///
/// A talker may leave a path in the middle of a word and go on by another: then it is silent, and its
/// numbers jump when the talker comes back, though nothing is wrong with it. While frames come by the
/// other path the pings decide: see `LinkProbe+Elsewhere.swift`.
public struct LinkProbe: StateMachine {
    /// A fact about the path.
    public enum Event: Sendable, Equatable {
        /// The member can be reached by this path.
        case pathCameUp
        /// The member can no longer be reached by this path.
        case pathLost
        /// The path is to be judged soon: ping at the probing period.
        case probingBegan
        /// The path need no longer be judged soon.
        case probingEnded
        /// A voice frame came; `captureIndex` is unwrapped and lies within ±2^36.
        case voiceReceived(sequence: SerialNumber, captureIndex: Int64, marks: FrameMarks)
        /// An end mark or a keepalive said that no frame is due.
        case talkEnded
        /// A voice frame of the same member came by the other path.
        case voiceHeardElsewhere(sequence: SerialNumber)
        /// What came by the other path said that no frame is due.
        case talkEndedElsewhere
        /// It matters at once whether packets pass: ping now, and say when that is answered.
        case asked
        /// A ping came.
        case pingReceived(Ping)
        /// A pong came.
        case pongReceived(Pong)
        /// The number of members heard by this kind of path, of those present.
        case peersCounted(heard: Int, present: Int)
        /// The member is gone for good.
        case stop
    }

    /// An order to the transport, or news.
    public enum Effect: Sendable, Equatable {
        /// Send this to the member by this path.
        case send(ControlMessage)
        /// The first pong came: packets pass both ways, the path is active (RFC 10069 section 3.1).
        case activated
        /// The path was asked, and a ping sent since then is answered.
        case answered
        /// The verdict is another one than before.
        indirect case judged(LinkVerdict, LinkMetrics)
    }

    /// A pong or a ping, or the news that the path is active or has answered, and a verdict.
    public static var effectsPerCallMax: Int { 2 }

    let path: TransportPath
    let judge: AnyLinkJudge
    let limits: LinkProbeConfiguration.Limits

    /// Whether the member is gone.
    public private(set) var isFinished = false
    /// The latest verdict; `nil` before the first, and while the path is down.
    public internal(set) var verdict: LinkVerdict?
    var isUp = false
    var isProbing = false
    var peersHeard = 0
    var peersPresent = 0

    var losses = LossWindow()
    var voiceJitter = InterarrivalJitter()
    var pingJitter = InterarrivalJitter()
    /// When the last frame of a spurt came that goes on.
    var frameNanoseconds: Int64?
    /// Until when frames by the other path have excused that none came by this one.
    var excusedNanoseconds = Int64.min
    /// Whether a frame came by the other path that was sent after all that came by this one.
    var isTalkedElsewhere = false
    /// When the path was last judged.
    var judgedNanoseconds = Int64.min

    /// Puts the transits of pings, which wrap, on a line without end.
    var pingTransits = SerialUnwrapper()
    /// Whether a pong came since the path came up.
    var isActive = false

    var pings = PingLedger()
    /// When the last ping went out.
    var pingNanoseconds = Int64.min
    /// When the path was asked, until it answers.
    var askedNanoseconds: Int64?

    /// Makes a probe of a path that is down.
    ///
    /// - Parameters:
    ///   - path: Which kind of path.
    ///   - configuration: How often it is asked.
    ///   - judge: Judges the path.
    public init(
        path: TransportPath,
        configuration: LinkProbeConfiguration = LinkProbeConfiguration(),
        judge: some LinkJudge
    ) {
        self.path = path
        self.judge = AnyLinkJudge(judge)
        limits = LinkProbeConfiguration.Limits(configuration)
    }

    /// What is known of the path at `now`.
    public func metrics(at now: Instant) -> LinkMetrics {
        var losses = losses
        losses.advance(to: now)
        var metrics = LinkMetrics()
        metrics.roundTrip = pings.roundTripNanoseconds.map { .nanoseconds($0) }
        metrics.lossFraction = losses.lossFraction
        metrics.packetsExpected = losses.expected
        let voiceJitter = hasVoice(at: now) ? voiceJitter.nanoseconds : 0
        metrics.jitter = .nanoseconds(max(voiceJitter, pingJitter.nanoseconds))
        metrics.silence = .nanoseconds(silenceNanoseconds(at: now))
        (metrics.peersHeard, metrics.peersPresent) = (peersHeard, peersPresent)
        return metrics
    }

    /// When the next ping goes out, a pong is overdue, or a silence is looked at again.
    public var deadline: Deadline? {
        guard isUp, !isFinished else { return nil }
        var deadline = Deadline(Instant(nanoseconds: nextPingNanoseconds), "ping")
        if let expiry = pings.firstExpiryNanoseconds {
            let overdue = Deadline(Instant(nanoseconds: expiry), "pong overdue")
            deadline = Deadline.earliest(deadline, overdue) ?? deadline
        }
        guard let check = nextCheckNanoseconds else { return deadline }
        return Deadline.earliest(deadline, Deadline(Instant(nanoseconds: check), "silence"))
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        guard !isFinished else { return }
        switch event {
        case .pathCameUp: comeUp(at: turn.now)
        case .pathLost: goDown()
        case .probingBegan: isProbing = true
        case .probingEnded: isProbing = false
        case .voiceReceived(let sequence, let captureIndex, let marks):
            hear(sequence, captureIndex, marks, in: &turn)
        case .talkEnded: frameNanoseconds = nil
        case .voiceHeardElsewhere(let sequence): hearElsewhere(sequence, at: turn.now)
        case .talkEndedElsewhere: endTalkElsewhere()
        case .asked: ask(at: turn.now)
        case .pingReceived(let ping): answer(ping, in: &turn)
        case .pongReceived(let pong): settle(pong, in: &turn)
        case .peersCounted(let heard, let present):
            (peersHeard, peersPresent) = (heard, present)
            judge(in: &turn)
        case .stop:
            goDown()
            isFinished = true
        }
    }

    /// Sends the ping that is due, counts pongs that did not come, and looks at a silence again.
    public mutating func wake(in turn: inout Turn<Effect>) {
        guard let deadline, deadline.instant <= turn.now else { return }
        let missed = pings.expire(at: turn.now)
        for _ in 0..<missed { losses.settlePing(isAnswered: false, at: turn.now) }
        judge(in: &turn)
        guard nextPingNanoseconds <= turn.now.nanoseconds else { return }
        pingNanoseconds = turn.now.nanoseconds
        turn.order(.send(.ping(pings.make(path, at: turn.now))))
    }
}
