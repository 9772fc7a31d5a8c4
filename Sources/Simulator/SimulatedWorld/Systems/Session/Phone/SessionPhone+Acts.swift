import AppCoordination
import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios

// What befalls a phone: its user, its radios, its surroundings.

extension SessionPhone {
    /// The user does something with the phone or the app.
    func act(_ action: SessionAction, on stage: inout Stage) {
        write(.userActed, SIMD4(action.rawValue, 0, 0, 0), on: &stage)
        if let action = UserAction(rawValue: action.rawValue) {
            return hear(.user(action), on: &stage)
        }
        if action == .tapNotification { hear(.user(.openApp), on: &stage) }
        guard let event = action.appEvent(on: self) else { return }
        inform(event, on: &stage)
    }

    /// An interface goes down or comes up.
    func change(
        _ interface: NetworkInterface,
        isUp: Bool,
        _ notice: PathNotice,
        on stage: inout Stage
    ) {
        let fault = isUp ? SessionFault.radioUp : .radioDown
        writeFault(.faultBegan, fault, of: component(of: interface), on: &stage)
        hear(.interfaceChanged(interface, isUp: isUp, notice), on: &stage)
        touchPath(on: &stage)
    }

    /// Packets of one kind, or all, vanish on one radio, or on all, for a while.
    func block(
        _ interface: NetworkInterface?,
        _ traffic: TrafficClass?,
        for duration: Duration,
        on stage: inout Stage
    ) {
        let end = stage.now.advanced(by: duration)
        blocks.append(Block(interface: interface, traffic: traffic, until: end))
        let fault: SessionFault =
            switch traffic {
            case nil: .blackHole
            case .signalling: .signallingCut
            case .media: .mediaCut
            }
        writeFault(.faultBegan, fault, of: component(of: interface), duration, on: &stage)
        schedule(.unblock, UInt32(fault.rawValue), after: duration, on: &stage)
        touchPath(on: &stage)
    }

    /// A block has ended.
    func unblock(_ fault: UInt32, on stage: inout Stage) {
        blocks.removeAll { $0.until <= stage.now }
        let fault = SessionFault(rawValue: Int64(fault)) ?? .blackHole
        writeFault(.faultEnded, fault, of: index, on: &stage)
        touchPath(on: &stage)
    }

    private func component(of interface: NetworkInterface?) -> ComponentIndex {
        interface.flatMap { radio($0.rawValue)?.link.index } ?? index
    }

    private func writeFault(
        _ kind: TraceKind,
        _ fault: SessionFault,
        of component: ComponentIndex,
        _ duration: Duration = .zero,
        on stage: inout Stage
    ) {
        let values = SIMD4(fault.rawValue, duration.wholeNanoseconds, 0, 0)
        stage.write(kind, of: component, values)
    }
}

extension SessionAction {
    /// What the app is told of it; `nil` if it is the phone's own affair.
    fileprivate func appEvent(on phone: SessionPhone) -> VoiceAppEvent? {
        switch self {
        case .connect: .connectTapped
        case .disconnect: .disconnectTapped
        case .mute: .muteTapped(isMuted: true)
        case .unmute: .muteTapped(isMuted: false)
        case .tapNotification: .notificationTapped
        case .signIn:
            .signedIn(
                .passkey(
                    assertion: SimulatedAuthenticator.assertion(
                        user: phone.name,
                        challenge: phone.signInChallenge ?? ""
                    )
                )
            )
        case .logOut: .logoutTapped
        case .openApp, .leaveApp, .openControlCentre, .closeControlCentre, .killApp,
            .phoneCallBegins, .phoneCallEnds:
            nil
        }
    }
}
