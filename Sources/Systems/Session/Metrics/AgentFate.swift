import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import RealtimeVoice
import SansIO

/// How the agents of one phone's rooms ended.
struct AgentFate {
    /// One `agent.closed`.
    struct Close {
        var entry: SessionStory.Entry
        /// Whether the agent may end its session for this.
        var isRightful: Bool
        /// Whether the user wanted the conversation when it was decided.
        var isWanted: Bool
    }

    /// The `agent.joined` of each agent.
    private(set) var joins: [SessionStory.Entry] = []
    private(set) var closes: [Close] = []

    private struct Leave {
        var instant: Int64
        var isWanted: Bool
        var isInFront: Bool
        /// Whether the user has had to sign in since.
        var hasLoginEnded = false
    }

    /// How long a goodbye may be on its way: RFC 6298 doubles a socket's time-out up to a minute.
    private static let goodbyeLife: Int64 = 60_000_000_000

    private var isInFront = true
    /// The goodbyes that no agent is known to have heard, in order.
    private var leaves: [Leave] = []
    private var hasTerminated = false
    /// Whether the world has ended an agent's job, and no agent has closed its session since.
    private var hasLeft = false
    /// Whether the app has said goodbye, and connected nothing since.
    private var hasSaidGoodbye = false
    /// The close by a goodbye that nobody asked for, as far as is known yet.
    private var unaskedClose: Int?
    /// When the room server last told the phone's participant to leave, for whatever reason.
    private var toldToLeaveAt: Int64?

    /// Reads the fates of all agents of a phone.
    init(_ reading: SessionReading) {
        for (entry, isWanted) in zip(reading.entries, reading.wishes.isWantedAfter) {
            switch entry.kind {
            case SceneChanged.kind:
                isInFront = SceneChanged(entry.record).phase.value == .active
            case AppLaunched.kind:
                isInFront = true
            case AppTerminated.kind:
                hasTerminated = true
            case UserActed.kind where UserActed(entry.record).action == .killApp:
                hasTerminated = true
            case RoomLeft.kind where RoomLeft(entry.record).manner.value == .disconnect:
                let instant = entry.instant
                leaves.append(Leave(instant: instant, isWanted: isWanted, isInFront: isInFront))
                unaskedClose = nil
                hasSaidGoodbye = true
            case ConnectBegan.kind:
                hasSaidGoodbye = false
            case SignInShown.kind
            where hasSaidGoodbye && !SignInShown(entry.record).isSignedIn.isSet:
                loginEnded()
            case FaultBegan.kind where FaultBegan(entry.record).endsJob:
                hasLeft = true
            case FaultBegan.kind where FaultBegan(entry.record).isLeave:
                toldToLeaveAt = entry.instant
            case AgentJoined.kind:
                joins.append(entry)
                hasTerminated = false
            case AgentClosed.kind:
                close(entry, isWanted: isWanted)
            default:
                break
            }
        }
    }

    /// Only who is signed in talks (RS-12): the goodbye before was the login's.
    ///
    /// The sign-in is shown once its challenge has come, which the agent does not wait for.
    private mutating func loginEnded() {
        if let last = leaves.indices.last { leaves[last].hasLoginEnded = true }
        if let unaskedClose { closes[unaskedClose].isRightful = true }
        unaskedClose = nil
    }

    /// A goodbye is judged by what the user wanted when the app said it, other ends by the moment.
    ///
    /// livekit/agents, `voice/room_io/types.py` and `room_io.py`: the session closes when the linked
    /// participant leaves for client-initiated, room-deleted or user-rejected, and when the room itself
    /// is closed. The latest goodbye is heard first: one before it was stuck on a path that failed. A job that the world ends is nobody's fault, nor is a goodbye that the room
    /// server says in the client's name: the agent hears of it in the same instant.
    private mutating func close(_ entry: SessionStory.Entry, isWanted: Bool) {
        switch AgentClosed(entry.record).reason.value {
        case .clientInitiated where toldToLeaveAt == entry.instant:
            closes.append(Close(entry: entry, isRightful: true, isWanted: isWanted))
        case .clientInitiated:
            leaves.removeAll { $0.instant < entry.instant - Self.goodbyeLife }
            let leave = leaves.popLast()
            let isAsked =
                leave.map { !$0.isWanted || !$0.isInFront || $0.hasLoginEnded } ?? hasTerminated
            if leave != nil, !isAsked { unaskedClose = closes.count }
            closes.append(
                Close(entry: entry, isRightful: isAsked, isWanted: leave?.isWanted ?? isWanted)
            )
        case .roomDeleted, .roomClosed, .userRejected:
            closes.append(Close(entry: entry, isRightful: true, isWanted: isWanted))
        case .unknownReason:
            closes.append(Close(entry: entry, isRightful: hasLeft, isWanted: isWanted))
            hasLeft = false
        default:
            closes.append(Close(entry: entry, isRightful: false, isWanted: isWanted))
        }
    }
}
