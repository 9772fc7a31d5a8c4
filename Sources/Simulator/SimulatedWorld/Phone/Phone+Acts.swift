import AppCoordination
import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios

// What befalls a phone: its user, its radios, its surroundings.

extension Phone {
    /// The user does something with the phone or an app of its.
    func act(_ act: UserAct, on app: any PhoneApp, on stage: inout Stage) {
        note(UserActed(action: act), on: &stage)
        if let action = act.onPhone(with: app.id) {
            hear(.user(action), on: &stage)
        } else {
            app.act(act, on: &stage)
        }
    }

    /// An interface goes down or comes up.
    func change(
        _ interface: NetworkInterface,
        isUp: Bool,
        _ notice: PathNotice,
        on stage: inout Stage
    ) {
        let fault = isUp ? SessionFault.radioUp : .radioDown
        beginFault(fault, of: component(of: interface), on: &stage)
        hear(.interfaceChanged(interface, isUp: isUp, notice), on: &stage)
        touchPath(on: &stage)
    }

    /// The phone grants or refuses something that it did not before, or its clock jumps.
    func change(_ change: PhoneChange, on stage: inout Stage) {
        switch change {
        case .secureStorage(let condition):
            note(.secureStorage, isOver: condition == .available, on: &stage)
            hear(.storageConditionChanged(condition), on: &stage)
        case .engine(let condition):
            note(.voiceEngine, isOver: condition == EngineCondition(), on: &stage)
            hear(.engineConditionChanged(condition), on: &stage)
        case .clock(let offset):
            note(.clock, isOver: offset == .zero, on: &stage)
            hear(.clockSet(offset: offset), on: &stage)
        }
    }

    private func note(_ fault: SessionFault, isOver: Bool, on stage: inout Stage) {
        if isOver {
            note(FaultEnded(fault: fault), on: &stage)
        } else {
            note(FaultBegan(fault: fault, parameter: 0), on: &stage)
        }
    }

    /// Packets of one kind, or all, vanish on one radio, or on all, for a while.
    func block(
        _ interface: NetworkInterface?,
        _ traffic: TrafficClass?,
        for duration: Duration,
        on stage: inout Stage
    ) {
        let end = stage.now.advanced(by: duration)
        for radio in radios where interface == nil || radio.interface == interface {
            radio.block(traffic, until: end)
        }
        let fault: SessionFault =
            switch traffic {
            case nil: .blackHole
            case .signalling: .signallingCut
            case .media: .mediaCut
            }
        beginFault(fault, of: component(of: interface), duration, on: &stage)
        schedule(.unblock, UInt32(fault.rawValue), at: end, by: &ownSource, on: &stage)
        touchPath(on: &stage)
    }

    /// A block has ended.
    func unblock(_ fault: UInt32, on stage: inout Stage) {
        for radio in radios { radio.endBlocks(at: stage.now) }
        let fault = SessionFault(rawValue: Int64(fault)) ?? .blackHole
        stage.note(FaultEnded(fault: fault), of: index)
        touchPath(on: &stage)
    }

    private func component(of interface: NetworkInterface?) -> ComponentIndex {
        interface.flatMap { radio($0.rawValue)?.link.index } ?? index
    }

    private func beginFault(
        _ fault: SessionFault,
        of component: ComponentIndex,
        _ duration: Duration = .zero,
        on stage: inout Stage
    ) {
        let began = FaultBegan(fault: fault, parameter: duration.wholeNanoseconds)
        stage.note(began, of: component)
    }
}

extension UserAct {
    /// What it is to the phone's system; `nil` if it happens inside the app.
    fileprivate func onPhone(with app: AppID) -> UserAction? {
        switch self {
        case .openApp: .openApp(app)
        case .leaveApp: .leaveApp
        case .openControlCentre: .openControlCentre
        case .closeControlCentre: .closeControlCentre
        case .killApp: .killApp(app)
        case .phoneCallBegins: .phoneCallBegins
        case .phoneCallEnds: .phoneCallEnds
        case .tapNotification: .tapNotification(app)
        case .unlock: .unlock
        case .allowMicrophone: .setMicrophone(app, isGranted: true)
        case .refuseMicrophone: .setMicrophone(app, isGranted: false)
        case .connect, .disconnect, .mute, .unmute, .signIn, .logOut: nil
        }
    }
}
