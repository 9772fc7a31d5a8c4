import RealtimeVoice
import SansIO

/// What the inner machines order: it leaves as it is, or meets another of them.
///
/// Each `tell` gives one of them a fact, or wakes it, and follows what it orders.
extension VoiceAppCoordinator {
    mutating func tellSession(_ event: RealtimeSession.Event?, in turn: inout Turn<Effect>) {
        var (mustSignIn, mustIdentify) = (false, false)
        for effect in session.drive(event, at: turn.now) {
            switch effect {
            case .room(let room, let command): turn.order(.room(room, command))
            case .callAPI(let operation, let request): turn.order(.callAPI(operation, request))
            case .cancelAPI(let operation): turn.order(.cancelAPI(operation))
            case .probe(let operation, let host): turn.order(.probe(operation, host))
            case .statusChanged(let status): showSession(status, in: &turn)
            case .handOverOffline: turn.order(.handOverOffline)
            case .takeBackOnline: turn.order(.takeBackOnline)
            case .endOffline: turn.order(.endOffline)
            case .signInRequired: mustSignIn = true
            case .deviceIdentityRefused: mustIdentify = true
            case .writeLog(let entry): turn.order(.writeLog(entry))
            }
        }
        if mustSignIn { tellLogin(.tokenRefused, in: &turn) }
        if mustIdentify { identifyAnew(in: &turn) }
    }

    /// Shows the session's status while it has the word.
    private mutating func showSession(_ status: SessionStatus, in turn: inout Turn<Effect>) {
        switch step {
        case .live: show(worded(status), in: &turn)
        case .idle, .signingIn, .identifying, .askingForMicrophone, .startingEngine, .stopped:
            return
        }
    }

    mutating func pathChanged(_ path: NetworkPath, in turn: inout Turn<Effect>) {
        if case .satisfied(let interface) = path { tellAudio(.pathChanged(interface), in: &turn) }
        tellSession(.pathChanged(path), in: &turn)
        tellLogin(.pathChanged(path), in: &turn)
    }

    /// Gives the audio what a room object's statistics say of the link.
    mutating func tellAudio(
        of callback: RoomCallback,
        from room: RoomID,
        in turn: inout Turn<Effect>
    ) {
        guard case .statistics(let statistics) = callback else { return }
        tellAudio(.measured(room, statistics), in: &turn)
    }

    mutating func tellAudio(_ event: AudioAdapter.Event, in turn: inout Turn<Effect>) {
        for effect in audio?.drive(event, at: turn.now) ?? [] {
            switch effect {
            case .publish(let audio): turn.order(.publish(audio))
            }
        }
    }

    mutating func tellLogin(_ event: LoginSession.Event?, in turn: inout Turn<Effect>) {
        var token: String?
        for effect in login.drive(event, at: turn.now) {
            switch effect {
            case .readSecureStorage(let operation):
                turn.order(.readSecureStorage(operation, .sessionToken))
            case .writeSecureStorage(let operation, let token):
                turn.order(.writeSecureStorage(operation, .sessionToken, token))
            case .callAPI(let operation, let request): turn.order(.callAPI(operation, request))
            case .cancelAPI(let operation): turn.order(.cancelAPI(operation))
            case .signedIn(let signedInToken): token = signedInToken
            case .signedOut: signedOut(in: &turn)
            case .signInWanted(let challenge):
                show(SessionStatus(.signedOut), in: &turn)
                turn.order(.showSignIn(challenge: challenge))
            }
        }
        guard let token else { return }
        if token != bearer { refusedDeviceID = nil }
        bearer = token
        if step == .signingIn {
            identify(in: &turn)
        } else if shown == SessionStatus(.signedOut) {
            show(SessionStatus(.disconnected), in: &turn)
        }
    }

    /// Only who is signed in talks: the session ends, and the walk is back at its first step.
    private mutating func signedOut(in turn: inout Turn<Effect>) {
        bearer = nil
        step = .signingIn
        followsCall = false
        tellSession(.disconnectRequested, in: &turn)
        show(SessionStatus(.signedOut), in: &turn)
    }

    mutating func tellStore(_ event: DeviceIdentityStore.Event, in turn: inout Turn<Effect>) {
        for effect in store.drive(event, at: turn.now) {
            switch effect {
            case .readSecureStorage(let operation):
                turn.order(.readSecureStorage(operation, .deviceIdentity))
            case .writeSecureStorage(let operation, let identity):
                turn.order(.writeSecureStorage(operation, .deviceIdentity, identity))
            case .identified(let identity):
                deviceID = identity
                if step == .identifying { askForMicrophone(in: &turn) }
            case .failed:
                guard step == .identifying else { continue }
                stop(.deviceIdentityFailed, in: &turn)
                isIdentityUnread = true
            }
        }
    }
}
