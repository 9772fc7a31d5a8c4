import AppCoordination
package import AppServer
import KodamaBackend
package import KodamaLanguage
package import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import KodamaWorld
import SansIO

/// What the servers of the simulated deployment know of each other.
package enum Deployment {
    /// The names of the servers in the trace, in the order of their indices.
    package static let serverNames = ["rooms", "agents", "api"]

    /// The LiveKit key pair.
    package static let apiKey = "APIkodama"
    package static let apiSecret = "a-secret-that-only-simulated-servers-know"
    /// What the app's own server signs its sessions with.
    package static let sessionSecret = "another-secret-that-only-simulated-servers-know"
    /// The room server's URL, as tokens' answers name it.
    package static let roomsURL = "wss://rooms.kodama.example"

    /// The room server of a plan.
    package static func roomServer(of plan: WorldPlan, at address: NetworkAddress) -> RoomServer {
        RoomServer(
            configuration: plan.services.rooms,
            address: address,
            keys: [(key: apiKey, secret: apiSecret)],
            clock: plan.wallClock
        )
    }

    /// The settings of the app's own server of a plan; systems that stand on it add theirs.
    package static func apiSettings(of plan: WorldPlan) -> APIServerSettings {
        var settings = APIServerSettings()
        settings.liveKitURL = roomsURL
        if plan.services.apiIsConfigured {
            settings.liveKitKey = apiKey
            settings.liveKitSecret = plan.services.apiKeyIsKnown ? apiSecret : sessionSecret
        }
        settings.sessionSecret = sessionSecret
        settings.tokenTimeToLive = plan.services.tokenTimeToLive
        settings.requiresSession = plan.phones.contains {
            $0.settings(of: SessionAppPlan.self)?.configuration.login == .signedIn
        }
        return settings
    }

    /// The app's own server.
    package static func apiServer(_ settings: APIServerSettings, seed: UInt64) -> APIServer {
        let entropy = RandomStream(seed: seed, purpose: "servers", entity: "api")
        return APIServer(
            settings: settings,
            verifier: SimulatedAuthenticator(),
            entropy: (0..<4).flatMap { index in
                let bits = entropy.bits(at: UInt64(index))
                return (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
            }
        )
    }
}
