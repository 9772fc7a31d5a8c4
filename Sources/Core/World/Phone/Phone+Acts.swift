import KodamaEvidence
public import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import SansIO

// What befalls a phone: its user, its radios, its surroundings.

extension Phone {
    @usableFromInline package func undergo(_ act: any SystemAct, on stage: inout Stage) {
        guard let act = act as? PhoneAct else {
            preconditionFailure("the plan does \(act) to phone \(name)")
        }
        switch act {
        case .block(let interface, let traffic, let ways, let duration):
            block(interface, traffic, ways, for: duration, on: &stage)
        case .wall(let wall, let duration): raise(wall, for: duration, on: &stage)
        case .radio(let interface, let isUp, let notice):
            change(interface, isUp: isUp, notice, on: &stage)
        case .secureStorage(let condition):
            note(.secureStorage, isOver: condition == .available, on: &stage)
            hear(.storageConditionChanged(condition), on: &stage)
        case .disk(let isFull):
            diskIsFull = isFull
            note(.diskFull, isOver: !isFull, on: &stage)
        case .engine(let condition):
            note(.voiceEngine, isOver: condition == EngineCondition(), on: &stage)
            hear(.engineConditionChanged(condition), on: &stage)
        case .clock(let offset):
            note(.clock, isOver: offset == .zero, on: &stage)
            hear(.clockSet(offset: offset), on: &stage)
        case .openApp(let app): user(.openApp, app, UserAction.openApp, on: &stage)
        case .leaveApp: user(.leaveApp, .leaveApp, on: &stage)
        case .killApp(let app): user(.killApp, app, UserAction.killApp, on: &stage)
        case .tapNotification(let app):
            user(.tapNotification, app, UserAction.tapNotification, on: &stage)
        case .openControlCentre: user(.openControlCentre, .openControlCentre, on: &stage)
        case .closeControlCentre: user(.closeControlCentre, .closeControlCentre, on: &stage)
        case .phoneCallBegins: user(.phoneCallBegins, .phoneCallBegins, on: &stage)
        case .phoneCallEnds: user(.phoneCallEnds, .phoneCallEnds, on: &stage)
        case .phoneCallHungUp: user(.phoneCallHungUp, .phoneCallHungUp, on: &stage)
        case .phoneCallRings(let isOn):
            user(isOn ? .phoneCallRings : .declinePhoneCall, .ring(isOn: isOn), on: &stage)
        case .alarmRings(let isOn):
            user(isOn ? .alarmRings : .stopAlarm, .ring(isOn: isOn), on: &stage)
        case .lock: user(.lock, .lock, on: &stage)
        case .music(let isOn):
            user(isOn ? .playMusic : .stopMusic, .music(isOn: isOn), on: &stage)
        case .headset(let isAttached):
            note(UserActed(action: isAttached ? .plugHeadset : .unplugHeadset), on: &stage)
            hear(.accessoryChanged(.headset, isAttached: isAttached), on: &stage)
        case .bluetooth(let isAttached):
            let word = isAttached ? UserAct.connectBluetooth : .disconnectBluetooth
            note(UserActed(action: word), on: &stage)
            hear(.accessoryChanged(.bluetooth, isAttached: isAttached), on: &stage)
        case .call(let act): user(act.word, .call(act), on: &stage)
        case .focus(let isOn):
            note(.focus, isOver: !isOn, on: &stage)
            hear(.focusChanged(isOn: isOn), on: &stage)
        case .allowInFocus(let app, let isAllowed):
            let word = isAllowed ? UserAct.allowInFocus : .silenceInFocus
            user(word, app, { .allowInFocus($0, isAllowed: isAllowed) }, on: &stage)
        case .unlock: user(.unlock, .unlock, on: &stage)
        case .setMicrophone(let app, let isGranted):
            let word = isGranted ? UserAct.allowMicrophone : .refuseMicrophone
            user(word, app, { .setMicrophone($0, isGranted: isGranted) }, on: &stage)
        case .withdrawPushToken(let app, let duration):
            courier?.holdToken(of: id(of: app), for: duration, on: &stage)
            hear(.pushTokenWithdrawn(id(of: app)), on: &stage)
        }
    }

    /// Performs a user's act on the phone itself.
    private func user(_ word: UserAct, _ action: UserAction, on stage: inout Stage) {
        note(UserActed(action: word), on: &stage)
        hear(.user(action), on: &stage)
    }

    /// Performs a user's act on an app from outside, such as opening it.
    ///
    /// If the phone has several apps, the record names the one.
    private func user(
        _ word: UserAct,
        _ system: String,
        _ action: (AppID) -> UserAction,
        on stage: inout Stage
    ) {
        let id = id(of: system)
        let subject: ComponentIndex = apps.count > 1 ? apps[id.index].index : .none
        stage.note(UserActed(action: word), of: index, about: subject)
        hear(.user(action(id)), on: &stage)
    }

    /// The id of a system's app, which has to be installed.
    private func id(of system: String) -> AppID {
        guard let index = plan.apps.firstIndex(where: { $0.name == system }) else {
            preconditionFailure("\(name) has no app \(system)")
        }
        return AppID(index)
    }

    /// An interface goes down or comes up.
    private func change(
        _ interface: NetworkInterface,
        isUp: Bool,
        _ notice: PathNotice,
        on stage: inout Stage
    ) {
        let fault = isUp ? WorldFault.radioUp : .radioDown
        beginFault(fault, of: component(of: interface), on: &stage)
        hear(.interfaceChanged(interface, isUp: isUp, notice), on: &stage)
        touchPath(on: &stage)
    }

    private func note(_ fault: WorldFault, isOver: Bool, on stage: inout Stage) {
        if isOver {
            note(FaultEnded(fault: fault), on: &stage)
        } else {
            note(FaultBegan(fault: fault, parameter: 0), on: &stage)
        }
    }

    /// Drops packets of one kind, or all, on one radio or on all, for a while.
    private func block(
        _ interface: NetworkInterface?,
        _ traffic: TrafficClass?,
        _ ways: LinkWays,
        for duration: Duration,
        on stage: inout Stage
    ) {
        let end = stage.now.advanced(by: duration)
        for radio in radios where interface == nil || radio.interface == interface {
            radio.block(traffic, ways, until: end)
        }
        let fault: WorldFault =
            switch traffic {
            case nil: .blackHole
            case .signalling: .signallingCut
            case .media: .mediaCut
            }
        beginFault(fault, of: component(of: interface), duration, on: &stage)
        let which = UInt32(interface.map { $0.rawValue + 1 } ?? 0)
        let argument = which << 16 | UInt32(fault.number)
        schedule(.unblock, argument, at: end, by: &ownSource, on: &stage)
        touchPath(on: &stage)
    }

    /// Keeps everything from the servers for a while, and answers connects.
    private func raise(_ wall: Wall, for duration: Duration, on stage: inout Stage) {
        let end = stage.now.advanced(by: duration)
        for radio in radios { radio.raise(wall, until: end) }
        let fault = wall == .portal ? WorldFault.captivePortal : .firewall
        beginFault(fault, of: index, duration, on: &stage)
        schedule(.unblock, UInt32(fault.number), at: end, by: &ownSource, on: &stage)
        touchPath(on: &stage)
    }

    /// Ends a block: the low half names the traffic, the high half the radio, counted from 1, or all radios.
    package func unblock(_ argument: UInt32, on stage: inout Stage) {
        for radio in radios { radio.endBlocks(at: stage.now) }
        let fault = WorldFault.blocks.first { $0.number == argument & 0xFFFF } ?? .blackHole
        let which = argument >> 16
        let interface = which > 0 ? NetworkInterface(rawValue: UInt8(which - 1)) : nil
        stage.note(FaultEnded(fault: fault), of: component(of: interface))
        touchPath(on: &stage)
    }

    private func component(of interface: NetworkInterface?) -> ComponentIndex {
        interface.flatMap { radio($0.rawValue)?.link.index } ?? index
    }

    private func beginFault(
        _ fault: WorldFault,
        of component: ComponentIndex,
        _ duration: Duration = .zero,
        on stage: inout Stage
    ) {
        let began = FaultBegan(fault: fault, parameter: duration.wholeNanoseconds)
        stage.note(began, of: component)
    }
}

extension CallScreenAct {
    /// What the trace calls it.
    fileprivate var word: UserAct {
        switch self {
        case .answer: .answerCall
        case .endAndAnswer: .endAndAnswerCall
        case .decline: .declineCall
        case .hangUp: .endCall
        case .mute: .muteCall
        case .unmute: .unmuteCall
        case .hold: .holdCall
        case .unhold: .unholdCall
        }
    }
}
