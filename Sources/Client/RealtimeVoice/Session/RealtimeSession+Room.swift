import SansIO

/// What a connected room object says, and when it is not believed.
extension RealtimeSession {
    mutating func roomSpoke(_ id: RoomID, _ callback: RoomCallback, in turn: inout Turn<Effect>) {
        switch state {
        case .disconnected, .fetchingToken, .waiting:
            return
        case .connecting(let attempt):
            guard attempt.room == id else { return }
            attemptSpoke(attempt, callback, in: &turn)
        case .connected(let room):
            guard room.id == id else { return }
            roomSpoke(room, callback, in: &turn)
        }
    }

    private mutating func roomSpoke(
        _ room: LiveRoom,
        _ callback: RoomCallback,
        in turn: inout Turn<Effect>
    ) {
        var room = room
        switch callback {
        case .disconnected(let error):
            turn.order(.writeLog(.disconnected(room.id, error)))
            release(room, in: &turn)
            lost(error ?? .unknown, at: turn.now)
            if isActive { awaitStrayJoin(of: room, at: turn.now) }
            return
        case .reconnectStarted, .reconnecting, .reconnectModeChanged, .reconnected,
            .reconnectCompleted:
            turn.order(.writeLog(.reconnect(room.id, callback)))
            reconnectSpoke(&room, callback, at: turn.now)
        case .remoteAudioSubscribed:
            room.trackCame(at: turn.now)
            agentCalledAt = nil
        case .remoteAudioUnsubscribed:
            room.trackWent(awaitsVoice: configuration.partner == .agent, at: turn.now)
        case .statistics(let statistics):
            statisticsCame(&room, statistics, at: turn.now)
        case .microphoneFinished(let operation, let error):
            guard room.microphone.awaits(operation) else { return }
            if let error { turn.order(.writeLog(.microphoneFailed(room.id, error))) }
            let wasAsked = room.isOpeningAsked
            let publishedAt = room.microphone.publicationOrderedAt(operation)
            room.microphone.finished(operation, error, countsPackets: countsPackets, at: turn.now)
            // What took so long is a publication, and the server has answered it.
            if wasAsked, room.microphone.isOpen { room.isSignallingRenewed = true }
            if error == nil, let publishedAt {
                room.signallingAnswered(whatWasSentAt: publishedAt)
            }
        case .connectFinished, .disconnectFinished, .connectionStateChanged, .connected,
            .failedToConnect, .remoteParticipantConnected, .remoteParticipantDisconnected:
            return
        }
        keep(room, in: &turn)
    }

    /// Follows the SDK's own reconnecting, whatever its mode (D-06).
    ///
    /// A full reconnect closes the transports, so voice is lost with it; a quick one may leave it
    /// alone. A completion is believed only where voice was not lost: it also comes after failures
    /// and without any transport (client-sdk-swift 2.16, `Core/Room+Engine.swift`). Otherwise the next
    /// sign of life decides.
    private func reconnectSpoke(_ room: inout LiveRoom, _ callback: RoomCallback, at now: Instant) {
        switch callback {
        case .reconnectStarted:
            if room.resumingSince == nil {
                let notice = SignallingRenewal.noticeTime
                room.isRenewing =
                    room.resumeOrderedAt.map { now < $0.advanced(by: notice) } ?? false
                room.resumeOrderedAt = nil
                room.suspectsPath = !room.isRenewing
                room.resumeDueAt = room.isRenewing ? resumeDue(room, from: now) : nil
            }
            room.resumingSince = room.resumingSince ?? now
            if outlivesToken(room, at: now) {
                lose(&room, until: now, at: now)
            } else if room.isLost {
                lose(&room, until: patience(from: now), at: now)
            }
        case .reconnecting:
            room.resumingSince = room.resumingSince ?? now
            room.rejoiningSince = room.rejoiningSince ?? now
            room.awaitsBaseline = true
            if !room.isLost, configuration.watchdog.isEnabled {
                lose(&room, until: patience(from: now), at: now)
            }
        case .reconnectCompleted(let mode):
            complete(&room, mode, at: now)
        default:
            return
        }
    }

    private func complete(_ room: inout LiveRoom, _ mode: ReconnectMode, at now: Instant) {
        guard let since = room.resumingSince else { return }
        // What the user was not shown is not told as restored.
        let wasHidden = room.isHeardAgain || room.isRenewing && !isUntold(room, at: now)
        room.resumingSince = nil
        room.isRenewing = false
        room.resumeDueAt = nil
        room.returnedAt = nil
        room.suspectsPath = false
        room.restartOpening(at: now)
        room.pairsSoughtSince = now
        switch mode {
        case .quick:
            room.microphone.doubt(switchedFrom: room.untoldFrom(reconnectAt: since))
            room.signallingResumed(at: now)
        case .full:
            room.microphone.forget()
            room.resumedAt = nil
            room.callsNoAgent = true
            if configuration.partner == .agent { room.awaitVoice(at: now) }
        }
        room.signallingDoubtedSince = nil
        room.hearServer(at: now)
        if room.isLost {
            lose(&room, until: silence(from: now), at: now)
        } else if !wasHidden {
            room.restoredUntil = now.advanced(by: Self.restoredNotice)
        }
    }

    private mutating func statisticsCame(
        _ room: inout LiveRoom,
        _ statistics: RoomStatistics,
        at now: Instant
    ) {
        countsPackets = countsPackets || statistics.packetsSent > 0
        countsServerChecks = countsServerChecks || statistics.serverChecks ?? 0 > 0
        room.countsServerChecks = countsServerChecks
        // What came in after the system said that there is no path refutes it; what was under way does not.
        let isTelling = pathLostAt.map { room.statisticsAt > $0 } ?? true
        let previousAt = room.statisticsAt
        let wasCutOff = room.cutOffUntil != nil
        let wasHeardAgain = room.isHeardAgain
        let isAlive =
            room.note(statistics, at: now) && isTelling && !isOverdue(room, at: now)
            && !isResumedInVain(room, at: now)
        room.microphone.observe(
            packetsSent: statistics.packetsSent,
            isTelling: countsPackets && isAlive && room.resumingSince == nil,
            at: now
        )
        guard isAlive else { return loseIfDead(&room, since: previousAt, at: now) }
        if room.isLost || room.resumingSince.map({ previousAt >= $0 }) ?? true {
            room.suspectsPath = false
        }
        guard !isStuck(room) else { return }
        room.blamedFrom = nil
        // One of the transports that a full reconnect makes answers, whether it succeeds or not, and the SDK
        // takes a failure for success: an agent that is there is heard if it has succeeded.
        let isAgentDue =
            configuration.partner == .agent && room.speechlessSince != nil
            && statistics.othersPresent ?? 0 > 0
        if room.resumingSince == nil, !isAgentDue { room.rejoiningSince = nil }
        guard room.rejoiningSince == nil else { return }
        if room.isLost { linkReturned(&room, wasCutOff: wasCutOff, at: now) }
        if livesOn(room, at: now) { room.returnedAt = now }
        room.link = .live(until: silence(from: now))
        if room.isHeardAgain, !wasHeardAgain {
            room.restoredUntil = now.advanced(by: Self.restoredNotice)
        }
        guard room.unopenedSince == nil, !room.microphone.isFailing else { return }
        room.hasLived = true
        failures = 0
        roomsDeserted = 0
        missesAgent = false
    }

    /// Whether the SDK waits for what it began on a path that was dead, while the path is back and checks are
    /// answered.
    ///
    /// A socket that a captive portal took, or whose server was silent, is never answered, and has 7 s. The
    /// agent's voice would be back with the checks if media alone were enough.
    private func isStuck(_ room: LiveRoom) -> Bool {
        configuration.partner == .agent && room.isLost && room.blamedFrom != nil
            && room.resumingSince != nil && room.missesKnownVoice
    }

    /// Whether voice has gone both ways for so long since the SDK began to reconnect that only signalling is
    /// away: the user, who has read of it, hears and is heard (D-06, D-21).
    private func livesOn(_ room: LiveRoom, at now: Instant) -> Bool {
        guard configuration.watchdog.isEnabled, !room.isLost, room.returnedAt == nil,
            room.hearsVoice, !isSentInVain(room), !isUntold(room, at: now),
            let since = room.resumingSince
        else { return false }
        return now >= since.advanced(by: configuration.watchdog.suspectAfter)
    }

    /// A loss is over, and the user reads so: at once, or, while the SDK reconnects, once voice shows.
    private func linkReturned(_ room: inout LiveRoom, wasCutOff: Bool, at now: Instant) {
        if room.resumingSince == nil {
            room.restoredUntil = now.advanced(by: Self.restoredNotice)
        } else {
            room.returnedAt = now
        }
        room.awaitVoiceBack(wasCutOff: wasCutOff, at: now)
    }

    /// Goes on with a room object, or with another one if its microphone cannot be opened.
    mutating func keep(_ room: LiveRoom, in turn: inout Turn<Effect>) {
        var room = room
        if let due = voiceOverdue(room) {
            let watchdog = configuration.watchdog
            let patience = watchdog.suspectAfter + watchdog.actAfter
            if room.showsLife(at: due) {
                guard room.isCutOff(at: due) else {
                    return leaveGhost(room, in: &turn)
                }
                room.awaitTakeover(since: due.advanced(by: .zero - watchdog.suspectAfter))
            }
            // Neither voice nor an answered check that tells: no departure, but not well either.
            lose(&room, until: room.livedAt.advanced(by: patience), at: turn.now)
            room.blameIfReached()
        }
        settleParting(of: &room, at: turn.now)
        state = .connected(room)
        // That it cannot be opened without TCP costs nobody the voice that comes in (D-21).
        let isKept = room.isOpeningAsked && !room.isLost || awaitsTCP(&room, at: turn.now)
        if room.microphone.isHopeless && !isKept || isToBlame(room) {
            replace(room, in: &turn)
        } else if isResumeRefused(room, at: turn.now) {
            replace(room, isFailure: false, in: &turn)
        } else {
            replaceIfUnheard(in: &turn)
        }
    }

    /// When the agent's voice was due that has not come on a link that is not taken for lost; `nil` if it has
    /// time, or has come (D-22).
    ///
    /// An agent sends through its silence, too: where the link lives, it has gone. Its departure may never
    /// be told: the SDK keeps whom the server takes for known to have left (client-sdk-swift 2.16,
    /// `Core/Room+SignalClientDelegate.swift`).
    /// What ends together with all else is no departure but a black hole.
    private func voiceOverdue(_ room: LiveRoom) -> Instant? {
        guard configuration.partner == .agent, configuration.watchdog.isEnabled, !room.isLost,
            room.resumingSince == nil, room.partsAt == nil,
            let due = room.voiceOverdue(after: configuration.watchdog.suspectAfter)
        else { return nil }
        return room.statisticsAt >= due ? due : nil
    }

    /// Lets go of a room object without a leave, and of its renderer first.
    func release(_ room: LiveRoom, in turn: inout Turn<Effect>) {
        cancelRequests(of: room, in: &turn)
        if room.isRendering { turn.order(.room(room.id, .stopRenderer)) }
        turn.order(.room(room.id, .release))
    }

    /// Notes who has the audio: a call on hold has none, so that a person was not to be heard meanwhile.
    mutating func accessChanged(_ audio: AudioAccess, at now: Instant) {
        if audio == .available, self.audio != .available, configuration.partner == .person,
            case .connected(var room) = state
        {
            room.excuseSilence(at: now)
            state = .connected(room)
        }
        let isGivenBack =
            configuration.partner == .agent && self.audio == .taken && audio == .starting
        audioTakenUntil = isGivenBack ? now.advanced(by: Self.engineStartTime) : nil
        self.audio = audio
    }

    /// Replaces a room object that needs signalling which may be dead unnoticed: its microphone
    /// does, or whoever is to come, or a person to come back, of whose voice it would never be told.
    ///
    /// The SDK counts packets that leave the phone; that the server takes them for muted shows nowhere.
    /// Another connect costs some half a second, lost signalling the 15 to 20 s of the SDK's pings.
    /// Where voice comes in, TCP is asked for first (`awaitsTCP`).
    mutating func replaceIfUnheard(in turn: inout Turn<Effect>) {
        guard case .connected(var room) = state, !room.isLost, room.isUnheard(at: turn.now)
        else { return }
        let isAlone =
            switch configuration.partner {
            case .agent: !room.callsNoAgent
            case .person: room.remoteTracks == 0 || room.missesVoice(at: turn.now)
            }
        let isOpening = opensUnheard(&room, at: turn.now) && !awaitsTCP(&room, at: turn.now)
        guard isOpening || isAlone else { return }
        replace(room, in: &turn)
    }

    /// Whether the server may never be told that the microphone is open, since signalling may be dead
    /// unnoticed.
    private func opensUnheard(_ room: inout LiveRoom, at now: Instant) -> Bool {
        guard room.isUnheard(at: now), let since = room.signallingDoubtedSince else { return false }
        return !isMuted && audio == .available && !awaitsRenewal(room) && !awaitsAnswer(room)
            && room.microphone.needsSignalling(since: since, at: now)
    }

    /// Whether another room object is to take over for an open microphone's sake, once TCP gets through.
    ///
    /// Another one needs TCP, and takes down a downlink that lives (D-21): the user would no longer hear the
    /// agent for the sake of being heard by nobody.
    func awaitsTCP(_ room: inout LiveRoom, at now: Instant) -> Bool {
        guard room.hearsVoice, !room.isLost, room.resumingSince == nil, tokenRequest != nil,
            !isMuted, audio == .available
        else { return false }
        return room.microphone.isHopeless || opensUnheard(&room, at: now)
    }

    /// Gives up a room object and connects another one.
    ///
    /// At once the first time, whenever voice had been carried and where nothing has failed; else
    /// as after any failed attempt.
    mutating func replace(_ room: LiveRoom, isFailure: Bool = true, in turn: inout Turn<Effect>) {
        turn.order(.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue)))
        release(room, in: &turn)
        awaitStrayJoin(of: room, at: turn.now)
        guard restraint == .none else { return waitForServer(at: turn.now) }
        guard isFailure else { return attempt(in: &turn) }
        if !room.hasLived { failures += 1 }
        if failures <= 1 {
            attempt(in: &turn)
        } else {
            lost(.timedOut, at: turn.now)
        }
    }
}
