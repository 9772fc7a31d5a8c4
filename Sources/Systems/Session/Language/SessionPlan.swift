package import AppCoordination
import KodamaLanguage
import KodamaNetwork
import KodamaPhone

/// The voice session app on a phone.
package struct SessionAppPlan: AppSettings {
    /// The name of its system.
    static let system = "session"

    /// The app's configuration.
    package var configuration = VoiceAppConfiguration()
    /// The model of the SDK in it.
    var sdk = RoomClientConfiguration()
    /// What its user says into the agent's answers.
    package var listener = ListenerConfiguration()
    /// The account that its user signs in with; `nil` for one of the phone's own.
    var account: String?

    /// A session's voice may be carried in frames or followed as reachability.
    package var statesMedia: Bool { true }
    /// With real voices it is sound.
    package var carriesSamples: Bool { true }
    package var carriesSizedSound: Bool { false }
    /// The agent listens.
    package var hasListeners: Bool { true }
    package var listeningServer: String? { ServicesPlan.agentsName }

    /// The app with its default figures.
    init() {}
}

/// The servers that sessions talk to.
package struct ServicesPlan: Tunable {
    /// The room server's timers.
    var rooms = RoomServerConfiguration()
    /// The agents' latencies.
    var agent = VoiceAgentConfiguration()
    /// How much later than true the clock of the app's own server is; negative if earlier.
    var apiClockOffset: Duration = .zero
    /// Whether the app's own server has its LiveKit key and secret (RS-01).
    var apiIsConfigured = true
    /// Whether the key with which the app's own server signs is the room server's.
    var apiKeyIsKnown = true
    /// How long the app's own server works on a request.
    var apiWorkTime: Duration = .milliseconds(20)
    /// How long a token lives (RS-01: 600 s).
    var tokenTimeToLive: Duration = .seconds(600)

    /// The room server's name in the trace.
    package static let roomsName = "rooms"
    /// The agents' name in the trace.
    package static let agentsName = "agents"
    /// The app's own server's name in the trace.
    package static let apiName = "api"
    /// The names of the servers in the trace, which nothing else may have where sessions are.
    package static let componentNames = [roomsName, agentsName, apiName]

    /// Servers that work.
    init() {}
}

extension WorldPlan {
    /// The figures of the servers that sessions talk to.
    var services: ServicesPlan {
        get { shared[ServicesPlan.self] }
        set { shared[ServicesPlan.self] = newValue }
    }
}

/// The names of the systems whose apps use the servers of sessions too.
enum Tenant {
    /// Calls stand on the room server and on the app's own.
    static let calls = "calls"
    /// The coach's session is that of the voice app.
    static let coach = "coach"
    /// Replicas stand on the app's own server.
    static let replica = "replica"
}
