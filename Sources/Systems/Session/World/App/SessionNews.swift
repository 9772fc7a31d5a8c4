import AppCoordination
import KodamaBackend
package import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
package import KodamaPhone
import KodamaWorld
import RealtimeVoice
import SansIO

// What the phone's system says and what its user does, as the voice session app hears it.

extension VoiceAppEvent {
    /// What the system's news are to the app; `nil` for what it does not listen to.
    package init?(_ news: SystemNews) {
        switch news {
        case .launched: self = .launched
        case .scene(let phase): self = .scenePhaseChanged(phase)
        case .path(let path): self = .pathChanged(path)
        case .audio(.interruptionBegan): self = .audioSessionTaken
        case .audio(.interruptionEnded): self = .audioSessionReturned
        case .clock(let time): self = .clockChanged(time)
        case .notificationTapped: self = .notificationTapped
        case .answer(let operation, let answer): self = Self.answered(operation, answer)
        case .audio(.routeChanged), .audio(.engineConfigurationChanged), .backgroundTimeExpired,
            .push, .call:
            return nil
        }
    }

    private static func answered(_ operation: OperationID, _ answer: SystemAnswer) -> Self {
        switch answer {
        case .secureStorageRead(.value(let value)):
            .secureStorageRead(operation, .value(value))
        case .secureStorageRead(.failed):
            .secureStorageRead(operation, .failed)
        case .secureStorageWritten(let isKept):
            .secureStorageWritten(operation, isKept: isKept)
        case .microphonePermission(let isGranted):
            .microphonePermissionAnswered(operation, isGranted: isGranted)
        case .voiceEngine(.failed) where operation == .ofSDK: .voiceEngineStopped
        case .voiceEngine(.failed(.insufficientPriority)):
            .voiceEngineOutranked(operation)
        case .voiceEngine(let start):
            .voiceEngineAnswered(operation, isRunning: start == .running)
        }
    }

    /// What the user's act is to the app.
    package init(_ act: SessionAppAct, of app: SessionApp) {
        switch act {
        case .connect: self = .connectTapped
        case .disconnect: self = .disconnectTapped
        case .mute: self = .muteTapped(isMuted: true)
        case .unmute: self = .muteTapped(isMuted: false)
        case .signIn, .signInAsGuest:
            let assertion = SimulatedAuthenticator.assertion(
                user: act == .signIn
                    ? app.plan.account ?? app.phone.name : "\(app.phone.name)-guest",
                challenge: app.signInChallenge ?? ""
            )
            self = .signedIn(.passkey(assertion: assertion))
        case .logOut: self = .logoutTapped
        }
    }

    /// What the trace calls what the user does in the app; `nil` for all else.
    package var userAct: UserAct? {
        switch self {
        case .connectTapped: .connect
        case .disconnectTapped: .disconnect
        case .muteTapped(let isMuted): isMuted ? .mute : .unmute
        case .signedIn: .signIn
        case .logoutTapped: .logOut
        default: nil
        }
    }
}
