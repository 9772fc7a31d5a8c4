import IncomingCalls
import RealtimeVoice
import SansIO

/// What the inner machines order: it leaves as it is, or meets another of them.
extension CallAppCoordinator {
    /// Has everything looked for that is missing, and whom the user has missed.
    mutating func prepare(in turn: inout Turn<Effect>) {
        identify(in: &turn)
        checkMissedCalls(in: &turn)
    }

    /// Looks again for what a locked keychain did not give: nobody says when the phone is unlocked.
    mutating func readAgain(in turn: inout Turn<Effect>) {
        if lacksSuccessor, let deviceID { tellStore(.refused(deviceID), in: &turn) }
        if login.isUnread || isNameless { identify(in: &turn) }
    }

    /// Plans to look again while there is a call, which its user may unlock the phone for.
    ///
    /// Who has the app in front is being asked to sign in, and would be asked anew every time. A device
    /// without an identity is looked after without a call, too: nobody can call it.
    mutating func settleReading(at now: Instant) {
        let isUnread = login.isUnread && phase != .active
        let hasCall = !registry.descriptions.isEmpty
        guard isNameless || lacksSuccessor || isUnread && hasCall else {
            readsAgainAt = nil
            return
        }
        let interval = hasCall ? Self.keychainInterval : Self.identityInterval
        let again = now.advanced(by: interval)
        readsAgainAt = min(readsAgainAt ?? again, again)
    }

    /// Whether somebody is signed in on a device whose identity could not be read.
    private var isNameless: Bool { bearer != nil && deviceID == nil && !store.isLooking }

    /// Has the login and the device's identity looked for, whatever is missing.
    private mutating func identify(in turn: inout Turn<Effect>) {
        if deviceID == nil { tellStore(.requested, in: &turn) }
        if bearer == nil { tellLogin(.requested, in: &turn) }
    }

    mutating func pathChanged(_ path: NetworkPath, in turn: inout Turn<Effect>) {
        tellLogin(.pathChanged(path), in: &turn)
        tellSessions(.pathChanged(path), in: &turn)
        guard path != .unsatisfied else { return }
        tellRegistry(.pathRestored, in: &turn)
        tellRegistration(.pathRestored, in: &turn)
        checkMissedCalls(in: &turn)
    }

    /// Has the server told in the user's name, before the login forgets them and all that goes on for them ends.
    ///
    /// Right after a launch the keychain has yet to say in whose name: until then they are not logged out.
    mutating func logoutTapped(in turn: inout Turn<Effect>) {
        isLeaving = login.isReading || (bearer != nil && deviceID == nil && store.isLooking)
        guard !isLeaving else { return }
        formerCredentials = credentials ?? formerCredentials
        tellRegistration(.loggedOut, in: &turn)
        tellLogin(.loggedOut, in: &turn)
    }

    private mutating func checkMissedCalls(in turn: inout Turn<Effect>) {
        guard noticesMissedCalls else { return }
        tellInbox(.checkRequested, in: &turn)
    }

    private var credentials: CallCredentials? {
        guard let bearer, let deviceID else { return nil }
        return CallCredentials(bearer: bearer, deviceID: deviceID)
    }

    /// Tells everybody who the app is to its server now.
    private mutating func shareCredentials(in turn: inout Turn<Effect>) {
        let credentials = credentials
        tellRegistry(.credentialsChanged(credentials), in: &turn)
        tellRegistration(.credentialsChanged(credentials), in: &turn)
        tellInbox(.credentialsChanged(credentials), in: &turn)
    }

    private func call(
        _ operation: OperationID,
        _ request: CallRequest,
        in turn: inout Turn<Effect>
    ) {
        guard let credentials = credentials ?? formerCredentials else { return }
        turn.order(.callServer(operation, request, credentials))
    }
}

// MARK: Telling

/// Each `tell` gives one inner machine a fact, or wakes it, and follows what it orders.
extension CallAppCoordinator {
    /// Lets all leave that leaves before what meets another machine: a push's report comes first.
    mutating func tellRegistry(_ event: CallRegistry.Event?, in turn: inout Turn<Effect>) {
        var media: [(UniqueID, CallMediaCommand)] = []
        var mustSignIn = false
        var missed: [MissedCallInbox.Event] = []
        let present = registry.descriptions
        var notice: MissedCall?
        for effect in registry.drive(event, at: turn.now) {
            switch effect {
            case .system(let command): turn.order(.system(command))
            case .completePush(let push): turn.order(.completePush(push))
            case .configureAudio: turn.order(.configureAudio)
            case .media(let uuid, let command): media.append((uuid, command))
            case .callAPI(let operation, let request): call(operation, request, in: &turn)
            case .callAPIAsFormer(let operation, let request, let former):
                turn.order(.callServer(operation, request, former))
            case .cancelAPI(let operation): turn.order(.cancelAPI(operation))
            case .writeStorage(let text): turn.order(.writeStorage(.callMemory, text))
            case .announce(let event):
                turn.order(.announce(event))
                if case .ended(let uuid, _, let reason) = event {
                    let call = present.first { $0.uuid == uuid }
                    notice = call.flatMap { registry.notice(of: $0, reason, at: turn.now) }
                }
            case .missedCallExpected(let from, let by):
                missed.append(.callMissed(from: from, by: by, notice: notice))
                notice = nil
            case .microphoneMissing: turn.order(.explainMicrophone(.refused))
            case .signInRequired: mustSignIn = true
            case .writeLog(let entry): turn.order(.writeCallLog(entry))
            }
        }
        for (uuid, command) in media { self.media(uuid, command, in: &turn) }
        for event in missed where noticesMissedCalls { tellInbox(event, in: &turn) }
        if mustSignIn { refuseLogin(in: &turn) }
    }

    mutating func tellRegistration(
        _ event: PushTokenRegistration.Event?,
        in turn: inout Turn<Effect>
    ) {
        var (mustSignIn, mustIdentify, wasUnreachable) = (false, false, false)
        for effect in registration.drive(event, at: turn.now) {
            switch effect {
            case .callAPI(let operation, let request): call(operation, request, in: &turn)
            case .cancelAPI(let operation): turn.order(.cancelAPI(operation))
            case .registered, .gaveUp: break
            case .registeredLate: wasUnreachable = true
            case .signInRequired: mustSignIn = true
            case .deviceIdentityRefused: mustIdentify = true
            }
        }
        if mustSignIn { refuseLogin(in: &turn) }
        if mustIdentify, let deviceID { tellStore(.refused(deviceID), in: &turn) }
        // Who called meanwhile was told that nobody answers, and no push says so here.
        if wasUnreachable { checkMissedCalls(in: &turn) }
    }

    mutating func tellInbox(_ event: MissedCallInbox.Event?, in turn: inout Turn<Effect>) {
        var mustSignIn = false
        for effect in inbox.drive(event, at: turn.now) {
            switch effect {
            case .callAPI(let operation, let request): call(operation, request, in: &turn)
            case .cancelAPI(let operation): turn.order(.cancelAPI(operation))
            case .notify(let call): turn.order(.notify(call))
            case .writeStorage(let text): turn.order(.writeStorage(.missedCalls, text))
            case .signInRequired: mustSignIn = true
            }
        }
        if mustSignIn { refuseLogin(in: &turn) }
    }

    mutating func tellSessions(_ event: RealtimeSession.Event?, in turn: inout Turn<Effect>) {
        for index in lines.indices { tellSession(index, event, in: &turn) }
    }

    mutating func tellSession(
        _ index: Int,
        _ event: RealtimeSession.Event?,
        in turn: inout Turn<Effect>
    ) {
        let line = CallLine(index: UInt8(index))
        var (mustSignIn, mustIdentify) = (false, false)
        for effect in lines[index].session.drive(event, at: turn.now) {
            switch effect {
            case .room(let room, let command): turn.order(.room(line, room, command))
            case .callAPI(let operation, let request): turn.order(.callAPI(operation, request))
            case .cancelAPI(let operation): turn.order(.cancelAPI(operation))
            case .probe(let operation, let host): turn.order(.probe(line, operation, host))
            case .statusChanged(let status):
                if let uuid = lines[index].uuid { turn.order(.show(uuid, status)) }
            case .handOverOffline: lines[index].isApart = true
            case .takeBackOnline, .endOffline: lines[index].isApart = false
            case .signInRequired: mustSignIn = true
            case .deviceIdentityRefused: mustIdentify = true
            case .writeLog(let entry): turn.order(.writeLog(entry))
            }
        }
        if mustSignIn { refuseLogin(in: &turn) }
        // The call is lost; the next one has an identity of its user's.
        if mustIdentify, let deviceID { tellStore(.refused(deviceID), in: &turn) }
    }

    /// The server does not take the login any more.
    private mutating func refuseLogin(in turn: inout Turn<Effect>) {
        guard bearer != nil else { return }
        tellLogin(.tokenRefused, in: &turn)
    }

    mutating func tellLogin(_ event: LoginSession.Event?, in turn: inout Turn<Effect>) {
        let former = bearer
        for effect in login.drive(event, at: turn.now) {
            switch effect {
            case .readSecureStorage(let operation):
                turn.order(.readSecureStorage(operation, .sessionToken))
            case .writeSecureStorage(let operation, let token):
                turn.order(.writeSecureStorage(operation, .sessionToken, token))
            case .callAPI(let operation, let request): turn.order(.callAPI(operation, request))
            case .cancelAPI(let operation): turn.order(.cancelAPI(operation))
            case .signedIn(let token): bearer = token
            case .signedOut: bearer = nil
            case .signInWanted(let challenge): turn.order(.showSignIn(challenge: challenge))
            }
        }
        // Logged out, or the keychain was read after a push had come.
        if login.isSignedOut, !registry.isSignedOut {
            tellRegistry(.signedOut, in: &turn)
        }
        guard bearer != former else { return }
        // Who signs in wants to know at once whom they missed meanwhile.
        if bearer != nil { checkMissedCalls(in: &turn) }
        shareCredentials(in: &turn)
    }

    mutating func tellStore(_ event: DeviceIdentityStore.Event, in turn: inout Turn<Effect>) {
        var isIdentified = false
        for effect in store.drive(event, at: turn.now) {
            switch effect {
            case .readSecureStorage(let operation):
                turn.order(.readSecureStorage(operation, .deviceIdentity))
            case .writeSecureStorage(let operation, let identity):
                turn.order(.writeSecureStorage(operation, .deviceIdentity, identity))
            case .identified(let identity):
                deviceID = identity
                isIdentified = true
                lacksSuccessor = false
            case .failed: lacksSuccessor = deviceID != nil
            }
        }
        if isIdentified { shareCredentials(in: &turn) }
    }
}
