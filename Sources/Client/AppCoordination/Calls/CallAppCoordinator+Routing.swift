import IncomingCalls
import RealtimeVoice
import SansIO

/// What the inner machines order: it leaves as it is, or meets another of them.
extension CallAppCoordinator {
    /// Has everything looked for that is missing, and whom the user has missed.
    mutating func prepare(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        identify(at: now, into: &effects)
        checkMissedCalls(at: now, into: &effects)
    }

    /// Looks again for what a locked keychain did not give: nobody says when the phone is unlocked.
    mutating func readAgain(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        if login.isUnread || isNameless { identify(at: now, into: &effects) }
    }

    /// Plans to look again while there is a call, which its user may unlock the phone for.
    ///
    /// Who has the app in front is being asked to sign in, and would be asked anew every time.
    mutating func settleReading(at now: Instant) {
        let isUnread = login.isUnread && phase != .active
        let isWanted = (isUnread || isNameless) && !registry.descriptions.isEmpty
        readsAgainAt = isWanted ? readsAgainAt ?? now.advanced(by: Self.keychainInterval) : nil
    }

    /// Whether somebody is signed in on a device whose identity could not be read.
    private var isNameless: Bool { bearer != nil && deviceID == nil && !store.isLooking }

    /// Has the login and the device's identity looked for, whatever is missing.
    private mutating func identify(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        if deviceID == nil { tellStore(.requested, at: now, into: &effects) }
        if bearer == nil { tellLogin(.requested, at: now, into: &effects) }
    }

    mutating func pathChanged(
        _ path: NetworkPath,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        tellLogin(.pathChanged(path), at: now, into: &effects)
        tellSessions(.pathChanged(path), at: now, into: &effects)
        guard path != .unsatisfied else { return }
        tellRegistry(.pathRestored, at: now, into: &effects)
        tellRegistration(.pathRestored, at: now, into: &effects)
        checkMissedCalls(at: now, into: &effects)
    }

    /// Has the server told in the user's name, before the login forgets them and all that goes on for them ends.
    ///
    /// Right after a launch the keychain has yet to say in whose name: until then they are not logged out.
    mutating func logoutTapped(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        isLeaving = login.isReading || (bearer != nil && deviceID == nil && store.isLooking)
        guard !isLeaving else { return }
        formerCredentials = credentials ?? formerCredentials
        tellRegistration(.loggedOut, at: now, into: &effects)
        tellLogin(.loggedOut, at: now, into: &effects)
    }

    private mutating func checkMissedCalls(
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard noticesMissedCalls else { return }
        tellInbox(.checkRequested, at: now, into: &effects)
    }

    private var credentials: CallCredentials? {
        guard let bearer, let deviceID else { return nil }
        return CallCredentials(bearer: bearer, deviceID: deviceID)
    }

    /// Tells everybody who the app is to its server now.
    private mutating func shareCredentials(
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        let credentials = credentials
        tellRegistry(.credentialsChanged(credentials), at: now, into: &effects)
        tellRegistration(.credentialsChanged(credentials), at: now, into: &effects)
        tellInbox(.credentialsChanged(credentials), at: now, into: &effects)
    }

    private func call(
        _ operation: OperationID,
        _ request: CallRequest,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let credentials = credentials ?? formerCredentials else { return }
        effects.append(.callServer(operation, request, credentials))
    }
}

// MARK: Telling

/// Each `tell` gives one inner machine a fact, or wakes it, and follows what it orders.
extension CallAppCoordinator {
    /// Lets all leave that leaves before what meets another machine: a push's report comes first.
    mutating func tellRegistry(
        _ event: CallRegistry.Event?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        registry.drive(event, at: now, into: &registryEffects)
        var media: [(UniqueID, CallMediaCommand)] = []
        var mustSignIn = false
        var missed: [(from: Instant?, by: Instant?)] = []
        for effect in registryEffects.effects {
            switch effect {
            case .system(let command): effects.append(.system(command))
            case .completePush(let push): effects.append(.completePush(push))
            case .configureAudio: effects.append(.configureAudio)
            case .media(let uuid, let command): media.append((uuid, command))
            case .callAPI(let operation, let request): call(operation, request, into: &effects)
            case .callAPIAsFormer(let operation, let request, let former):
                effects.append(.callServer(operation, request, former))
            case .cancelAPI(let operation): effects.append(.cancelAPI(operation))
            case .writeStorage(let text): effects.append(.writeStorage(.callMemory, text))
            case .announce(let event): effects.append(.announce(event))
            case .missedCallExpected(let from, let by): missed.append((from, by))
            case .microphoneMissing: effects.append(.explainMicrophone(.refused))
            case .signInRequired: mustSignIn = true
            case .writeLog(let entry): effects.append(.writeCallLog(entry))
            }
        }
        registryEffects.removeAll()
        for (uuid, command) in media { self.media(uuid, command, at: now, into: &effects) }
        for (from, by) in missed where noticesMissedCalls {
            tellInbox(.callMissed(from: from, by: by), at: now, into: &effects)
        }
        if mustSignIn { refuseLogin(at: now, into: &effects) }
    }

    mutating func tellRegistration(
        _ event: PushTokenRegistration.Event?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        registration.drive(event, at: now, into: &registrationEffects)
        var (mustSignIn, mustIdentify, wasUnreachable) = (false, false, false)
        for effect in registrationEffects.effects {
            switch effect {
            case .callAPI(let operation, let request): call(operation, request, into: &effects)
            case .cancelAPI(let operation): effects.append(.cancelAPI(operation))
            case .registered, .gaveUp: break
            case .registeredLate: wasUnreachable = true
            case .signInRequired: mustSignIn = true
            case .deviceIdentityRefused: mustIdentify = true
            }
        }
        registrationEffects.removeAll()
        if mustSignIn { refuseLogin(at: now, into: &effects) }
        if mustIdentify, let deviceID { tellStore(.refused(deviceID), at: now, into: &effects) }
        // Who called meanwhile was told that nobody answers, and no push says so here.
        if wasUnreachable { checkMissedCalls(at: now, into: &effects) }
    }

    mutating func tellInbox(
        _ event: MissedCallInbox.Event?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        inbox.drive(event, at: now, into: &inboxEffects)
        var mustSignIn = false
        for effect in inboxEffects.effects {
            switch effect {
            case .callAPI(let operation, let request): call(operation, request, into: &effects)
            case .cancelAPI(let operation): effects.append(.cancelAPI(operation))
            case .notify(let call): effects.append(.notify(call))
            case .writeStorage(let text): effects.append(.writeStorage(.missedCalls, text))
            case .signInRequired: mustSignIn = true
            }
        }
        inboxEffects.removeAll()
        if mustSignIn { refuseLogin(at: now, into: &effects) }
    }

    mutating func tellSessions(
        _ event: RealtimeSession.Event?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        for index in lines.indices { tellSession(index, event, at: now, into: &effects) }
    }

    mutating func tellSession(
        _ index: Int,
        _ event: RealtimeSession.Event?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        lines[index].session.drive(event, at: now, into: &sessionEffects)
        let line = CallLine(index: UInt8(index))
        var (mustSignIn, mustIdentify) = (false, false)
        for effect in sessionEffects.effects {
            switch effect {
            case .room(let room, let command): effects.append(.room(line, room, command))
            case .callAPI(let operation, let request): effects.append(.callAPI(operation, request))
            case .cancelAPI(let operation): effects.append(.cancelAPI(operation))
            case .probe(let operation, let host): effects.append(.probe(line, operation, host))
            case .statusChanged(let status):
                if let uuid = lines[index].uuid { effects.append(.show(uuid, status)) }
            case .handOverOffline: lines[index].isApart = true
            case .takeBackOnline, .endOffline: lines[index].isApart = false
            case .signInRequired: mustSignIn = true
            case .deviceIdentityRefused: mustIdentify = true
            case .writeLog(let entry): effects.append(.writeLog(entry))
            }
        }
        sessionEffects.removeAll()
        if mustSignIn { refuseLogin(at: now, into: &effects) }
        // The call is lost; the next one has an identity of its user's.
        if mustIdentify, let deviceID { tellStore(.refused(deviceID), at: now, into: &effects) }
    }

    /// The server does not take the login any more.
    private mutating func refuseLogin(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        guard bearer != nil else { return }
        tellLogin(.tokenRefused, at: now, into: &effects)
    }

    mutating func tellLogin(
        _ event: LoginSession.Event?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        let former = bearer
        login.drive(event, at: now, into: &loginEffects)
        for effect in loginEffects.effects {
            switch effect {
            case .readSecureStorage(let operation):
                effects.append(.readSecureStorage(operation, .sessionToken))
            case .writeSecureStorage(let operation, let token):
                effects.append(.writeSecureStorage(operation, .sessionToken, token))
            case .callAPI(let operation, let request): effects.append(.callAPI(operation, request))
            case .cancelAPI(let operation): effects.append(.cancelAPI(operation))
            case .signedIn(let token): bearer = token
            case .signedOut: bearer = nil
            case .signInWanted(let challenge): effects.append(.showSignIn(challenge: challenge))
            }
        }
        loginEffects.removeAll()
        // Logged out, or the keychain was read after a push had come.
        if login.isSignedOut, !registry.isSignedOut {
            tellRegistry(.signedOut, at: now, into: &effects)
        }
        guard bearer != former else { return }
        // Who signs in wants to know at once whom they missed meanwhile.
        if bearer != nil { checkMissedCalls(at: now, into: &effects) }
        shareCredentials(at: now, into: &effects)
    }

    mutating func tellStore(
        _ event: DeviceIdentityStore.Event,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        store.handle(event, at: now, into: &storeEffects)
        var isIdentified = false
        for effect in storeEffects.effects {
            switch effect {
            case .readSecureStorage(let operation):
                effects.append(.readSecureStorage(operation, .deviceIdentity))
            case .writeSecureStorage(let operation, let identity):
                effects.append(.writeSecureStorage(operation, .deviceIdentity, identity))
            case .identified(let identity):
                deviceID = identity
                isIdentified = true
            case .failed: break
            }
        }
        storeEffects.removeAll()
        if isIdentified { shareCredentials(at: now, into: &effects) }
    }
}
