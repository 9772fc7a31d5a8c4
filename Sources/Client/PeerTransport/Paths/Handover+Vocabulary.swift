public import SansIO

extension Handover {
    /// A fact about the paths to one member.
    public enum Event: Sendable, Equatable {
        /// The member is wanted; the radio is being tried.
        case started
        /// The transport says that the member can be reached by this path.
        case pathCameUp(TransportPath)
        /// A pong came by this path: packets pass both ways.
        case pathActivated(TransportPath)
        /// The transport says that the member can no longer be reached by this path.
        ///
        /// From the radio this comes 5 to 30 s late, or never (D-09); nothing here relies on it.
        case pathLost(TransportPath)
        /// The Internet could not be brought up.
        case internetFailed
        /// There is no way to the Internet: the system says so.
        case internetImpossible
        /// There may be a way to the Internet again.
        case internetPossible
        /// The path has another verdict.
        case judged(LinkVerdict, TransportPath)
        /// The other side told what it thinks of a path.
        case noticeReceived(PathStatusNotice)
        /// This side begins to talk; told before the first frame goes.
        case talkBegan
        /// The radio answered a ping that was sent since it was asked.
        case radioAnswered
        /// The member is no longer wanted.
        case stopped
    }

    /// An order to the transports, or news.
    public enum Effect: Sendable, Equatable {
        /// Bring the Internet path to the member up.
        case bringUpInternet
        /// The Internet path to the member is not needed.
        case releaseInternet
        /// Probe the radio, or leave off.
        case probeLocal(Bool)
        /// Ask the radio whether packets pass, and say when it has answered.
        case askLocal
        /// Tell the other side, by every path that is up, how far it may use one of them.
        case sendNotice(PathStatus, of: TransportPath = .local, number: SerialNumber)
        /// The pair is in another phase, and why.
        case phaseChanged(Phase, Cause)
    }

    /// Where a pair of members stands between radio and Internet (S-HO-001, S-HO-002).
    public enum Phase: UInt8, Sendable, Hashable, CaseIterable {
        /// Neither path has been active yet.
        case disconnected = 0
        /// The radio carries; the Internet is down, or backup.
        case localConnected = 1
        /// The Internet is being brought up; the radio carries as long as it can.
        case internetConnecting = 2
        /// Both carry, to leave the radio.
        case handoverToInternet = 3
        /// The Internet carries; the radio is down.
        case internetConnected = 4
        /// The Internet carries; the radio is up again and waits to be probed.
        case localCandidate = 5
        /// The Internet carries; the radio is being probed.
        case localProbing = 6
        /// Both carry, to return to the radio.
        case handoverToLocal = 7
    }

    /// Why a pair changes its phase.
    public enum Cause: UInt8, Sendable, Hashable, CaseIterable {
        /// A path came up or became active.
        case appeared = 0
        /// The judge's verdict on the radio.
        case quality = 1
        /// The other side's notice on the radio.
        case notice = 2
        /// The transport lost the radio.
        case localLost = 3
        /// The transport lost the Internet.
        case internetLost = 4
        /// The radio has been good for long enough.
        case proven = 5
        /// A time is over.
        case elapsed = 6
    }

    /// What is known of one path.
    struct Path: Sendable, Equatable {
        var isUp = false
        var isActive = false
        var verdict: LinkVerdict?

        mutating func lose() { self = Path() }
    }

    /// A phase with what exists in it alone; instants in nanoseconds.
    enum State: Sendable, Equatable, BitwiseCopyable {
        case idle
        case disconnected(since: Int64)
        case localConnected(since: Int64)
        case internetConnecting
        case handoverToInternet(since: Int64)
        case internetConnected(since: Int64)
        case localCandidate(notBefore: Int64)
        case localProbing(since: Int64)
        case handoverToLocal(since: Int64)

        var phase: Phase {
            switch self {
            case .idle, .disconnected: .disconnected
            case .localConnected: .localConnected
            case .internetConnecting: .internetConnecting
            case .handoverToInternet: .handoverToInternet
            case .internetConnected: .internetConnected
            case .localCandidate: .localCandidate
            case .localProbing: .localProbing
            case .handoverToLocal: .handoverToLocal
            }
        }
    }
}
