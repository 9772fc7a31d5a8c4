import AppCoordination
import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios
import Simulation

/// A phone with the voice session app: its system, its radios, the app's process and the room
/// objects of the SDK that live in it.
final class SessionPhone: Component, Host {
    /// What a phone schedules for itself.
    enum Word: UInt8 {
        /// The system wants to be woken.
        case systemWake
        /// The app wants to be woken.
        case appWake
        /// A room object, by serial, wants to be woken.
        case roomWake
        /// A request, by number, wants to be woken.
        case requestWake
        /// The user opens the app for the first time.
        case opens
        /// A frame of voice is ready.
        case voiceFrame
        /// What the user says, or stops saying, reaches the agent.
        case agentHears
        /// A block of packets, by fault, ends.
        case unblock
    }

    let plan: PhonePlan
    let index: ComponentIndex
    let media: MediaMode
    let radios: [Radio]
    unowned(unsafe) let rooms: RoomService
    unowned(unsafe) let agents: AgentPool
    unowned(unsafe) let api: APIService

    /// The phone's system.
    @exclusivity(unchecked) var seat: Seat<PhoneSystem>
    /// The app's machine; `nil` while its process does not run.
    var app: VoiceApp?
    /// What the user did in the app before it had run its first line.
    var earlyTouches: [VoiceAppEvent] = []
    /// The room objects, also those that were let go of and still close their sockets.
    var roomObjects: [RoomObject] = []
    /// How many room objects there were.
    var roomCount: UInt32 = 0
    /// Requests to the app's own server that are under way.
    var calls: [APICall] = []
    /// How many there were.
    var callCount: UInt32 = 0
    /// The addresses that sockets may use, the system's favourite first; as the system said last.
    var addresses: [NetworkAddress] = []
    /// What is blocked, and until when.
    var blocks: [Block] = []
    /// What the sign-in sheet that is shown asks the authenticator to sign.
    var signInChallenge: String?
    /// Why no path carries packets both ways; `nil` if one does.
    var pathLossCause: PathLossCause?
    /// Whether what `pathLossCause` says may be out of date.
    var pathIsStale = false
    var isTouched = false
    /// The open agents that listen to the phone's user.
    var agentsListening: [Agent] = []
    /// Voice: what is captured, heard and flowing.
    var voice = SessionVoice()

    var wakeSource: EventSource
    /// What numbers the deliveries of the phone's own: launches, frames, ends of blocks.
    var ownSource: EventSource

    /// Room object `n` has the ports from n · 65,536 on.
    static let portsPerRoom: UInt64 = 65_536
    /// Requests have ports above those of every room object.
    static let firstRequestPort: UInt64 = 1 << 62
    /// The app, as the phone's system calls it: the only one.
    static let sessionApp = AppID(0)

    /// One of the phone's ways to the servers.
    struct Radio {
        let interface: NetworkInterface
        let link: NetworkLink
    }

    /// Packets of one kind, or all, vanish on one radio, or on all.
    struct Block {
        let interface: NetworkInterface?
        let traffic: TrafficClass?
        let until: Instant
    }

    init(
        plan: PhonePlan,
        index: ComponentIndex,
        media: MediaMode,
        radios: [Radio],
        system: PhoneSystem,
        servers: (rooms: RoomService, agents: AgentPool, api: APIService)
    ) {
        self.plan = plan
        self.index = index
        self.media = media
        self.radios = radios
        (rooms, agents, api) = servers
        seat = Seat(system)
        wakeSource = EventSource(rank: DeliveryRank.wake, component: Int(index.index))
        ownSource = EventSource(rank: DeliveryRank.phone, component: Int(index.index))
        addresses = system.addresses.map(address)
    }

    var name: String { plan.name }

    /// Its number in the network.
    var host: UInt32 { UInt32(index.index) }

    /// Schedules what the phone begins with.
    func begin(on stage: inout Stage) {
        if let opens = plan.opens {
            schedule(.opens, at: Instant.zero.advanced(by: opens), by: &ownSource, on: &stage)
        }
        for radio in radios { radio.link.scheduleOutage(after: .zero, on: &stage) }
    }

    func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        switch word {
        case .systemWake: awaken(on: &stage)
        case .appWake: app?.awaken(on: &stage)
        case .roomWake: roomObjects.first { $0.serial == argument }?.awaken(on: &stage)
        case .requestWake: calls.first { $0.number == argument }?.awaken(on: &stage)
        case .opens: act(.openApp, on: &stage)
        case .voiceFrame: sendFrame(on: &stage)
        case .agentHears: reviewHearing(on: &stage)
        case .unblock: unblock(argument, on: &stage)
        }
    }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        schedule(.systemWake, at: instant, by: &wakeSource, on: &stage)
    }

    /// Schedules a wake of a machine that lives in the phone.
    func scheduleWake(
        _ word: Word,
        _ argument: UInt32 = 0,
        at instant: Instant,
        on stage: inout Stage
    ) {
        schedule(word, argument, at: instant, by: &wakeSource, on: &stage)
    }

    /// Schedules something of the phone's own.
    func schedule(
        _ word: Word,
        _ argument: UInt32 = 0,
        after delay: Duration,
        on stage: inout Stage
    ) {
        let instant = stage.now.advanced(by: delay)
        schedule(word, argument, at: instant, by: &ownSource, on: &stage)
    }

    /// Writes a record about the phone.
    func note(_ form: some TraceForm, on stage: inout Stage) {
        stage.note(form, of: index)
    }

    /// What the app's process does.
    var process: ProcessPhase { seat.ask { $0.process(of: Self.sessionApp) } }

    /// How often the app was launched; a launch that is overtaken by a kill is void.
    var launchCount: UInt32 { seat.ask { $0.launchCount(of: Self.sessionApp) } }

    /// Whether microphone and speaker work for the app.
    var soundIsOn: Bool { seat.ask { $0.soundIsOn(for: Self.sessionApp) } }

    /// What the app keeps in the keychain.
    func stored(_ key: SecureKey) -> String? {
        seat.ask { $0.stored(key.account, for: Self.sessionApp) }
    }

    /// The network's name for one of the phone's addresses.
    func address(_ lease: InterfaceLease) -> NetworkAddress {
        NetworkAddress(host: host, interface: lease.interface.rawValue, lease: lease.lease)
    }

    /// The agent that serves the user now: the latest of those that listen.
    var agent: Agent? {
        agentsListening.count < 2
            ? agentsListening.first : agentsListening.max { $0.number < $1.number }
    }

    /// The room object that the app uses: the last one that it made.
    var currentRoom: RoomObject? {
        guard app != nil, let room = roomObjects.last, room.launch == launchCount else {
            return nil
        }
        return room
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

    /// A seed for the `number`-th thing of a kind that the phone makes.
    func seed(_ purpose: StaticString, _ number: UInt32, on stage: borrowing Stage) -> UInt64 {
        stage.draws(purpose, of: name).bits(at: UInt64(number))
    }
}
