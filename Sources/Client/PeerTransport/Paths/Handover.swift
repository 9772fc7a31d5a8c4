public import SansIO

/// Decides which paths carry what is sent to one member: radio, Internet, or both (S-HO-001…004).
///
/// There is one for each pair of members, at both ends: of six members, five that stand together stay on the radio
/// while each of them reaches the sixth over the Internet. A group as one would have to leave the radio
/// for the weakest link, and pay for five streams where one is needed.
///
/// Only the *sender's* choice is made here. The receiver takes from every path whatever comes first
/// (S-HO-004), so both ends may stand in different phases, and no moment has to be agreed on.
///
/// - The radio's quality brings the Internet up, not its loss notice, which comes 5 to 30 s late or
///   never (D-09). As soon as the Internet is active everything is sent twice: a radio that ends now
///   ends without a gap.
/// - While both carry, a poor radio may get well, and is then kept. This is what happens at the edge of
///   reach: no change of path at all. A radio that is bad, or poor for long, is left.
/// - A member returns to the radio once it finds it good for 5 to 10 s of probing *and* hears the same from the other
///   side; then both carry once more. A return that does not last makes the next one wait twice as long.
/// - In silence a radio that died shows only by a ping, up to a second later. While the Internet
///   stands by, a member that begins to talk asks the radio, and frames go by both until it has answered.
///
/// Each side tells the other how far it may use the radio for sending to it: RFC 10069's available and
/// backup, as the receiver sees it. The receiver notices a gap first, and its notice, by the other path,
/// is the sender's fastest way to learn of it. The Internet is always backup to a radio that is
/// available; its notice says only whether there is a way to it at all. Where the system says that there
/// is none, both sides send by a radio that lives as well, before the silence has shown it to them.
public struct Handover: StateMachine {
    /// A question, a few transitions with their orders, a request and two notices.
    public static var effectsPerCallMax: Int { 2 * transitionsMax + 5 }
    /// More transitions than any one fact can set off.
    static let transitionsMax = 6
    /// After a change of status the notice is repeated this often, since each copy may be lost.
    static let noticeRepeats = 3
    static let noticeRepeatNanoseconds: Int64 = 100_000_000

    let limits: HandoverConfiguration.Limits
    var state = State.idle
    /// Whether the member is no longer wanted.
    public private(set) var isFinished = false
    var local = Path()
    var internet = Path()
    /// Whether the last attempt to bring the Internet up failed (A-F-009).
    public private(set) var isInternetUnavailable = false
    /// Whether the system says that there is no way to the Internet.
    var isInternetCutOff = false

    /// How the other side sees the way from here to it by radio, and the number of its notice.
    var toldStatus = PathStatus.available
    var toldNumber: SerialNumber?
    /// Whether the other side has a way to the Internet, and the number of its notice.
    ///
    /// If it let this one go meanwhile, no notice takes back what it said.
    var toldInternetStatus = PathStatus.available
    var toldInternetNumber: SerialNumber?
    /// How this side sees the way from there to here by radio, and the number of the last notice.
    ///
    /// Numbers begin with the time in milliseconds: a member who is let in anew may still hold one
    /// from before, and believes only greater ones.
    var ownStatus = PathStatus.available
    /// What was said of this side's Internet; `nil` before it was cut off while it was up.
    var ownInternetStatus: PathStatus?
    var noticeNumber = SerialNumber(0)
    var noticeRepeatsLeft = 0
    var noticeDue: Int64?

    /// Since when the radio has been good, and whether that is long enough for the present phase.
    var goodSince: Int64?
    var isProven = false

    /// Until when a radio that is not bad backs an Internet that was bad and no longer is.
    ///
    /// An Internet at the limit is now bad and now not, within a second or a few. A radio that is
    /// taken and dropped as often looks lossy to the other side, which is not told what went by it.
    var backingEnds: Int64?
    /// Whether this side talks by radio that was asked, and has not answered yet.
    var isAsking = false

    /// Whether the Internet path to the member is to be up.
    public internal(set) var wantsInternet = false
    /// When the Internet is asked for next, if it is wanted and not up.
    var requestDue: Int64 = 0
    var retryDelay: Int64
    /// How long the next return waits, and when the last one began.
    var returnDelay: Int64
    var returnedAt: Int64?

    /// Makes an idle machine, for a member that isn't to be reached yet.
    public init(configuration: HandoverConfiguration = HandoverConfiguration()) {
        limits = HandoverConfiguration.Limits(configuration)
        retryDelay = limits.internetRetryDelay
        returnDelay = limits.returnDelay
    }

    /// The present phase.
    public var phase: Phase { state.phase }

    /// By which paths this member is sent to now; empty while neither is up.
    public var sendingPaths: TransportPaths {
        var up: TransportPaths = local.isUp ? .local : []
        if internet.isUp { up.insert(.internet) }
        switch state {
        case .idle, .disconnected, .internetConnecting: return up
        case .localConnected: return .local
        case .handoverToInternet, .handoverToLocal: return up
        case .internetConnected, .localCandidate, .localProbing:
            return isBacked ? up : .internet
        }
    }

    /// By which paths a voice frame for this member goes now.
    ///
    /// By `sendingPaths`, and until a radio that was asked has answered by the Internet as well.
    public var voicePaths: TransportPaths {
        isAsking && internet.isUp ? sendingPaths.union(.internet) : sendingPaths
    }

    /// Whether a bad Internet is backed by a radio that may get something through.
    private var isBacked: Bool {
        guard local.isActive else { return false }
        return isInternetBad || backingEnds != nil && local.verdict != .bad
    }

    /// Whether nothing gets through over the Internet, as far as either side knows.
    var isInternetBad: Bool {
        internet.verdict == .bad || isInternetCutOff || toldInternetStatus == .backup
    }

    /// The earliest time at which something is decided without a new fact.
    public var deadline: Deadline? {
        guard !isFinished, state != .idle else { return nil }
        var deadline = stateDeadline
        func consider(_ nanoseconds: Int64?, _ reason: StaticString) {
            let other = nanoseconds.map { Deadline(Instant(nanoseconds: $0), reason) }
            deadline = Deadline.earliest(deadline, other)
        }
        consider(provenDue, "radio proven")
        consider(noticeDue, "path notice")
        consider(backingEnds, "backing over")
        if wantsInternet, !internet.isUp { consider(requestDue, "Internet again") }
        return deadline
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        guard !isFinished else { return }
        let wasInternetBad = isInternetBad
        switch event {
        case .started: start(at: turn.now)
        case .pathCameUp(let path):
            comeUp(path)
            // Who proved itself over the Internet has a way to it, whatever it said before.
            if path == .internet { toldInternetStatus = .available }
        case .pathActivated(let path): activate(path, at: turn.now)
        case .pathLost(let path): lose(path, at: turn.now)
        case .internetFailed:
            isInternetUnavailable = true
            requestDue = turn.now.nanoseconds + retryDelay
            retryDelay = min(2 * retryDelay, limits.internetRetryDelayMax)
        case .internetImpossible:
            isInternetCutOff = true
            if internet.isUp { ownInternetStatus = ownInternetStatus ?? .available }
        case .internetPossible:
            isInternetCutOff = false
            guard isInternetUnavailable else { break }
            isInternetUnavailable = false
            (requestDue, retryDelay) = (turn.now.nanoseconds, limits.internetRetryDelay)
        case .judged(let verdict, let path): judge(verdict, path, at: turn.now)
        case .noticeReceived(let notice): hear(notice)
        case .talkBegan: askIfStandingBy(in: &turn)
        case .radioAnswered: isAsking = false
        case .stopped: return stop(in: &turn)
        }
        if wasInternetBad, !isInternetBad, internet.isUp {
            backingEnds = turn.now.nanoseconds + limits.doubleSendingMax
        }
        settle(in: &turn)
    }

    /// Decides what is due.
    public mutating func wake(in turn: inout Turn<Effect>) {
        guard let deadline, deadline.instant <= turn.now else { return }
        settle(in: &turn)
    }

    private mutating func start(at now: Instant) {
        guard state == .idle else { return }
        state = .disconnected(since: now.nanoseconds)
        noticeNumber = SerialNumber(UInt32(truncatingIfNeeded: now.nanoseconds / 1_000_000))
    }

    /// A bad Internet would not carry the first word either.
    private mutating func askIfStandingBy(in turn: inout Turn<Effect>) {
        guard case .localConnected = state, wantsInternet, internet.isActive,
            !isInternetBad
        else { return }
        isAsking = true
        turn.order(.askLocal)
    }

    private mutating func comeUp(_ path: TransportPath) {
        switch path {
        case .local: local.isUp = true
        case .internet:
            internet.isUp = true
            isInternetUnavailable = false
            retryDelay = limits.internetRetryDelay
        }
    }

    private mutating func activate(_ path: TransportPath, at now: Instant) {
        comeUp(path)
        switch path {
        case .local: local.isActive = true
        case .internet: internet.isActive = true
        }
        noticeDue = noticeDue ?? now.nanoseconds
    }

    private mutating func lose(_ path: TransportPath, at now: Instant) {
        switch path {
        case .local:
            local.lose()
            (goodSince, isProven) = (nil, false)
        case .internet:
            if internet.isUp { requestDue = now.nanoseconds }
            internet.lose()
            (backingEnds, isAsking) = (nil, false)
        }
        if !local.isUp, !internet.isUp { noticeDue = nil }
    }

    private mutating func judge(_ verdict: LinkVerdict, _ path: TransportPath, at now: Instant) {
        switch path {
        case .local where local.isUp:
            local.verdict = verdict
            guard verdict == .good else {
                (goodSince, isProven) = (nil, false)
                return
            }
            goodSince = goodSince ?? now.nanoseconds
        case .internet where internet.isUp: internet.verdict = verdict
        case .local, .internet: return
        }
    }

    private mutating func hear(_ notice: PathStatusNotice) {
        func isNew(after number: SerialNumber?) -> Bool {
            number.map { notice.number.distance(ahead: $0) > 0 } ?? true
        }
        switch notice.path {
        case .local where isNew(after: toldNumber):
            (toldNumber, toldStatus) = (notice.number, notice.status)
        case .internet where isNew(after: toldInternetNumber):
            (toldInternetNumber, toldInternetStatus) = (notice.number, notice.status)
        case .local, .internet: return
        }
    }

    private mutating func stop(in turn: inout Turn<Effect>) {
        if state.phase == .localProbing { turn.order(.probeLocal(false)) }
        if wantsInternet { turn.order(.releaseInternet) }
        isFinished = true
    }
}
