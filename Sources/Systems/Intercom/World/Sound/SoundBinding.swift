import AppCoordination
import KodamaNetwork
import KodamaPhone
import KodamaWorld
import SansIO

extension SoundKeeper.Event {
    /// What the system's news is to the keeper of an app's sound.
    init?(_ news: SystemNews) {
        switch news {
        case .audio(.interruptionBegan): self = .audioSessionTaken
        case .audio(.interruptionEnded): self = .audioSessionReturned
        case .audio(.engineConfigurationChanged): self = .engineConfigurationChanged
        case .answer(let operation, .microphonePermission(let isGranted)):
            self = .microphonePermissionAnswered(operation, isGranted: isGranted)
        case .answer(let operation, .voiceEngine(.failed(.insufficientPriority))):
            self = .voiceEngineOutranked(operation)
        case .answer(let operation, .voiceEngine(let start)):
            self = .voiceEngineAnswered(operation, isRunning: start == .running)
        case .launched, .scene, .path, .clock, .notificationTapped, .backgroundTimeExpired, .push,
            .call, .answer, .audio(.routeChanged):
            // An intercom does not care, or hears of its engine: it talks on in the background, over its own links.
            return nil
        }
    }
}

extension PhoneApp {
    /// The binding of what an intercom orders of microphone and speaker.
    func perform(_ effect: SoundKeeper.Effect, on stage: inout Stage) {
        switch effect {
        case .configureAudioSession(let configuration):
            var options = AudioSessionOptions()
            options.mode =
                switch configuration.mode {
                case .standard: .standard
                case .voiceChat: .voiceChat
                }
            options.mixesWithOthers = configuration.mixesWithOthers
            options.allowsBluetooth = configuration.allowsBluetooth
            order(.configureAudioSession(options), on: &stage)
        case .requestMicrophonePermission(let operation):
            order(.requestMicrophonePermission(operation), on: &stage)
        case .startVoiceEngine(let operation):
            order(.startVoiceEngine(operation), on: &stage)
        case .stopVoiceEngine:
            order(.stopVoiceEngine, on: &stage)
        case .soundChanged:
            // The app's own affair.
            break
        }
    }
}
