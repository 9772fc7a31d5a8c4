import IncomingCalls
import RealtimeVoice
import SansIO

/// The media of calls: lines, their sessions and the voice engine.
extension CallAppCoordinator {
    /// Carries out what the registry wants of a call's media.
    mutating func media(
        _ uuid: UniqueID,
        _ command: CallMediaCommand,
        in turn: inout Turn<Effect>
    ) {
        if case .join(let room) = command { return join(uuid, room, in: &turn) }
        guard let index = lines.firstIndex(where: { $0.uuid == uuid }) else { return }
        switch command {
        case .join:
            return
        case .leave:
            lines[index].uuid = nil
            tellSession(index, .disconnectRequested, in: &turn)
        case .setMuted(let isMuted):
            tellSession(index, .muteChanged(isMuted: isMuted), in: &turn)
        case .setHeld(let isHeld):
            lines[index].isHeld = isHeld
        }
    }

    /// Takes a line for a call; there is one, since there are as many as calls.
    private mutating func join(_ uuid: UniqueID, _ room: String, in turn: inout Turn<Effect>) {
        guard let deviceID, let index = lines.firstIndex(where: { $0.uuid == nil }) else { return }
        lines[index].uuid = uuid
        lines[index].isHeld = false
        lines[index].isConnected = false
        lines[index].isHeard = false
        lines[index].isApart = false
        lines[index].isKnownApart = false
        tellSession(index, .muteChanged(isMuted: false), in: &turn)
        let identity = SessionIdentity(deviceID: deviceID, bearer: bearer, room: room)
        tellSession(index, .connectRequested(identity), in: &turn)
    }

    mutating func roomSpoke(
        _ line: CallLine,
        _ room: RoomID,
        _ callback: RoomCallback,
        in turn: inout Turn<Effect>
    ) {
        let index = Int(line.index)
        guard lines.indices.contains(index) else { return }
        tellSession(index, .room(room, callback), in: &turn)
        guard let uuid = lines[index].uuid else { return }
        switch callback {
        case .remoteParticipantDisconnected:
            tellRegistry(.mediaPeerLeft(uuid), in: &turn)
        case .statistics(let statistics):
            // A room that is joined anew says nothing of who left meanwhile.
            guard let others = statistics.othersPresent, lines[index].session.isJoined else {
                return
            }
            let isHeard = statistics.packetsReceived.map { $0 > 0 } ?? (others > 0)
            if isHeard, !lines[index].isHeard {
                lines[index].isHeard = true
                tellRegistry(.mediaPeerHeard(uuid), in: &turn)
            }
            tellRegistry(.mediaPeerSeen(uuid, isPresent: others > 0), in: &turn)
        default: return
        }
    }

    mutating func probeAnswered(
        _ line: CallLine,
        _ operation: OperationID,
        in turn: inout Turn<Effect>
    ) {
        let index = Int(line.index)
        guard lines.indices.contains(index) else { return }
        tellSession(index, .probeAnswered(operation), in: &turn)
    }

    /// Brings engine and sessions to where the calls want them, and tells the registry how the media are.
    mutating func settle(in turn: inout Turn<Effect>) {
        for index in lines.indices {
            guard let uuid = lines[index].uuid else { continue }
            if !lines[index].session.isActive {
                tellRegistry(.mediaLost(uuid), in: &turn)
            } else if !lines[index].isConnected, lines[index].session.isJoined {
                lines[index].isConnected = true
                tellRegistry(.mediaConnected(uuid), in: &turn)
            } else if lines[index].isApart != lines[index].isKnownApart {
                let isApart = lines[index].isApart
                lines[index].isKnownApart = isApart
                tellRegistry(.mediaInterrupted(uuid, isInterrupted: isApart), in: &turn)
            }
        }
        settleEngine(in: &turn)
        for index in lines.indices {
            let access = audioAccess(of: lines[index])
            guard access != lines[index].session.audio else { continue }
            tellSession(index, .audioAccessChanged(access), in: &turn)
        }
        settleMicrophone(in: &turn)
        settleReading(at: turn.now)
        settleBackgroundTask(in: &turn)
    }

    /// Asks not to be suspended while the server is still to be told that a call is over or how to reach
    /// the device, or to be asked whom the user missed or whether a call rings at all.
    ///
    /// One lost packet takes longer than what is left after a ring, or after a push that has been reported
    /// as over.
    private mutating func settleBackgroundTask(in turn: inout Turn<Effect>) {
        let isRegistering = phase == .background && registration.isTrying
        let isBusy =
            inbox.isBusy || registry.hasFarewells || registry.hasDoubts || isRegistering
        let isNeeded = !isOutOfTime && isBusy
        guard isNeeded != hasAskedForTime else { return }
        hasAskedForTime = isNeeded
        let (begin, end) = (Effect.beginBackgroundTask, Effect.endBackgroundTask)
        turn.order(isNeeded ? begin : end)
    }

    /// The engine runs while the system has the audio session active and a call is there to be heard.
    private mutating func settleEngine(in turn: inout Turn<Effect>) {
        let isWanted = registry.isAudioActive && lines.contains { $0.uuid != nil }
        switch (engine, isWanted) {
        case (.stopped, true):
            let operation = operations.next()
            engine = .starting(operation)
            turn.order(.startVoiceEngine(operation))
        case (.starting, false), (.running, false):
            engine = .stopped
            turn.order(.stopVoiceEngine)
        case (.failed, false):
            engine = .stopped
        case (.stopped, false), (.starting, true), (.running, true), (.failed, true):
            break
        }
        if !isWanted { engineFailures = 0 }
    }

    private func audioAccess(of line: Line) -> AudioAccess {
        guard line.uuid != nil else { return .starting }
        if line.isHeld { return .taken }
        return engine == .running ? .available : .starting
    }

    mutating func engineAnswered(_ operation: OperationID, _ isRunning: Bool, at now: Instant) {
        guard engine == .starting(operation) else { return }
        guard !isRunning else {
            engine = .running
            engineFailures = 0
            return
        }
        engineFailed(at: now)
    }

    /// The engine does not run: it is started again, and less often once it has failed some times in a row.
    mutating func engineFailed(at now: Instant) {
        engineFailures += 1
        let isPersistent = engineFailures >= Self.engineFailuresMax
        let delay = isPersistent ? Self.engineSlowRetryDelay : Self.engineRetryDelay
        engine = .failed(retryAt: now.advanced(by: delay))
    }
}

extension RealtimeSession {
    /// Whether the room has been joined and voice could flow, were it not for the audio session.
    fileprivate var isJoined: Bool {
        switch status.stage {
        case .connected, .reconnected, .audioTaken: true
        case .disconnected, .preparingDevice, .deviceIdentityFailed, .signedOut,
            .askingForMicrophone, .microphoneRefused, .startingEngine, .engineFailed,
            .fetchingToken, .tokenFailed, .connecting, .reconnecting, .couldNotConnect, .takenOver:
            false
        }
    }
}
