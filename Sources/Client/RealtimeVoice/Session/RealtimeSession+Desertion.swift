import SansIO

/// When a room holds nobody, and what follows (D-18).
extension RealtimeSession {
    /// Whether a room to which no agent is called any more holds nobody, though its path lives.
    ///
    /// Its agent has left while the phone was away, or before it was ever heard. The server says
    /// who is there when it lets somebody join; an agent that a crashed server's successor calls
    /// has the time that any agent has. One that was called and never came has `agentPatience`.
    func isDeserted(_ room: LiveRoom, by due: Instant) -> Bool {
        let isKnownEmpty = room.callsNoAgent || room.agentAwaitedUntil != nil
        guard configuration.partner == .agent, isKnownEmpty, room.speechlessSince != nil,
            room.statistics.othersPresent == 0, room.showsLife(at: due), !room.isCutOff(at: due)
        else { return false }
        return agentCalledAt.map { due >= $0.advanced(by: agentPatience) } ?? true
    }

    /// How long a room is kept for the agent that was called to it.
    ///
    /// Twice as long as the one before that was left: else an agent that starts late comes to rooms
    /// just left, for ever. It begins with the time in which two room objects find a room silent, and
    /// belongs to the conversation: a room object that is well is kept for all of it.
    private var agentPatience: Duration {
        let watchdog = configuration.watchdog
        let first = watchdog.suspectAfter * 2 + watchdog.actAfter
        return min(first * (1 << min(roomsDeserted, 8)), Self.agentPatienceMax)
    }

    /// What the patience grows to: four times what an agent takes whose process and models start cold.
    private static var agentPatienceMax: Duration { .seconds(120) }

    /// Keeps a room object for the agent that was called to its room and is late, if nothing is wrong
    /// with it: the server took the microphone's track, so that signalling lives, and says who is there.
    ///
    /// Up to half as long again, and an eighth at least for an agent that takes as long as the last one
    /// was given: those whose agents are away for one cause ask for others one by one.
    ///
    /// - Returns: Whether it is kept.
    mutating func awaitAgent(of room: inout LiveRoom, at now: Instant) -> Bool {
        guard configuration.partner == .agent, room.agentAwaitedUntil == nil, let agentCalledAt,
            room.microphone.isOpen, room.statistics.othersPresent == 0, room.showsLife(at: now),
            !room.isCutOff(at: now)
        else { return false }
        let patience = agentPatience
        let spread = generator.below(patience.wholeNanoseconds * 3 / 8)
        let until = agentCalledAt.advanced(by: patience * 9 / 8 + .nanoseconds(spread))
        guard until > now else { return false }
        room.agentAwaitedUntil = until
        return true
    }

    /// Leaves a room that holds nobody for a new one.
    ///
    /// The first time at once: no connect has failed. The next time in a row as after a failure, or
    /// else a server that has no agents would see one new room after the other.
    mutating func desert(_ room: LiveRoom, in turn: inout Turn<Effect>) {
        roomsDeserted += 1
        missesAgent = missesAgent || agentCalledAt != nil
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

/// Leaves a room whose agent left in the middle of a conversation.
///
/// The process that ran it may have run others, whose phones must not all come in one second (K-20).
extension RealtimeSession {
    /// How long after its last voice an agent may take to join anew by itself.
    private static var partingTime: Duration { .seconds(1) }
    /// Over how long the phones spread that may have lost their agents together.
    ///
    /// Another agent has to be heard 10 s after the last voice (D-22): statistics show the loss up to a
    /// second late, and a token, a connect and the agent's own join take another second.
    private static var partingSpread: Duration { .milliseconds(6_500) }

    /// Whether voice is missing and the server says that the room holds no agent.
    func isParted(_ room: LiveRoom, at now: Instant) -> Bool {
        configuration.partner == .agent && configuration.watchdog.isEnabled && !room.isLost
            && room.resumingSince == nil && room.missesKnownVoice
            && room.statistics.othersPresent == 0 && !room.isCutOff(at: now)
    }

    /// Plans when to leave a room whose agent has gone: at a drawn time.
    ///
    /// The average draw is sooner than the six seconds of silence after which an agent is missed that
    /// left without a word.
    mutating func settleParting(of room: inout LiveRoom, at now: Instant) {
        guard isParted(room, at: now), let voiceAt = room.voiceAt else {
            room.partsAt = nil
            return
        }
        guard room.partsAt == nil else { return }
        let wait = generator.below(Self.partingSpread.wholeNanoseconds)
        let earliest = max(voiceAt.advanced(by: Self.partingTime), now)
        room.partsAt = earliest.advanced(by: .nanoseconds(max(wait, 1_000_000)))
    }

    /// Leaves a room whose agent has gone without a word from the server.
    ///
    /// At once if the phone's own link was lost before, which no other phone shares; else after a drawn
    /// time.
    mutating func leaveGhost(_ room: LiveRoom, in turn: inout Turn<Effect>) {
        if room.voiceAwaitedSince == nil { restraint = .spread }
        startAnew(room, in: &turn)
    }
}
