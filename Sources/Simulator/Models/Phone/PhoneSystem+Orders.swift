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
            open(app, .user, at: now, into: &effects)
        case .tapNotification(let app):
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
            tellScenes(.phoneCall(isOn: isOn), at: now, into: &effects)
        case .setMicrophone(let app, let isGranted):
            guard processes.indices.contains(app.index) else { return }
            let event = MicrophonePermission.Event.changedInSettings(isGranted: isGranted)
            tellMicrophone(of: app, event, at: now, into: &effects)
        case .unlock:
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

    private mutating func open(
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
            let isInBackground = scenes.phase(of: app) == .background
            let event = AudioSession.Event.engineStartOrdered(
                app,
                operation,
                isInBackground: isInBackground
            )
            tellAudio(event, at: now, into: &effects)
        case .stopVoiceEngine:
            tellAudio(.engineStopOrdered(app), at: now, into: &effects)
        case .beginBackgroundTask(let task):
            tellProcess(of: app, .backgroundTaskBegan(task), at: now, into: &effects)
        case .endBackgroundTask(let task):
            tellProcess(of: app, .backgroundTaskEnded(task), at: now, into: &effects)
        }
    }
}
