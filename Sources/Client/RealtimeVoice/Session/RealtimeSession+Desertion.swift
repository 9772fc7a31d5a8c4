import SansIO

/// When a room holds nobody, and what follows (D-18).
extension RealtimeSession {
    /// Whether a room to which no agent is called any more holds nobody, though its path lives.
    ///
    /// Its agent has left while the phone was away, or before it was ever heard. The server says
    /// who is there when it lets somebody join; an agent that a crashed server's successor calls
    /// has the time that any agent has. One that was called and never came has `agentPatience`.
    func isDeserted(_ room: LiveRoom, by due: Instant) -> Bool {
        guard configuration.partner == .agent, room.callsNoAgent, room.speechlessSince != nil,
            room.statistics.othersPresent == 0, room.showsLife(at: due), !room.isCutOff(at: due)
        else { return false }
        return agentCalledAt.map { due >= $0.advanced(by: agentPatience) } ?? true
    }

    /// How long a room is kept for the agent that was called to it.
    ///
    /// Twice as long as the one before that was left: else an agent that starts late comes to rooms
    /// just left, for ever. It begins with the time in which two room objects find a room silent.
    private var agentPatience: Duration {
        let watchdog = configuration.watchdog
        let first = watchdog.suspectAfter * 2 + watchdog.actAfter
        return min(first * (1 << min(roomsDeserted, 8)), Self.agentPatienceMax)
    }

    /// What the patience grows to: twice what an agent takes whose process and models start cold.
    private static var agentPatienceMax: Duration { .seconds(60) }

    /// Leaves a room that holds nobody for a new one.
    ///
    /// The first time at once: no connect has failed. The next time in a row as after a failure, or
    /// else a server that has no agents would see one new room after the other.
    mutating func desert(_ room: LiveRoom, in turn: inout Turn<Effect>) {
        roomsDeserted += 1
        startAnew(room, isFailure: roomsDeserted > 1, in: &turn)
    }

    /// Begins a new conversation: agents are called to new rooms only (D-18).
    mutating func startAnew(_ room: LiveRoom, isFailure: Bool = true, in turn: inout Turn<Effect>) {
        ticket = nil
        roomName = nil
        hasJoined = false
        replace(room, isFailure: isFailure, in: &turn)
    }
}
