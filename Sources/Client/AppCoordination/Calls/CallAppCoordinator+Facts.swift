import IncomingCalls
import RealtimeVoice
import SansIO

/// To whom a fact goes.
extension CallAppCoordinator {
    /// Takes what is not for the registry alone.
    mutating func handleOther(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .launched:
            prepare(in: &turn)
            tellRegistry(.launched, in: &turn)
        case .scenePhaseChanged(let phase):
            self.phase = phase
            tellLogin(.scenePhaseChanged(phase), in: &turn)
            if phase == .active {
                prepare(in: &turn)
                tellRegistration(.cameToFront, in: &turn)
            } else if phase == .background {
                tellRegistration(.leftFront, in: &turn)
            }
            // What lies over the app, as Control Centre does, does not hide a notice.
            if noticesMissedCalls, phase != .inactive {
                tellInbox(.frontChanged(isInFront: phase == .active), in: &turn)
            }
            tellSessions(.scenePhaseChanged(phase), in: &turn)
        case .pathChanged(let path): pathChanged(path, in: &turn)
        case .pushTokenReceived(let token):
            tellRegistration(.tokenReceived(token), in: &turn)
        case .pushTokenInvalidated: tellRegistration(.tokenInvalidated, in: &turn)
        case .signedIn(let proof): tellLogin(proof.loginEvent, in: &turn)
        case .logoutTapped: logoutTapped(in: &turn)
        case .secureStorageRead(let operation, let answer):
            tellLogin(.secureStorageRead(operation, answer), in: &turn)
            tellStore(.secureStorageRead(operation, answer), in: &turn)
        case .secureStorageWritten(let operation, let isKept):
            tellLogin(.secureStorageWritten(operation, isKept: isKept), in: &turn)
            tellStore(.secureStorageWritten(operation, isKept: isKept), in: &turn)
        case .microphonePermissionAnswered(let operation, let isGranted):
            permissionAnswered(operation, isGranted, in: &turn)
        case .dialled(let contactId, let name, let hasVideo):
            let call = Dial(contactId: contactId, name: name, hasVideo: hasVideo)
            dial(call, in: &turn)
        case .voiceEngineAnswered(let operation, let isRunning):
            engineAnswered(operation, isRunning, at: turn.now)
        case .voiceEngineStopped:
            if engine == .running { engineFailed(at: turn.now) }
        case .apiAnswered(let operation, let answer):
            tellLogin(.apiAnswered(operation, answer), in: &turn)
            tellSessions(.apiAnswered(operation, answer), in: &turn)
        case .callAnswered(let operation, let answer):
            tellRegistry(.apiAnswered(operation, answer), in: &turn)
            tellRegistration(.apiAnswered(operation, answer), in: &turn)
            tellInbox(.apiAnswered(operation, answer), in: &turn)
        case .probeAnswered(let line, let operation):
            probeAnswered(line, operation, in: &turn)
        case .room(let line, let room, let callback):
            roomSpoke(line, room, callback, in: &turn)
        case .backgroundTimeExpired: tellInbox(.timeExpired, in: &turn)
        case .clockChanged, .pushReceived, .endSignalReceived, .reportFinished, .requestFinished,
            .actionRequested, .actionTimedOut, .audioActivated, .audioDeactivated, .providerReset,
            .actionChosen:
            return
        }
    }
}

extension CallAppEvent {
    /// Whether somebody calls, or does something on the call screen: an app may run for nothing else.
    var comesFromOutside: Bool {
        switch self {
        case .pushReceived, .actionRequested: true
        default: false
        }
    }

    /// The fact as the registry has it, if it is for the registry alone.
    var registryFact: CallRegistry.Event? {
        switch self {
        case .clockChanged(let time): .clockChanged(time)
        case .pushReceived(let push, let payload): .pushReceived(push, payload)
        case .endSignalReceived(let payload): .endSignalReceived(payload)
        case .reportFinished(let operation, let error): .reportFinished(operation, error)
        case .requestFinished(let operation, let isAccepted):
            .requestFinished(operation, isAccepted: isAccepted)
        case .actionRequested(let action, let asked): .actionRequested(action, asked)
        case .actionTimedOut(let action): .actionTimedOut(action)
        case .audioActivated: .audioActivated
        case .audioDeactivated: .audioDeactivated
        case .providerReset: .providerReset
        case .actionChosen(let action): .actionChosen(action)
        case .launched, .scenePhaseChanged, .pathChanged, .pushTokenReceived,
            .pushTokenInvalidated, .signedIn, .logoutTapped, .dialled, .secureStorageRead,
            .secureStorageWritten, .microphonePermissionAnswered, .voiceEngineAnswered,
            .voiceEngineStopped, .apiAnswered, .callAnswered, .backgroundTimeExpired,
            .probeAnswered, .room:
            nil
        }
    }
}
