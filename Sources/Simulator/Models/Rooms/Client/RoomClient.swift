public import RealtimeVoice
public import SansIO
import Simulation

/// The room object of LiveKit's SDK: a model of client-sdk-swift 2.16 that says and does over
/// simulated packets what the original does over real ones.
///
/// Inside run a signal connection and, as soon as the server has let us in, two peer connections:
/// the subscriber's, which is the primary one, and the publisher's. A reconnect first resumes, then
/// joins anew, by the policy of the configured SDK (`ReconnectCurve`). Delegate callbacks come in the
/// order of `Core/Room+EngineDelegate.swift`, whatever the policy. Known defects of 2.16 can be
/// switched off (`SDKDefects`).
///
/// Not modelled: the fallback from `/rtc/v1` to `/rtc`, regions, TURN, single peer connections, data
/// channels, video; of JavaScript the browser's online and offline events and the reconciliation.
public struct RoomClient: StateMachine {
    /// What tells of every participant and track, and of a message in many segments.
    public static var effectsPerCallMax: Int {
        2 * SignalClient.effectsPerCallMax + 8 * ClientTransport.effectsPerCallMax
            + 4 * RemoteRoster.participantsMax + 32
    }

    let configuration: RoomClientConfiguration
    let room: RoomID
    let portBase: UInt64
    var random: RandomStream
    var options = ConnectOptions.sdk
    /// The token to connect with: the app's, then whatever the server sent last.
    var token = ""
    var addresses: [NetworkAddress] = []
    var state = RoomState()
    var activity = Activity.idle
    /// The next attempt is a full one (`nextReconnectMode` in client-sdk-swift, `Core/Room.swift`).
    var wantsFull = false
    var reconnectBegan = Instant.zero
    var isReleased = false
    var hasLookedUp = false
    var signal: SignalClient
    var publisher: ClientTransport?
    var subscriber: ClientTransport?
    var session = SessionFacts()
    var microphone = LocalMicrophone()
    var remotes = RemoteRoster()
    var isRendering = false
    var statistics = RoomStatistics()
    var sentVoice = VoiceCount()
    var receivedVoice = VoiceCount()
    /// Where voice comes in that is not carried as frames.
    var voiceDestination: SocketAddress?
    var nextStatistics: Instant?
    var socketPorts: PortPool
    var publisherPorts: PortPool
    var subscriberPorts: PortPool

    /// Kept for reuse; empty between calls.
    var signalEffects = EffectBuffer<SignalClient.Effect>()
    var publisherEffects = EffectBuffer<ClientTransport.Effect>()
    var subscriberEffects = EffectBuffer<ClientTransport.Effect>()

    /// Makes a room object that does nothing yet.
    ///
    /// - Parameters:
    ///   - configuration: Whose policy it follows and which figures hold.
    ///   - room: The object's name in the session.
    ///   - server: Where the room server takes signal connections.
    ///   - portBase: The first of 65,536 ports that are the object's own.
    ///   - seed: What its chance is drawn from.
    public init(
        configuration: RoomClientConfiguration,
        room: RoomID,
        server: SocketAddress,
        portBase: UInt64,
        seed: UInt64
    ) {
        self.configuration = configuration
        self.room = room
        self.portBase = portBase
        random = RandomStream(seed: seed, purpose: "reconnect", entity: "\(room.number)")
        signal = SignalClient(server: server, configuration: configuration)
        socketPorts = PortPool(base: portBase)
        publisherPorts = PortPool(base: portBase + PortPool.size)
        subscriberPorts = PortPool(base: portBase + 2 * PortPool.size)
    }

    /// Whether the object was let go of and its sockets are gone.
    public var isFinished: Bool {
        isReleased && signal.socket == nil && signal.closing.isEmpty
    }

    /// The earliest of what the attempt, the connections and the statistics wait for.
    ///
    /// Computed once after each call. A frame that only proves what was known leaves it alone, so that
    /// it may come before anything is due; the wake then finds nothing to do but compute it again.
    public private(set) var deadline: Deadline?

    private var nextDeadline: Deadline? {
        var earliest = Deadline.earliest(signal.deadline, activity.deadline)
        earliest = .earliest(earliest, publisher?.deadline)
        earliest = .earliest(earliest, subscriber?.deadline)
        earliest = .earliest(earliest, microphone.deadline)
        return .earliest(earliest, nextStatistics.map { Deadline($0, "statistics") })
    }

    /// Takes one fact.
    public mutating func handle(
        _ event: RoomClientEvent,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        guard !isFinished else { return }
        feelVoice(at: now)
        switch event {
        case .command(let command): perform(command, at: now, into: &effects)
        case .addressesChanged(let addresses): change(to: addresses, at: now)
        case .packet(let packet):
            guard receive(packet, at: now) else { return }
        case .socketsFailed(let address): fail(address, at: now)
        }
        pump(at: now, into: &effects)
        deadline = nextDeadline
    }

    /// Wakes what is due; each part ignores a wake before its own deadline (law L2).
    public mutating func wake(at now: Instant, into effects: inout EffectBuffer<RoomClientEffect>) {
        guard let deadline, now >= deadline.instant else { return }
        feelVoice(at: now)
        signal.wake(at: now, into: &signalEffects)
        publisher?.wake(at: now, into: &publisherEffects)
        subscriber?.wake(at: now, into: &subscriberEffects)
        pump(at: now, into: &effects)
        wakeActivity(at: now, into: &effects)
        expirePublication(at: now, into: &effects)
        reportStatistics(at: now, into: &effects)
        pump(at: now, into: &effects)
        self.deadline = nextDeadline
    }

    /// Acts on what the inner machines ordered until they are quiet.
    private mutating func pump(
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        while true {
            if !signalEffects.effects.isEmpty {
                let ordered = signalEffects.effects
                signalEffects.removeAll()
                for effect in ordered { act(on: effect, at: now, into: &effects) }
            } else if !subscriberEffects.effects.isEmpty {
                let ordered = subscriberEffects.effects
                subscriberEffects.removeAll()
                for effect in ordered { act(on: effect, of: .subscriber, at: now, into: &effects) }
            } else if !publisherEffects.effects.isEmpty {
                let ordered = publisherEffects.effects
                publisherEffects.removeAll()
                for effect in ordered { act(on: effect, of: .publisher, at: now, into: &effects) }
            } else {
                return
            }
        }
    }

    /// Gives a packet to the part whose port it came to.
    ///
    /// - Returns: Whether anything may follow from it.
    private mutating func receive(_ packet: Packet, at now: Instant) -> Bool {
        switch (packet.destination.port &- portBase) / PortPool.size {
        case 0:
            signal.handle(.packet(packet), at: now, into: &signalEffects)
        case 1:
            publisher?.handle(.packet(packet), at: now, into: &publisherEffects)
        case 2:
            if case .media = packet.content {
                if hears(packet) { receivedVoice.add() }
                if subscriber?.noteMedia(at: packet.destination, now) ?? true { return false }
            }
            subscriber?.handle(.packet(packet), at: now, into: &subscriberEffects)
        default:
            return false
        }
        return true
    }

    private mutating func change(to addresses: [NetworkAddress], at now: Instant) {
        self.addresses = addresses
        publisher?.handle(.addressesChanged(addresses), at: now, into: &publisherEffects)
        subscriber?.handle(.addressesChanged(addresses), at: now, into: &subscriberEffects)
    }

    private mutating func fail(_ address: NetworkAddress, at now: Instant) {
        signal.handle(.socketsFailed(address), at: now, into: &signalEffects)
        publisher?.handle(.socketsFailed(address), at: now, into: &publisherEffects)
        subscriber?.handle(.socketsFailed(address), at: now, into: &subscriberEffects)
    }

    /// Changes what the delegate is told about, and tells it.
    mutating func change(
        into effects: inout EffectBuffer<RoomClientEffect>,
        _ body: (inout RoomState) -> Void
    ) {
        let old = state
        body(&state)
        let completes =
            state.connection == .connected || configuration.defects.completesAfterFailure
        state.tell(changesFrom: old, completes: completes, into: &effects)
    }
}

/// What the server said of the session at the latest join or resume.
struct SessionFacts: Sendable, Equatable {
    /// The participant's number.
    var participant: UInt32?
    /// Where media goes.
    var mediaAddress: SocketAddress?
    /// The latest offer for the publisher; an answer to an older one is refused.
    var offerID: UInt32 = 0
    /// Counts the publisher's ICE sessions.
    var generation: UInt16 = 0
    /// Whether the publisher was negotiated, so that its loss counts.
    var hasPublished = false
    /// Whether the next list of participants without a departure names all that are there, as the first
    /// one after a resume does.
    var awaitsSnapshot = false
}
