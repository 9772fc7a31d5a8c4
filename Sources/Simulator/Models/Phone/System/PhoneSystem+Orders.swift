import IncomingCalls
import RealtimeVoice
import SansIO

/// What users do and apps order, handed to the facilities that it concerns.
extension PhoneSystem {
    mutating func act(
        _ action: UserAction,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        switch action {
        case .openApp(let app):
            isLocked = false
            open(app, .user, at: now, into: &effects)
        case .tapNotification(let app):
            isLocked = false
            open(app, .notification, at: now, into: &effects)
        case .leaveApp:
            tellScenes(.left, at: now, into: &effects)
        case .killApp(let app):
            end(app, .user, at: now, into: &effects)
        case .openControlCentre, .closeControlCentre:
            let isOpen = action == .openControlCentre
            tellScenes(.controlCentre(isOpen: isOpen), at: now, into: &effects)
        case .phoneCallBegins, .phoneCallEnds:
            let isOn = action == .phoneCallBegins
            tellAudio(.phoneCall(isOn: isOn), at: now, into: &effects)
            tellCalls(.phoneCall(isOn: isOn), at: now, into: &effects)
            tellScenes(.phoneCall(isOn: isOn), at: now, into: &effects)
        case .music(let isOn): tellAudio(.musicWanted(isOn), at: now, into: &effects)
        case .setMicrophone(let app, let isGranted):
            guard processes.indices.contains(app.index) else { return }
            let event = MicrophonePermission.Event.changedInSettings(isGranted: isGranted)
            tellMicrophone(of: app, event, at: now, into: &effects)
        case .allowInFocus(let app, let isAllowed):
            guard processes.indices.contains(app.index) else { return }
            tellCalls(.allowedInFocus(app, isAllowed), at: now, into: &effects)
        case .lock:
            isLocked = true
            tellScenes(.left, at: now, into: &effects)
        case .call(let act):
            tellCalls(.user(act), at: now, into: &effects)
        case .unlock:
            isLocked = false
            guard storage.condition == .locked else { return }
            tellStorage(.conditionChanged(.available), at: now, into: &effects)
        }
    }

    mutating func findOpen(
        _ app: AppID,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        guard processes.indices.contains(app.index) else { return }
        tellScenes(.opened(app, isLaunch: true), at: now, into: &effects)
        tellProcess(of: app, .foundOpen, at: now, into: &effects)
    }

    mutating func open(
        _ app: AppID,
        _ reason: LaunchReason,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        guard processes.indices.contains(app.index) else { return }
        let isLaunch = process(of: app) == .notRunning
        tellProcess(of: app, .opened(reason), at: now, into: &effects)
        tellScenes(.opened(app, isLaunch: isLaunch), at: now, into: &effects)
        // A launched app is told when it has been launched.
        if reason == .notification { inform(app, .notificationTapped, into: &effects) }
    }

    mutating func end(
        _ app: AppID,
        _ reason: KillReason,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        guard processes.indices.contains(app.index) else { return }
        tellProcess(of: app, .killed(reason), at: now, into: &effects)
    }

    /// An app that does not run orders nothing.
    mutating func perform(
        _ order: SystemOrder,
        of app: AppID,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        guard processes.indices.contains(app.index), process(of: app) == .running else { return }
        switch order {
        case .readSecureStorage(let operation, let key):
            tellStorage(.read(app, operation, key: key), at: now, into: &effects)
        case .writeSecureStorage(let operation, let key, let value):
            tellStorage(
                .write(app, operation, key: key, value: value),
                at: now,
                into: &effects
            )
        case .requestMicrophonePermission(let operation):
            tellMicrophone(of: app, .requested(operation), at: now, into: &effects)
        case .startVoiceEngine(let operation):
            guard calls.allowsEngine(of: app) else {
                let failed = SystemAnswer.voiceEngine(.failed(.insufficientPriority))
                return inform(app, .answer(operation, failed), into: &effects)
            }
            // An app that was launched for a push has no scene.
            let isInBackground = (scenes.phase(of: app) ?? .background) == .background
            let event = AudioSession.Event.engineStartOrdered(
                app,
                operation,
                isInBackground: isInBackground
            )
            tellAudio(event, at: now, into: &effects)
        case .configureAudioSession(let options):
            tellAudio(.configured(app, options), at: now, into: &effects)
        case .stopVoiceEngine:
            tellAudio(.engineStopOrdered(app), at: now, into: &effects)
        case .beginBackgroundTask(let task):
            tellProcess(of: app, .backgroundTaskBegan(task), at: now, into: &effects)
        case .endBackgroundTask(let task):
            tellProcess(of: app, .backgroundTaskEnded(task), at: now, into: &effects)
        case .registerForPushes:
            tellPushes(.registered(app), at: now, into: &effects)
        case .call(let command):
            // Whatever becomes of it, the app has done its duty.
            if case .reportIncoming = command {
                tellPushes(.reported(app), at: now, into: &effects)
            }
            tellCalls(.ordered(app, command), at: now, into: &effects)
        }
    }
}
