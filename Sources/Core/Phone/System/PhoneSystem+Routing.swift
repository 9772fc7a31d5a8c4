import SansIO

/// What the facilities order: it leaves as an effect, or meets another facility.
extension PhoneSystem {
    /// Tells an app something, if it runs; what waits in a process's queue waits for a suspended one.
    mutating func inform(_ app: AppID, _ news: SystemNews, in turn: inout Turn<PhoneEffect>) {
        switch process(of: app) {
        case .running:
            turn.order(.inform(app, news))
        case .suspended:
            if news.waitsForResume { held.append(HeldNews(app: app, news: news)) }
        case .notRunning, .launching:
            return
        }
    }

    // MARK: Processes

    mutating func tellProcess(
        of app: AppID,
        _ event: AppProcess.Event?,
        in turn: inout Turn<PhoneEffect>
    ) {
        for order in processes[app.index].drive(event, at: turn.now) {
            route(order, of: app, in: &turn)
        }
    }

    private mutating func route(
        _ order: AppProcess.Effect,
        of app: AppID,
        in turn: inout Turn<PhoneEffect>
    ) {
        switch order {
        case .launch:
            turn.order(.launch(app))
        case .launched(let reason):
            launched(app, reason, in: &turn)
        case .suspend:
            turn.order(.suspend(app))
            tellNetwork(.appSuspended(app), in: &turn)
            tellAudio(.appSuspended(app), in: &turn)
            tellClock(.appSuspended(app), in: &turn)
        case .resume(let asleep):
            resumed(app, after: asleep, in: &turn)
        case .expireBackgroundTime(let duty):
            turn.order(.inform(app, .backgroundTimeExpired(duty)))
        case .kill(let reason):
            turn.order(.kill(app, reason))
            held.removeAll { $0.app == app }
            tellNetwork(.appEnded(app), in: &turn)
            tellAudio(.appEnded(app), in: &turn)
            tellPushes(.appEnded(app, reason), in: &turn)
            tellCalls(.appEnded(app), in: &turn)
            tellMicrophone(of: app, .appEnded, in: &turn)
            tellClock(.appEnded(app), in: &turn)
            tellStorage(.appEnded(app), in: &turn)
            tellScenes(.ended(app), in: &turn)
        }
    }

    private mutating func launched(
        _ app: AppID,
        _ reason: LaunchReason,
        in turn: inout Turn<PhoneEffect>
    ) {
        inform(app, .launched(reason), in: &turn)
        tellClock(.appListens(app), in: &turn)
        tellNetwork(.appLaunched(app), in: &turn)
        tellAudio(.appListens(app), in: &turn)
        if let phase = scenes.phase(of: app) { inform(app, .scene(phase), in: &turn) }
        if reason == .notification { inform(app, .notificationTapped, in: &turn) }
        tellPushes(.appRuns(app), in: &turn)
    }

    private mutating func resumed(
        _ app: AppID,
        after asleep: Duration,
        in turn: inout Turn<PhoneEffect>
    ) {
        turn.order(.resume(app))
        tellClock(.appListens(app), in: &turn)
        tellNetwork(.appResumed(app, asleep: asleep), in: &turn)
        tellAudio(.appListens(app), in: &turn)
        for waiting in held where waiting.app == app {
            turn.order(.inform(app, waiting.news))
        }
        held.removeAll { $0.app == app }
        tellPushes(.appRuns(app), in: &turn)
    }

    // MARK: Scenes

    mutating func tellScenes(_ event: SceneManager.Event?, in turn: inout Turn<PhoneEffect>) {
        let front = scenes.front
        for order in scenes.drive(event, at: turn.now) { route(order, in: &turn) }
        guard scenes.front != front else { return }
        for app in apps {
            let event = MicrophonePermission.Event.frontChanged(isInFront: scenes.front == app)
            tellMicrophone(of: app, event, in: &turn)
        }
    }

    private mutating func route(_ order: SceneManager.Effect, in turn: inout Turn<PhoneEffect>) {
        switch order {
        case .phaseChanged(let app, let phase):
            inform(app, .scene(phase), in: &turn)
            tellProcess(of: app, .movedToBackground(phase == .background), in: &turn)
        }
    }

    // MARK: Network

    mutating func tellNetwork(_ event: NetworkMonitor.Event?, in turn: inout Turn<PhoneEffect>) {
        for order in network.drive(event, at: turn.now) { route(order, in: &turn) }
    }

    private mutating func route(_ order: NetworkMonitor.Effect, in turn: inout Turn<PhoneEffect>) {
        switch order {
        case .addresses(let leases): turn.order(.addresses(leases))
        case .breakSockets(let app, let lease): turn.order(.breakSockets(app, lease))
        case .pathChanged(let app, let path): inform(app, .path(path), in: &turn)
        }
    }

    // MARK: Audio

    mutating func tellAudio(_ event: AudioSession.Event?, in turn: inout Turn<PhoneEffect>) {
        for order in audio.drive(event, at: turn.now) { route(order, in: &turn) }
    }

    /// What rings lies over the app in front for as long as it has the audio: with a call it gets no more than a tone.
    mutating func coverByRing(in turn: inout Turn<PhoneEffect>) {
        tellScenes(.ring(isOn: audio.isRinging), in: &turn)
    }

    private mutating func route(_ order: AudioSession.Effect, in turn: inout Turn<PhoneEffect>) {
        switch order {
        case .engineAnswered(let app, let operation, let start):
            inform(app, .answer(operation, .voiceEngine(start)), in: &turn)
        case .soundChanged(let app, let isOn):
            tellProcess(of: app, .soundChanged(isOn: isOn), in: &turn)
        case .news(let app, let news):
            inform(app, .audio(news), in: &turn)
        case .wake(let app):
            tellProcess(of: app, .wokenForAudio, in: &turn)
        case .musicChanged(let state): turn.order(.musicChanged(state))
        case .routed(let routing): turn.order(.routed(routing))
        }
    }

    // MARK: Microphone, keychain, clock

    mutating func tellMicrophone(
        of app: AppID,
        _ event: MicrophonePermission.Event?,
        in turn: inout Turn<PhoneEffect>
    ) {
        for order in microphones[app.index].drive(event, at: turn.now) {
            route(order, of: app, in: &turn)
        }
    }

    private mutating func route(
        _ order: MicrophonePermission.Effect,
        of app: AppID,
        in turn: inout Turn<PhoneEffect>
    ) {
        switch order {
        case .alert(let isShown):
            tellScenes(.alert(app, isShown: isShown), in: &turn)
        case .answered(let operation, let isGranted):
            let answer = SystemAnswer.microphonePermission(isGranted: isGranted)
            inform(app, .answer(operation, answer), in: &turn)
        case .settingChanged:
            end(app, .privacyChanged, in: &turn)
        }
    }

    mutating func tellStorage(_ event: SecureStorage.Event?, in turn: inout Turn<PhoneEffect>) {
        for order in storage.drive(event, at: turn.now) { route(order, in: &turn) }
    }

    private mutating func route(_ order: SecureStorage.Effect, in turn: inout Turn<PhoneEffect>) {
        switch order {
        case .readAnswered(let app, let operation, let answer):
            inform(app, .answer(operation, .secureStorageRead(answer)), in: &turn)
        case .writeAnswered(let app, let operation, let isKept):
            let answer = SystemAnswer.secureStorageWritten(isKept: isKept)
            inform(app, .answer(operation, answer), in: &turn)
        }
    }

    mutating func tellClock(_ event: PhoneClock.Event, in turn: inout Turn<PhoneEffect>) {
        for order in clock.drive(event, at: turn.now) {
            switch order {
            case .told(let app, let time): inform(app, .clock(time), in: &turn)
            }
        }
    }
}

extension SystemNews {
    /// Whether a suspended app is told of it when it runs again.
    ///
    /// Answers, and what delegates of PushKit and CallKit are called for, come once and lie in the process's
    /// queue until then. All else is a state, of which the app is told as it is by then.
    fileprivate var waitsForResume: Bool {
        switch self {
        case .answer, .push, .call: true
        case .launched, .scene, .path, .audio, .clock, .notificationTapped, .backgroundTimeExpired:
            false
        }
    }
}
