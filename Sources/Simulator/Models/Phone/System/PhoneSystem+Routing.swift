import RealtimeVoice
import SansIO

/// What the facilities order: it leaves as an effect, or meets another facility.
extension PhoneSystem {
    /// Tells an app something, if it runs; an answer waits for a suspended one.
    mutating func inform(
        _ app: AppID,
        _ news: SystemNews,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        switch process(of: app) {
        case .running:
            effects.append(.inform(app, news))
        case .suspended:
            if case .answer = news { held.append(HeldAnswer(app: app, news: news)) }
        case .notRunning, .launching:
            return
        }
    }

    // MARK: Processes

    mutating func tellProcess(
        of app: AppID,
        _ event: AppProcess.Event,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        var orders = EffectBuffer<AppProcess.Effect>()
        processes[app.index].handle(event, at: now, into: &orders)
        for order in orders.effects { route(order, of: app, at: now, into: &effects) }
    }

    mutating func wakeProcess(
        of app: AppID,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        var orders = EffectBuffer<AppProcess.Effect>()
        processes[app.index].wake(at: now, into: &orders)
        for order in orders.effects { route(order, of: app, at: now, into: &effects) }
    }

    private mutating func route(
        _ order: AppProcess.Effect,
        of app: AppID,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        switch order {
        case .launch:
            effects.append(.launch(app))
        case .launched(let reason):
            launched(app, reason, at: now, into: &effects)
        case .suspend:
            effects.append(.suspend(app))
            tellNetwork(.appSuspended(app), at: now, into: &effects)
            tellAudio(.appSuspended(app), at: now, into: &effects)
            tellClock(.appSuspended(app), at: now, into: &effects)
        case .resume(let asleep):
            resumed(app, after: asleep, at: now, into: &effects)
        case .expireBackgroundTime(let duty):
            effects.append(.inform(app, .backgroundTimeExpired(duty)))
        case .kill(let reason):
            effects.append(.kill(app, reason))
            held.removeAll { $0.app == app }
            tellNetwork(.appEnded(app), at: now, into: &effects)
            tellAudio(.appEnded(app), at: now, into: &effects)
            tellPushes(.appEnded(app, reason), at: now, into: &effects)
            tellCalls(.appEnded(app), at: now, into: &effects)
            tellMicrophone(of: app, .appEnded, at: now, into: &effects)
            tellClock(.appEnded(app), at: now, into: &effects)
            tellStorage(.appEnded(app), at: now, into: &effects)
            tellScenes(.ended(app), at: now, into: &effects)
        }
    }

    private mutating func launched(
        _ app: AppID,
        _ reason: LaunchReason,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        inform(app, .launched(reason), into: &effects)
        tellClock(.appListens(app), at: now, into: &effects)
        tellNetwork(.appLaunched(app), at: now, into: &effects)
        tellAudio(.appListens(app), at: now, into: &effects)
        if let phase = scenes.phase(of: app) { inform(app, .scene(phase), into: &effects) }
        if reason == .notification { inform(app, .notificationTapped, into: &effects) }
        tellPushes(.appRuns(app), at: now, into: &effects)
    }

    private mutating func resumed(
        _ app: AppID,
        after asleep: Duration,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        effects.append(.resume(app))
        tellClock(.appListens(app), at: now, into: &effects)
        tellNetwork(.appResumed(app, asleep: asleep), at: now, into: &effects)
        tellAudio(.appListens(app), at: now, into: &effects)
        for answer in held where answer.app == app {
            effects.append(.inform(app, answer.news))
        }
        held.removeAll { $0.app == app }
        tellPushes(.appRuns(app), at: now, into: &effects)
    }

    // MARK: Scenes

    mutating func tellScenes(
        _ event: SceneManager.Event,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        let front = scenes.front
        var orders = EffectBuffer<SceneManager.Effect>()
        scenes.handle(event, at: now, into: &orders)
        for order in orders.effects { route(order, at: now, into: &effects) }
        guard scenes.front != front else { return }
        for app in apps {
            let event = MicrophonePermission.Event.frontChanged(isInFront: scenes.front == app)
            tellMicrophone(of: app, event, at: now, into: &effects)
        }
    }

    mutating func wakeScenes(at now: Instant, into effects: inout EffectBuffer<PhoneEffect>) {
        var orders = EffectBuffer<SceneManager.Effect>()
        scenes.wake(at: now, into: &orders)
        for order in orders.effects { route(order, at: now, into: &effects) }
    }

    private mutating func route(
        _ order: SceneManager.Effect,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        switch order {
        case .phaseChanged(let app, let phase):
            inform(app, .scene(phase), into: &effects)
            tellProcess(
                of: app,
                .movedToBackground(phase == .background),
                at: now,
                into: &effects
            )
        }
    }

    // MARK: Network

    mutating func tellNetwork(
        _ event: NetworkMonitor.Event,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        var orders = EffectBuffer<NetworkMonitor.Effect>()
        network.handle(event, at: now, into: &orders)
        for order in orders.effects { route(order, into: &effects) }
    }

    mutating func wakeNetwork(at now: Instant, into effects: inout EffectBuffer<PhoneEffect>) {
        var orders = EffectBuffer<NetworkMonitor.Effect>()
        network.wake(at: now, into: &orders)
        for order in orders.effects { route(order, into: &effects) }
    }

    private mutating func route(
        _ order: NetworkMonitor.Effect,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        switch order {
        case .addresses(let leases): effects.append(.addresses(leases))
        case .breakSockets(let app, let lease): effects.append(.breakSockets(app, lease))
        case .pathChanged(let app, let path): inform(app, .path(path), into: &effects)
        }
    }

    // MARK: Audio

    mutating func tellAudio(
        _ event: AudioSession.Event,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        var orders = EffectBuffer<AudioSession.Effect>()
        audio.handle(event, at: now, into: &orders)
        for order in orders.effects { route(order, at: now, into: &effects) }
    }

    mutating func wakeAudio(at now: Instant, into effects: inout EffectBuffer<PhoneEffect>) {
        var orders = EffectBuffer<AudioSession.Effect>()
        audio.wake(at: now, into: &orders)
        for order in orders.effects { route(order, at: now, into: &effects) }
    }

    private mutating func route(
        _ order: AudioSession.Effect,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        switch order {
        case .engineAnswered(let app, let operation, let start):
            inform(app, .answer(operation, .voiceEngine(start)), into: &effects)
        case .soundChanged(let app, let isOn):
            tellProcess(of: app, .soundChanged(isOn: isOn), at: now, into: &effects)
        case .news(let app, let news):
            inform(app, .audio(news), into: &effects)
        case .wake(let app):
            tellProcess(of: app, .wokenForAudio, at: now, into: &effects)
        case .musicChanged(let state): effects.append(.musicChanged(state))
        case .routed(let routing): effects.append(.routed(routing))
        }
    }

    // MARK: Microphone, keychain, clock

    mutating func tellMicrophone(
        of app: AppID,
        _ event: MicrophonePermission.Event,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        var orders = EffectBuffer<MicrophonePermission.Effect>()
        microphones[app.index].handle(event, at: now, into: &orders)
        for order in orders.effects { route(order, of: app, at: now, into: &effects) }
    }

    mutating func wakeMicrophone(
        of app: AppID,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        var orders = EffectBuffer<MicrophonePermission.Effect>()
        microphones[app.index].wake(at: now, into: &orders)
        for order in orders.effects { route(order, of: app, at: now, into: &effects) }
    }

    private mutating func route(
        _ order: MicrophonePermission.Effect,
        of app: AppID,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        switch order {
        case .alert(let isShown):
            tellScenes(.alert(app, isShown: isShown), at: now, into: &effects)
        case .answered(let operation, let isGranted):
            let answer = SystemAnswer.microphonePermission(isGranted: isGranted)
            inform(app, .answer(operation, answer), into: &effects)
        case .settingChanged:
            end(app, .privacyChanged, at: now, into: &effects)
        }
    }

    mutating func tellStorage(
        _ event: SecureStorage.Event,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        var orders = EffectBuffer<SecureStorage.Effect>()
        storage.handle(event, at: now, into: &orders)
        for order in orders.effects { route(order, into: &effects) }
    }

    mutating func wakeStorage(at now: Instant, into effects: inout EffectBuffer<PhoneEffect>) {
        var orders = EffectBuffer<SecureStorage.Effect>()
        storage.wake(at: now, into: &orders)
        for order in orders.effects { route(order, into: &effects) }
    }

    private mutating func route(
        _ order: SecureStorage.Effect,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        switch order {
        case .readAnswered(let app, let operation, let answer):
            inform(app, .answer(operation, .secureStorageRead(answer)), into: &effects)
        case .writeAnswered(let app, let operation, let isKept):
            let answer = SystemAnswer.secureStorageWritten(isKept: isKept)
            inform(app, .answer(operation, answer), into: &effects)
        }
    }

    mutating func tellClock(
        _ event: PhoneClock.Event,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        var orders = EffectBuffer<PhoneClock.Effect>()
        clock.handle(event, at: now, into: &orders)
        for order in orders.effects {
            switch order {
            case .told(let app, let time): inform(app, .clock(time), into: &effects)
            }
        }
    }
}
