import AppCoordination
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaWorld
import RealtimeVoice
import ReplicaSync
import SansIO

// What the phone's system says, as the app with a replica hears it.

extension ReplicaEvent {
    /// What the system's news are to the replica; `nil` for what it does not listen to.
    init?(_ news: SystemNews) {
        switch news {
        case .scene(.active): self = .cameToFront
        case .scene(.background): self = .wentToBackground
        case .backgroundTimeExpired: self = .timeExpired
        case .path(let path): self = .pathChanged(isSatisfied: path != .unsatisfied)
        case .answer(let operation, .secureStorageRead(let answer)):
            self = .secretRead(operation, SecretAnswer(answer))
        case .launched, .scene, .audio, .clock, .notificationTapped, .push, .call, .answer:
            return nil
        }
    }
}

extension SecretAnswer {
    /// What the keychain said to a read.
    fileprivate init(_ answer: StorageAnswer) {
        self =
            switch answer {
            case .value(let text?): .found(text)
            case .value(nil): .missing
            case .failed: .unavailable
            }
    }
}

extension ReplicaSecret {
    /// The keychain's name for it.
    var account: String {
        switch self {
        case .session: SecureKey.sessionToken.account
        case .credential: "databaseCredential"
        }
    }
}
