import AppCoordination
import AppServer
import Models
import SansIO
import Scenarios
import Simulation

/// What the servers of the simulated deployment know of each other.
enum Deployment {
    /// The names of the servers in the trace, in the order of their indices.
    static let serverNames = ["rooms", "agents", "api"]

    /// The LiveKit key pair.
    static let apiKey = "APIkodama"
    static let apiSecret = "a-secret-that-only-simulated-servers-know"
    /// What the app's own server signs its sessions with.
    static let sessionSecret = "another-secret-that-only-simulated-servers-know"
    /// The room server's URL, as tokens' answers name it.
    static let roomsURL = "wss://rooms.kodama.example"

    /// The room server of a plan.
    static func roomServer(of plan: WorldPlan, at address: NetworkAddress) -> RoomServer {
        RoomServer(
            configuration: plan.services.rooms,
            address: address,
            keys: [(key: apiKey, secret: apiSecret)],
            clock: plan.wallClock
        )
    }

    /// The app's own server of a plan.
    static func apiServer(of plan: WorldPlan, seed: UInt64) -> APIServer {
        let entropy = RandomStream(seed: seed, purpose: "servers", entity: "api")
        var settings = APIServerSettings()
        settings.liveKitURL = roomsURL
        if plan.services.apiIsConfigured {
            settings.liveKitKey = apiKey
            settings.liveKitSecret = plan.services.apiKeyIsKnown ? apiSecret : sessionSecret
        }
        settings.sessionSecret = sessionSecret
        settings.tokenTimeToLive = plan.services.tokenTimeToLive
        settings.databaseTokenTimeToLive = plan.replicaServices.tokenTimeToLive
        settings.durabilityDelay = plan.replicaServices.durabilityDelay
        settings.databaseLogChangesMax = plan.replicaServices.logChangesMax
        settings.requiresSession = plan.phones.contains {
            $0.settings(of: SessionAppPlan.self)?.configuration.login == .signedIn
        }
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
