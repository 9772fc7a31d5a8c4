public import AppCoordination
public import Models

/// The voice session app on a phone.
public struct SessionAppPlan: AppSettings {
    /// The name of its system.
    public static let system = "session"

    /// The app's configuration.
    public var configuration = VoiceAppConfiguration()
    /// The model of the SDK in it.
    public var sdk = RoomClientConfiguration()

    /// The app with its default figures.
    public init() {}
}

/// The servers that sessions talk to.
public struct ServicesPlan: Tunable {
    /// The room server's timers.
    public var rooms = RoomServerConfiguration()
    /// The agents' latencies.
    public var agent = VoiceAgentConfiguration()
    /// How much later than true the clock of the app's own server is; negative if earlier.
    public var apiClockOffset: Duration = .zero
    /// Whether the app's own server has its LiveKit key and secret (RS-01).
    public var apiIsConfigured = true
    /// Whether the key with which the app's own server signs is the room server's.
    public var apiKeyIsKnown = true
    /// How long the app's own server works on a request.
    public var apiWorkTime: Duration = .milliseconds(20)
    /// How long a token lives (RS-01: 600 s).
    public var tokenTimeToLive: Duration = .seconds(600)

    /// The room server's name in the trace.
    public static let roomsName = "rooms"
    /// The agents' name in the trace.
    public static let agentsName = "agents"
    /// The app's own server's name in the trace.
    public static let apiName = "api"
    /// The names of the servers in the trace, which nothing else may have where sessions are.
    public static let componentNames = [roomsName, agentsName, apiName]

    /// Servers that work.
    public init() {}
}

extension WorldPlan {
    /// The figures of the servers that sessions talk to.
    public var services: ServicesPlan {
        get { shared[ServicesPlan.self] }
        set { shared[ServicesPlan.self] = newValue }
    }
}
