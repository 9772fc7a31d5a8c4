import SansIO

/// The watchdog (K-01c).
extension RealtimeSession {
    /// A wake that comes later than this was no wake but the end of a suspension: what was not heard
    /// meanwhile proves nothing (law L4).
    private static var latenessMax: Duration { .seconds(1) }

    /// Until when a sign of life has to come in.
    func silence(from now: Instant) -> Instant? {
        configuration.watchdog.isEnabled
            ? now.advanced(by: configuration.watchdog.suspectAfter) : nil
    }

    /// Until when the SDK may try to bring lost voice back by itself.
    func patience(from now: Instant) -> Instant? {
        configuration.watchdog.isEnabled
            ? now.advanced(by: configuration.watchdog.resumeWithin) : nil
    }

    /// Says that no voice can be carried, and until when this room object may change that.
    ///
    /// However often the SDK starts anew and says that it has completed: from the loss on, nothing
    /// lasts longer than its patience and one silence more, but for a room that is cut off.
    func lose(_ room: inout LiveRoom, until: Instant?, at now: Instant) {
        var since = now
        if case .lost(let earlier, _) = room.link { since = earlier }
        let latest = since.advanced(
            by: configuration.watchdog.resumeWithin + configuration.watchdog.suspectAfter
        )
        var until = until.map { min($0, latest) }
        if let least = room.cutOffUntil { until = until.map { max($0, least) } }
        room.link = .lost(since: since, until: until)
        room.returnedAt = nil
    }

    /// Says that voice is lost if statistics without a sign of life since `previous` tell of it.
    func loseIfDead(_ room: inout LiveRoom, since previous: Instant, at now: Instant) {
        guard configuration.watchdog.isEnabled else { return }
        if isResumedInVain(room, at: now) {
            let until = now.advanced(by: configuration.watchdog.actAfter)
            if room.isLost {
                room.shorten(to: until)
            } else {
                lose(&room, until: until, at: now)
            }
        } else if room.fellSilent(since: previous) {
            lose(&room, until: patience(from: now), at: now)
        }
    }

    /// Whether the SDK has resumed without the agent's voice for so long that checks prove nothing.
    ///
    /// A server that moves a session to another node takes the agent's voice down and leaves the
    /// transport by which the user is heard. If it refuses each resume, as with a token that has
    /// run out, only another room object with a fresh token comes back.
    func isResumedInVain(_ room: LiveRoom, at now: Instant) -> Bool {
        configuration.partner == .agent && configuration.watchdog.isEnabled
            && room.isResumedInVain(at: now)
    }

    /// Whether voice comes in and none goes out, most likely: no check is answered any more.
    ///
    /// Only the status says so, and only while the microphone is open, and with it a second
    /// transport: at 10 % loss the checks of both hardly ever fail for so long. The SDK finds it,
    /// too, some 4 s later; where ICE knows no way round, no other room object does.
    func isSentInVain(_ room: LiveRoom) -> Bool {
        let watchdog = configuration.watchdog
        return watchdog.isEnabled && room.hearsVoice && room.microphone.isOpen
            && room.isUnanswered(for: watchdog.suspectAfter)
    }

    /// When the server should have taken the microphone's track and offered the agent's at last.
    ///
    /// A join whose signalling died right after it leaves transports that answer consent checks and
    /// carry nothing.
    func openingDeadline(of room: LiveRoom) -> Instant? {
        room.resumingSince == nil && !room.isLost ? overdueAt(room) : nil
    }

    func isOverdue(_ room: LiveRoom, at now: Instant) -> Bool {
        overdueAt(room).map { now >= $0 } ?? false
    }

    private func overdueAt(_ room: LiveRoom) -> Instant? {
        guard configuration.watchdog.isEnabled else { return nil }
        let patience = configuration.watchdog.suspectAfter
        let opening = room.isOpeningAsked ? nil : room.microphone.unopenedSince
        let openedBy = opening?.advanced(by: patience)
        guard let since = room.speechlessSince else { return openedBy }
        let heardBy = room.agentAwaitedUntil ?? since.advanced(by: patience)
        return openedBy.map { min($0, heardBy) } ?? heardBy
    }

    /// Until when a room object is kept that has not brought in time what a connect should bring.
    ///
    /// On a long path that takes longer, and another one would take as long again: an offer and its answer, checks,
    /// and DTLS (RFC 8445, RFC 6347) need four round trips.
    private func openingPatience(of room: LiveRoom, at now: Instant) -> Instant {
        let due = now.advanced(by: configuration.watchdog.actAfter)
        guard let since = room.unopenedSince else { return due }
        return max(due, since.advanced(by: longestRoundTrip(of: room) * 4))
    }

    /// The round trip of a room's path, by its statistics and by the probes that found it slow.
    func longestRoundTrip(of room: LiveRoom) -> Duration {
        max(slowRoundTrip, room.statistics.roundTrip ?? .zero)
    }

    /// Asks for TCP before a room object that brings voice is given up for its microphone.
    ///
    /// Another one needs TCP, too, and takes down a downlink that lives (D-21). The user reads at
    /// once that nobody hears them.
    ///
    /// - Returns: Whether it is asked for.
    private func askBeforeGivingUp(_ room: inout LiveRoom) -> Bool {
        guard room.speechlessSince == nil, room.hearsVoice else { return false }
        room.openingAskedSince = room.microphone.unopenedSince
        return true
    }

    /// Whether the room object is kept until TCP gets through, or the SDK reconnects by itself.
    func awaitsAnswer(_ room: LiveRoom) -> Bool {
        room.isOpeningAsked && room.resumingSince == nil && !room.isLost
    }

    mutating func watch(_ room: LiveRoom, in turn: inout Turn<Effect>) {
        var room = room
        if let until = room.restoredUntil, turn.now >= until { room.restoredUntil = nil }
        if let due = room.resumeDueAt, turn.now >= due { room.resumeDueAt = nil }
        room.microphone.wake(at: turn.now)
        if let partsAt = room.partsAt, turn.now >= partsAt {
            if turn.now <= partsAt.advanced(by: Self.latenessMax),
                isParted(room, at: turn.now), room.showsLife(at: turn.now)
            {
                return startAnew(room, in: &turn)
            }
            room.partsAt = nil
        }
        if let due = openingDeadline(of: room), turn.now >= due {
            if turn.now <= due.advanced(by: Self.latenessMax) {
                if isDeserted(room, by: due) { return desert(room, in: &turn) }
                if askBeforeGivingUp(&room) || awaitAgent(of: &room, at: turn.now) {
                    return keep(room, in: &turn)
                }
                lose(&room, until: openingPatience(of: room, at: turn.now), at: turn.now)
                return keep(room, in: &turn)
            }
            room.restartOpening(at: turn.now)
        }
        guard let until = room.linkDeadline, turn.now >= until else {
            return keep(room, in: &turn)
        }
        guard turn.now <= until.advanced(by: Self.latenessMax) else {
            room.link =
                room.isLost
                ? .lost(since: turn.now, until: silence(from: turn.now))
                : .live(until: silence(from: turn.now))
            return keep(room, in: &turn)
        }
        if room.isLost { return replace(room, in: &turn) }
        let watchdog = configuration.watchdog
        let isResumed = room.resumingSince != nil && !room.isRenewing
        let grace = isResumed ? watchdog.resumeWithin : watchdog.actAfter
        lose(&room, until: turn.now.advanced(by: grace), at: turn.now)
        keep(room, in: &turn)
    }
}
