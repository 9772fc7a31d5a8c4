import IncomingCalls
import RealtimeVoice
import SansIO

/// To whom a fact goes.
extension CallAppCoordinator {
    /// Takes what is not for the registry alone.
    mutating func handleOther(
        _ event: Event,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch event {
        case .launched:
            prepare(at: now, into: &effects)
            tellRegistry(.launched, at: now, into: &effects)
        case .scenePhaseChanged(let phase):
            self.phase = phase
            tellLogin(.scenePhaseChanged(phase), at: now, into: &effects)
            if phase == .active {
                prepare(at: now, into: &effects)
                tellRegistration(.cameToFront, at: now, into: &effects)
            }
            tellSessions(.scenePhaseChanged(phase), at: now, into: &effects)
        case .pathChanged(let path): pathChanged(path, at: now, into: &effects)
        case .pushTokenReceived(let token):
            tellRegistration(.tokenReceived(token), at: now, into: &effects)
        case .pushTokenInvalidated: tellRegistration(.tokenInvalidated, at: now, into: &effects)
        case .signedIn(let proof): tellLogin(proof.loginEvent, at: now, into: &effects)
        case .logoutTapped: logoutTapped(at: now, into: &effects)
        case .secureStorageRead(let operation, let answer):
            tellLogin(.secureStorageRead(operation, answer), at: now, into: &effects)
            tellStore(.secureStorageRead(operation, answer), at: now, into: &effects)
        case .secureStorageWritten(let operation, let isKept):
            tellLogin(.secureStorageWritten(operation, isKept: isKept), at: now, into: &effects)
            tellStore(.secureStorageWritten(operation, isKept: isKept), at: now, into: &effects)
        case .microphonePermissionAnswered(let operation, let isGranted):
            permissionAnswered(operation, isGranted, at: now, into: &effects)
        case .dialled(let contactId, let name, let hasVideo):
            let call = Dial(contactId: contactId, name: name, hasVideo: hasVideo)
            dial(call, at: now, into: &effects)
        case .voiceEngineAnswered(let operation, let isRunning):
            engineAnswered(operation, isRunning, at: now)
        case .apiAnswered(let operation, let answer):
            tellLogin(.apiAnswered(operation, answer), at: now, into: &effects)
            tellSessions(.apiAnswered(operation, answer), at: now, into: &effects)
        case .callAnswered(let operation, let answer):
            tellRegistry(.apiAnswered(operation, answer), at: now, into: &effects)
            tellRegistration(.apiAnswered(operation, answer), at: now, into: &effects)
            tellInbox(.apiAnswered(operation, answer), at: now, into: &effects)
        case .probeAnswered(let line, let operation):
            probeAnswered(line, operation, at: now, into: &effects)
        case .room(let line, let room, let callback):
            roomSpoke(line, room, callback, at: now, into: &effects)
        case .clockChanged, .pushReceived, .endSignalReceived, .reportFinished, .requestFinished,
            .actionRequested, .actionTimedOut, .audioActivated, .audioDeactivated, .providerReset,
            .actionChosen, .backgroundTimeExpired:
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
            .apiAnswered, .callAnswered, .backgroundTimeExpired, .probeAnswered, .room:
            nil
        }
    }
}
