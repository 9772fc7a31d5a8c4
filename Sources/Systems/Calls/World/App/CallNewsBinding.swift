import AppCoordination
import IncomingCalls
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaWorld
import RealtimeVoice
import SansIO

// What the phone's system says, as the calling app hears it.

extension CallAppEvent {
    /// What the system's news are to the app; `nil` for what it does not listen to.
    init?(_ news: SystemNews) {
        switch news {
        case .launched: self = .launched
        case .scene(let phase): self = .scenePhaseChanged(phase)
        case .path(let path): self = .pathChanged(path)
        case .clock(let time): self = .clockChanged(time)
        case .push(.token(let token)): self = .pushTokenReceived(token)
        case .push(.tokenInvalidated): self = .pushTokenInvalidated
        case .push(.received(let push, let payload, _)):
            self = .pushReceived(push, PayloadValue(json: payload))
        case .call(let news): self.init(news)
        case .answer(let operation, let answer): self = Self.answered(operation, answer)
        case .backgroundTimeExpired: self = .backgroundTimeExpired
        case .audio, .notificationTapped: return nil
        }
    }

    private init(_ news: CallNews) {
        switch news {
        case .reportFinished(let operation, let error): self = .reportFinished(operation, error)
        case .requestFinished(let operation, let isAccepted):
            self = .requestFinished(operation, isAccepted: isAccepted)
        case .actionRequested(let action, let asked): self = .actionRequested(action, asked)
        case .actionTimedOut(let action): self = .actionTimedOut(action)
        case .audioActivated: self = .audioActivated
        case .audioDeactivated: self = .audioDeactivated
        }
    }

    private static func answered(_ operation: OperationID, _ answer: SystemAnswer) -> Self {
        switch answer {
        case .secureStorageRead(.value(let value)): .secureStorageRead(operation, .value(value))
        case .secureStorageRead(.failed): .secureStorageRead(operation, .failed)
        case .secureStorageWritten(let isKept): .secureStorageWritten(operation, isKept: isKept)
        case .voiceEngine(.failed) where operation == .ofSDK: .voiceEngineStopped
        case .voiceEngine(let start):
            .voiceEngineAnswered(operation, isRunning: start == .running)
        case .microphonePermission(let isGranted):
            .microphonePermissionAnswered(operation, isGranted: isGranted)
        }
    }
}
