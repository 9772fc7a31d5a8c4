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
public struct ServicesPlan: Sendable, Equatable {
    /// The room server's timers.
    public var rooms = RoomServerConfiguration()
    /// The agents' latencies.
    public var agent = VoiceAgentConfiguration()
    /// How much later than true the API server's clock is; negative if earlier.
    public var apiClockOffset: Duration = .zero
    /// Whether the API server has its LiveKit key and secret (RS-01).
    public var apiIsConfigured = true
    /// How long the API server works on a request.
    public var apiWorkTime: Duration = .milliseconds(20)
    /// How long a token lives (RS-01: 600 s).
    public var tokenTimeToLive: Duration = .seconds(600)

    /// The names of the servers in the trace, which nothing else may have where sessions are.
    public static let componentNames = ["rooms", "agents", "api"]

    /// Servers that work.
    public init() {}
}

/// How much of a session's voice is carried.
public enum MediaMode: String, Sendable, CaseIterable {
    /// Every frame, with its size.
    case sized
    /// None: whether voice is heard is computed from the state of the path.
    case reachability
}

/// Something that goes wrong by chance.
public struct FaultMixPlan: Sendable, Equatable {
    /// A kind of fault and how often it is drawn.
    public struct Share: Sendable, Equatable {
        /// The kind.
        public var kind: RandomFault
        /// How often, relative to the others' weights.
        public var weight: Int

        /// Makes a share.
        public init(_ kind: RandomFault, weight: Int) {
            self.kind = kind
            self.weight = weight
        }
    }

    /// The phone that it happens to.
    public var device: String
    /// What may happen.
    public var shares: [Share]
    /// The mean time from the end of one to the beginning of the next; exponential.
    public var meanGap: Duration
    /// When the first may begin.
    public var from: Duration
    /// When the last has ended.
    public var until: Duration

    /// Makes a mix.
    public init(
        device: String,
        shares: [Share],
        meanGap: Duration,
        from: Duration,
        until: Duration
    ) {
        self.device = device
        self.shares = shares
        self.meanGap = meanGap
        self.from = from
        self.until = until
    }
}

/// What can go wrong by chance; lengths are drawn for each.
public enum RandomFault: String, Sendable, Hashable, CaseIterable {
    /// The interface goes down and the system says so; 1 to 60 s.
    case outage
    /// Packets vanish and nobody says so; 1 to 60 s.
    case blackHole = "black-hole"
    /// Only signalling is cut; 5 to 40 s.
    case signallingCut = "signalling-cut"
    /// Only media is cut; 5 to 40 s.
    case mediaCut = "media-cut"
    /// The other interface takes over, with or without a socket error.
    case handover
    /// Three short outages within 10 s.
    case flapping
    /// 10 % of packets are lost for 5 to 30 s.
    case loss
    /// The user leaves the app and comes back after 1 to 60 s.
    case background
    /// Control Centre comes and goes.
    case controlCentre = "control-centre"
    /// The user mutes, and unmutes after 1 to 20 s.
    case mute
    /// The user ends the conversation, and begins another after 5 to 30 s.
    case hangUp = "hang-up"
    /// The room server crashes and is back after 1 to 10 s.
    case serverCrash = "server-crash"
    /// The room server asks for a resume or a full reconnect.
    case serverLeave = "server-leave"
    /// The room server falls silent for 5 to 30 s.
    case silentServer = "silent-server"
}
