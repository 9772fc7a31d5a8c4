import AppCoordination
import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios
import Simulation

/// A phone with the voice session app: its system, its radios, the app's process and the room
/// objects of the SDK that live in it.
///
/// A class, so that the machines inside can be driven while the world is at hand; it belongs to one
/// world and is never shared.
final class SessionPhone {
    let plan: PhonePlan
    let place: Int
    let component: ComponentIndex
    let radios: [Radio]

    let system: Hosted<PhoneSystem>
    /// The app's process; `nil` while it does not run.
    var app: Hosted<VoiceAppCoordinator>?
    /// Whether the process is held: nothing in it hears or does anything.
    var isSuspended = false
    /// Whether the app was launched and has not run its first line yet.
    var isLaunching = false
    /// How often the app was launched; a launch that is overtaken by a kill is void.
    var launchCount: UInt16 = 0
    /// What the app is told as soon as it has been launched.
    var afterLaunch: [VoiceAppEvent] = []
    /// The room objects, also those that were let go of and still close their sockets.
    var rooms: [RoomObject] = []
    /// How many room objects there were.
    var roomCount: UInt32 = 0
    /// Requests to the app's own server that are under way.
    var requests: [APICall] = []
    /// What the keychain keeps, across launches.
    var keychain = Keychain()
    /// The addresses that sockets may use, the system's favourite first.
    var addresses: [NetworkAddress] = []
    /// What is blocked, and until when.
    var blocks: [Block] = []
    /// The outages that each radio has by itself, and the next of each.
    var outages: [OutageSequence?]
    var nextOutage: [Range<Instant>?]
    /// What `status.shown` said last.
    var stage: SessionStage?
    /// What the system said last of microphone and speaker; it cannot be asked while it is driven.
    var systemHasSound = false
    /// What the sign-in sheet that is shown asks the authenticator to sign.
    var signInChallenge: String?
    /// Why no path carries packets both ways; `nil` if one does.
    var pathLossCause: PathLossCause?
    /// Voice: what is captured, heard and flowing.
    var voice = SessionVoice()

    /// When the one pending wake is due, if there is one.
    var pendingWake: Instant?
    var wakeSource: EventSource
    /// What numbers the deliveries of the phone's own: requests, launches, frames.
    var ownSource: EventSource
    /// The next port of a request; those of room objects lie below.
    var nextRequestPort = SessionPhone.firstRequestPort

    /// Room object `n` has the ports from n · 65,536 on.
    static let portsPerRoom: UInt32 = 65_536
    static let firstRequestPort: UInt32 = 1 << 30

    /// One of the phone's ways to the servers.
    struct Radio {
        let interface: NetworkInterface
        /// The places of its directions: away from the phone, and towards it.
        let forward: Int
        let backward: Int
        let component: ComponentIndex
    }

    /// A room object of the SDK.
    struct RoomObject {
        /// Its number among all that ever lived on the phone; its ports are keyed by it.
        let serial: UInt32
        /// What the app calls it, within one launch.
        let id: RoomID
        /// The launch that made it.
        let launch: UInt16
        let client: Hosted<RoomClient>
    }

    /// A request to the app's own server.
    struct APICall {
        let operation: OperationID
        let request: APIRequest
        let source: SocketAddress
        let stream: Hosted<StreamConnection>
    }

    /// Packets of one kind, or all, vanish on one radio, or on all.
    struct Block {
        let interface: NetworkInterface?
        let traffic: TrafficClass?
        let until: Instant
    }

    init(
        plan: PhonePlan,
        place: Int,
        component: ComponentIndex,
        radios: [Radio],
        outages: [OutageSequence?]
    ) {
        self.plan = plan
        self.place = place
        self.component = component
        self.radios = radios
        self.outages = outages
        nextOutage = outages.map { _ in nil }
        system = Hosted(
            PhoneSystem(
                interfaces: plan.radios.map { ($0.interface, isUp: $0.isUp) },
                configuration: plan.system
            ),
            at: .zero
        )
        wakeSource = EventSource(rank: DeliveryRank.wake, component: DeliverySource.phone + place)
        ownSource = EventSource(rank: DeliveryRank.phone, component: DeliverySource.phone + place)
    }

    /// Whether microphone and speaker work for the app.
    var soundIsOn: Bool { app != nil && !isSuspended && systemHasSound }

    /// The room object that the app uses: the last one that it made.
    var currentRoom: Hosted<RoomClient>? {
        guard app != nil, let room = rooms.last, room.launch == launchCount else { return nil }
        return room.client
    }

    /// The place of the room object that the running app calls `id`.
    func place(of id: RoomID) -> Int? {
        rooms.lastIndex { $0.id == id && $0.launch == launchCount }
    }

    /// The earliest deadline of all that lives in the phone.
    var deadline: Instant? {
        var earliest = system.deadline
        guard !isSuspended else { return earliest }
        earliest = min(earliest, app?.deadline)
        for room in rooms { earliest = min(earliest, room.client.deadline) }
        for request in requests { earliest = min(earliest, request.stream.deadline) }
        return earliest
    }

    /// Whether packets of this kind pass on this radio, as far as the phone's surroundings go.
    func isBlocked(_ interface: NetworkInterface, _ traffic: TrafficClass, at now: Instant) -> Bool
    {
        blocks.contains { block in
            block.until > now && (block.interface ?? interface) == interface
                && (block.traffic ?? traffic) == traffic
        }
    }

    /// The radio of an interface.
    func radio(_ interface: UInt8) -> Radio? {
        radios.first { $0.interface.rawValue == interface }
    }
}

/// What a phone's keychain keeps for the app.
struct Keychain {
    private var values: [(key: SecureKey, value: String)] = []

    /// What is kept under `key`.
    subscript(key: SecureKey) -> String? {
        get { values.first { $0.key == key }?.value }
        set {
            values.removeAll { $0.key == key }
            if let newValue { values.append((key, newValue)) }
        }
    }
}

/// Why `path.lost` says no path carries packets both ways.
enum PathLossCause: Int64 {
    case interface
    case link
    case signalling
    case media
    case server
}
