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
        var isWanted: Bool
        var isInFront: Bool
    }

    private var phase: Int64 = 0
    private var leave: Leave?
    private var hasTerminated = false

    /// Reads the fates of all agents of a phone.
    init(_ reading: SessionReading) {
        let wanted = reading.wishes.wanted
        for entry in reading.entries {
            switch entry.kind {
            case .sceneChanged:
                phase = entry.values[0]
            case .appLaunched:
                phase = 0
            case .appTerminated:
                hasTerminated = true
            case .userActed where entry.values[0] == UserAct.killApp.rawValue:
                hasTerminated = true
            case .roomLeft where entry.values[1] == 0:
                leave = Leave(isWanted: wanted.contains(entry.instant), isInFront: phase == 0)
            case .agentJoined:
                joins.append(entry)
                hasTerminated = false
            case .agentClosed:
                close(entry, isWanted: wanted.contains(entry.instant))
            default:
                break
            }
        }
    }

    /// A goodbye is judged by what the user wanted when the app said it, other ends by the moment.
    private mutating func close(_ entry: SessionStory.Entry, isWanted: Bool) {
        switch RightfulClose(rawValue: entry.values[0]) {
        case .clientInitiated:
            let isAsked = leave.map { !$0.isWanted || !$0.isInFront } ?? hasTerminated
            closes.append(
                Close(entry: entry, isRightful: isAsked, isWanted: leave?.isWanted ?? isWanted)
            )
            leave = nil
        case .roomDeleted, .roomClosed, .userRejected:
            closes.append(Close(entry: entry, isRightful: true, isWanted: isWanted))
        case nil:
            closes.append(Close(entry: entry, isRightful: false, isWanted: isWanted))
        }
    }
}
