import SansIO

/// What users do and apps order, handed to the facilities that it concerns.
extension PhoneSystem {
    mutating func act(_ action: UserAction, in turn: inout Turn<PhoneEffect>) {
        switch action {
        case .openApp(let app):
            isLocked = false
            open(app, .user, in: &turn)
        case .tapNotification(let app):
            isLocked = false
            open(app, .notification, in: &turn)
        case .leaveApp:
            tellScenes(.left, in: &turn)
        case .killApp(let app):
            end(app, .user, in: &turn)
        case .openControlCentre, .closeControlCentre:
            let isOpen = action == .openControlCentre
            tellScenes(.controlCentre(isOpen: isOpen), in: &turn)
        case .ring(let isOn):
            tellAudio(.ring(isOn: isOn), in: &turn)
            coverByRing(in: &turn)
        case .phoneCallBegins, .phoneCallEnds, .phoneCallHungUp:
            let isOn = action == .phoneCallBegins
            tellAudio(.phoneCall(isOn: isOn), in: &turn)
            let isHungUp = action == .phoneCallHungUp
            tellCalls(isHungUp ? .phoneCallHungUp : .phoneCall(isOn: isOn), in: &turn)
            tellScenes(.phoneCall(isOn: isOn), in: &turn)
            coverByRing(in: &turn)
        case .music(let isOn): tellAudio(.musicWanted(isOn), in: &turn)
        case .setMicrophone(let app, let isGranted):
            guard processes.indices.contains(app.index) else { return }
            let event = MicrophonePermission.Event.changedInSettings(isGranted: isGranted)
            tellMicrophone(of: app, event, in: &turn)
        case .allowInFocus(let app, let isAllowed):
            guard processes.indices.contains(app.index) else { return }
            tellCalls(.allowedInFocus(app, isAllowed), in: &turn)
        case .lock:
            isLocked = true
            tellScenes(.left, in: &turn)
        case .call(let act):
            tellCalls(.user(act), in: &turn)
        case .unlock:
            isLocked = false
            guard storage.condition == .locked else { return }
            tellStorage(.conditionChanged(.available), in: &turn)
        }
    }

    mutating func findOpen(_ app: AppID, in turn: inout Turn<PhoneEffect>) {
        guard processes.indices.contains(app.index) else { return }
        tellScenes(.opened(app, isLaunch: true), in: &turn)
        tellProcess(of: app, .foundOpen, in: &turn)
    }

    mutating func open(_ app: AppID, _ reason: LaunchReason, in turn: inout Turn<PhoneEffect>) {
        guard processes.indices.contains(app.index) else { return }
        let isLaunch = process(of: app) == .notRunning
        tellProcess(of: app, .opened(reason), in: &turn)
        tellScenes(.opened(app, isLaunch: isLaunch), in: &turn)
        // A launched app is told when it has been launched.
        if reason == .notification { inform(app, .notificationTapped, in: &turn) }
    }

    mutating func end(_ app: AppID, _ reason: KillReason, in turn: inout Turn<PhoneEffect>) {
        guard processes.indices.contains(app.index) else { return }
        tellProcess(of: app, .killed(reason), in: &turn)
    }

    /// An app that does not run orders nothing.
    mutating func perform(_ order: SystemOrder, of app: AppID, in turn: inout Turn<PhoneEffect>) {
        guard processes.indices.contains(app.index), process(of: app) == .running else { return }
        switch order {
        case .readSecureStorage(let operation, let key):
            tellStorage(.read(app, operation, key: key), in: &turn)
        case .writeSecureStorage(let operation, let key, let value):
            tellStorage(.write(app, operation, key: key, value: value), in: &turn)
        case .requestMicrophonePermission(let operation):
            tellMicrophone(of: app, .requested(operation), in: &turn)
        case .startVoiceEngine(let operation):
            guard calls.allowsEngine(of: app) else {
                let failed = SystemAnswer.voiceEngine(.failed(.insufficientPriority))
                return inform(app, .answer(operation, failed), in: &turn)
            }
            // An app that was launched for a push has no scene.
            let isInBackground = (scenes.phase(of: app) ?? .background) == .background
            let event = AudioSession.Event.engineStartOrdered(
                app,
                operation,
                isInBackground: isInBackground
            )
            tellAudio(event, in: &turn)
        case .configureAudioSession(let options):
            tellAudio(.configured(app, options), in: &turn)
        case .stopVoiceEngine:
            tellAudio(.engineStopOrdered(app), in: &turn)
        case .beginBackgroundTask(let task):
            tellProcess(of: app, .backgroundTaskBegan(task), in: &turn)
        case .endBackgroundTask(let task):
            tellProcess(of: app, .backgroundTaskEnded(task), in: &turn)
        case .changeFileLock(let isHeld):
            tellProcess(of: app, .fileLockChanged(isHeld: isHeld), in: &turn)
        case .registerForPushes:
            tellPushes(.registered(app), in: &turn)
        case .call(let command):
            // Whatever becomes of it, the app has done its duty.
            if case .reportIncoming = command {
                tellPushes(.reported(app), in: &turn)
            }
            tellCalls(.ordered(app, command), in: &turn)
        }
    }
}
