import SansIO

/// Brings the outside to where the state wants it: each function orders only what differs.
extension RealtimeSession {
    mutating func settle(in turn: inout Turn<Effect>) {
        settleRoom(in: &turn)
        settleVoice(in: &turn)
        settleStatus(in: &turn)
        settleProbe(in: &turn)
    }

    /// The renderer hears the remote track while the app may play (RS-05, RS-15); the microphone is on
    /// unless it is muted or another has the audio.
    ///
    /// The SDK forgets requests that are made while it reconnects (client-sdk-swift, issue 367), so
    /// opening the microphone waits for that to end. Closing it never waits: the SDK stops the track
    /// before it tells anybody (client-sdk-swift, `Track.swift`).
    private mutating func settleRoom(in turn: inout Turn<Effect>) {
        guard case .connected(var room) = state else { return }
        settleInquiry(&room, in: &turn)
        let mayHear = room.remoteTracks > 0 && audio == .available
        if mayHear != room.isRendering {
            room.isRendering = mayHear
            turn.order(.room(room.id, mayHear ? .startRenderer : .stopRenderer))
        }
        let isOpen = !isMuted && audio == .available
        if room.resumingSince == nil || !isOpen && room.microphone.isOpen {
            let order = room.microphone.settle(
                isEnabled: isOpen,
                at: turn.now,
                operations: &operations
            )
            if let order { turn.order(.room(room.id, order)) }
        }
        renewSignalling(of: &room, isOpen: isOpen, in: &turn)
        state = .connected(room)
    }

    /// Whether a conversation that was connected has no voice; `nil` where there is no conversation.
    ///
    /// Without a watchdog the SDK's reconnecting is all there is to go by.
    private var isVoiceLost: Bool? {
        switch state {
        case .disconnected: nil
        case .fetchingToken, .connecting, .waiting: wasConnected ? true : nil
        case .connected(let room):
            room.isLost || room.isLeftAlone
                || room.resumingSince != nil && !configuration.watchdog.isEnabled
        }
    }

    private mutating func settleVoice(in turn: inout Turn<Effect>) {
        guard let isVoiceLost else {
            if isHandedOver { turn.order(.endOffline) }
            isHandedOver = false
            return
        }
        guard isVoiceLost != isHandedOver else { return }
        isHandedOver = isVoiceLost
        turn.order(isVoiceLost ? .handOverOffline : .takeBackOnline)
    }

    private mutating func settleStatus(in turn: inout Turn<Effect>) {
        if case .connected = state, let until = audioTakenUntil, turn.now >= until {
            audioTakenUntil = nil
        }
        let status = statusOfState(at: turn.now)
        guard status != shown else { return }
        shown = status
        turn.order(.statusChanged(status))
    }

    private func statusOfState(at now: Instant) -> SessionStatus {
        switch state {
        case .disconnected(let stage, _): SessionStatus(stage)
        case .fetchingToken(let error):
            connectingStatus(.fetchingToken, after: isSlow ? error : nil)
        case .connecting: connectingStatus(.connecting)
        case .waiting(_, let error): connectingStatus(.connecting, after: error)
        case .connected(let room): SessionStatus(stage(of: room, at: now))
        }
    }

    /// Whether the fast phase is over (D-19).
    private var isSlow: Bool { configuration.outerRetry.isSlow(afterFailures: failures) }

    /// The status of an attempt or a wait; once the fast phase is over, it says that nothing came of it
    /// (RS-09, D-19), unless a token is what is missing (RS-02).
    private func connectingStatus(
        _ stage: SessionStage,
        after error: APIError? = nil
    ) -> SessionStatus {
        if let error { return SessionStatus(.tokenFailed, cause: error.cause.text) }
        if isSlow || missesAgent { return SessionStatus(.couldNotConnect) }
        return SessionStatus(wasConnected ? .reconnecting : stage)
    }

    /// What the user reads of a room: not that both sides hear each other while the engine is off.
    ///
    /// As long as the SDK reconnects it says so (D-06), but for voice that was lost and is back:
    /// where signalling stays behind, as on a dead Wi-Fi while voice goes by cellular, both sides
    /// hear each other all the same (D-21). So they do where its token has run out.
    ///
    /// But not after an unmute that signalling has yet to tell the server, or may never have told.
    ///
    /// The app of a call reads from the stage whether the room is joined; its user looks at the
    /// system's screen.
    private func stage(of room: LiveRoom, at now: Instant) -> SessionStage {
        if audio == .taken { return .audioTaken }
        if missesAgent, room.speechlessSince != nil { return .couldNotConnect }
        let isRenewing = room.isRenewing && room.hearsVoice
        let isReconnecting =
            room.resumingSince != nil && !room.isHeardAgain && !isRenewing
            && !reconnectsInVain(room, at: now)
        if room.isLost || room.isLeftAlone || isReconnecting || isUntold(room, at: now) {
            return .reconnecting
        }
        if isSentInVain(room) { return .reconnecting }
        if audio == .starting, configuration.partner == .agent {
            return audioTakenUntil == nil ? .startingEngine : .audioTaken
        }
        return room.restoredUntil == nil ? .connected : .reconnected
    }

    /// Whether the server takes the user for muted, as far as can be told, although they are not.
    func isUntold(_ room: LiveRoom, at now: Instant) -> Bool {
        guard let since = room.resumingSince else { return room.renewal?.isNoticed ?? false }
        guard !isMuted, audio == .available else { return false }
        return room.microphone.needsSignalling(since: room.untoldFrom(reconnectAt: since), at: now)
    }

    /// How long the status of a call outlives it while the engine starts.
    ///
    /// An ordinary start takes less, and shows no status of its own.
    static var engineStartTime: Duration { .seconds(1) }
}
