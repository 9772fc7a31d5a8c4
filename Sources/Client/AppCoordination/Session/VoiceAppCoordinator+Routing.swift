import RealtimeVoice
import SansIO

/// What the inner machines order: it leaves as it is, or meets another of them.
///
/// Each `tell` gives one of them a fact, or wakes it, and follows what it orders.
extension VoiceAppCoordinator {
    mutating func tellSession(
        _ event: RealtimeSession.Event?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        session.drive(event, at: now, into: &sessionEffects)
        var (mustSignIn, mustIdentify) = (false, false)
        for effect in sessionEffects.effects {
            switch effect {
            case .room(let room, let command): effects.append(.room(room, command))
            case .callAPI(let operation, let request): effects.append(.callAPI(operation, request))
            case .cancelAPI(let operation): effects.append(.cancelAPI(operation))
            case .probe(let operation, let host): effects.append(.probe(operation, host))
            case .statusChanged(let status): showSession(status, into: &effects)
            case .handOverOffline: effects.append(.handOverOffline)
            case .takeBackOnline: effects.append(.takeBackOnline)
            case .endOffline: effects.append(.endOffline)
            case .signInRequired: mustSignIn = true
            case .deviceIdentityRefused: mustIdentify = true
            case .writeLog(let entry): effects.append(.writeLog(entry))
            }
        }
        sessionEffects.removeAll()
        if mustSignIn { tellLogin(.tokenRefused, at: now, into: &effects) }
        if mustIdentify { identifyAnew(at: now, into: &effects) }
    }

    /// Shows the session's status while it has the word.
    private mutating func showSession(
        _ status: SessionStatus,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch step {
        case .live: show(worded(status), into: &effects)
        case .idle, .signingIn, .identifying, .askingForMicrophone, .startingEngine, .stopped:
            return
        }
    }

    mutating func tellLogin(
        _ event: LoginSession.Event?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        login.drive(event, at: now, into: &loginEffects)
        var token: String?
        for effect in loginEffects.effects {
            switch effect {
            case .readSecureStorage(let operation):
                effects.append(.readSecureStorage(operation, .sessionToken))
            case .writeSecureStorage(let operation, let token):
                effects.append(.writeSecureStorage(operation, .sessionToken, token))
            case .callAPI(let operation, let request): effects.append(.callAPI(operation, request))
            case .cancelAPI(let operation): effects.append(.cancelAPI(operation))
            case .signedIn(let signedInToken): token = signedInToken
            case .signedOut: signedOut(at: now, into: &effects)
            case .signInWanted(let challenge):
                show(SessionStatus(.signedOut), into: &effects)
                effects.append(.showSignIn(challenge: challenge))
            }
        }
        loginEffects.removeAll()
        guard let token else { return }
        if token != bearer { refusedDeviceID = nil }
        bearer = token
        if step == .signingIn {
            identify(at: now, into: &effects)
        } else if shown == SessionStatus(.signedOut) {
            show(SessionStatus(.disconnected), into: &effects)
        }
    }

    /// Only who is signed in talks: the session ends, and the walk is back at its first step.
    private mutating func signedOut(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        bearer = nil
        step = .signingIn
        followsCall = false
        tellSession(.disconnectRequested, at: now, into: &effects)
        show(SessionStatus(.signedOut), into: &effects)
    }

    mutating func tellStore(
        _ event: DeviceIdentityStore.Event,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        store.handle(event, at: now, into: &storeEffects)
        for effect in storeEffects.effects {
            switch effect {
            case .readSecureStorage(let operation):
                effects.append(.readSecureStorage(operation, .deviceIdentity))
            case .writeSecureStorage(let operation, let identity):
                effects.append(.writeSecureStorage(operation, .deviceIdentity, identity))
            case .identified(let identity):
                deviceID = identity
                if step == .identifying { askForMicrophone(into: &effects) }
            case .failed:
                guard step == .identifying else { continue }
                stop(.deviceIdentityFailed, into: &effects)
                isIdentityUnread = true
            }
        }
        storeEffects.removeAll()
    }
}
