import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import RealtimeVoice
package import SansIO

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
package struct RoomClient: StateMachine {
    /// What tells of every participant and track, and of a message in many segments.
    package static var effectsPerCallMax: Int {
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
    /// Whether a transport was not connected at any time since the reconnect began.
    var hasBroken = false
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
    /// The payload of the frames that were sent one by one.
    var sentBytes: Int64 = 0
    var receivedVoice = VoiceCount()
    /// Where voice comes in that is not carried as frames.
    var voiceDestination: SocketAddress?
    var nextStatistics: Instant?
    var socketPorts: PortPool
    var publisherPorts: PortPool
    var subscriberPorts: PortPool

    /// What the inner machines ordered and nothing has followed from yet; empty between calls.
    var signalEffects: [SignalClient.Effect] = []
    var publisherEffects: [ClientTransport.Effect] = []
    var subscriberEffects: [ClientTransport.Effect] = []

    /// Makes a room object that does nothing yet.
    ///
    /// - Parameters:
    ///   - configuration: Whose policy it follows and which figures hold.
    ///   - room: The object's name in the session.
    ///   - server: Where the room server takes signal connections.
    ///   - portBase: The first of 65,536 ports that are the object's own.
    ///   - seed: What its chance is drawn from.
    init(
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
    package var isFinished: Bool {
        isReleased && signal.socket == nil && signal.closing.isEmpty
    }

    /// Whether the object has no sockets and waits for nothing: one that was left is not connected again.
    package var isQuiet: Bool {
        signal.socket == nil && signal.closing.isEmpty && deadline == nil
    }

    /// The earliest of what the attempt, the connections and the statistics wait for.
    ///
    /// Computed once after each call. A frame that only proves what was known leaves it alone, so that
    /// it may come before anything is due; the wake then finds nothing to do but compute it again.
    package private(set) var deadline: Deadline?

    private var nextDeadline: Deadline? {
        var earliest = Deadline.earliest(signal.deadline, activity.deadline)
        earliest = .earliest(earliest, publisher?.deadline)
        earliest = .earliest(earliest, subscriber?.deadline)
        earliest = .earliest(earliest, microphone.deadline)
        return .earliest(earliest, nextStatistics.map { Deadline($0, "statistics") })
    }

    /// Takes one fact.
    package mutating func handle(_ event: RoomClientEvent, in turn: inout Turn<RoomClientEffect>) {
        guard !isFinished else { return }
        feelVoice(at: turn.now)
        switch event {
        case .command(let command): perform(command, in: &turn)
        case .addressesChanged(let addresses): change(to: addresses, at: turn.now)
        case .packet(let packet):
            guard receive(packet, at: turn.now) else { return }
        case .socketsFailed(let address): fail(address, at: turn.now)
        }
        pump(in: &turn)
        deadline = nextDeadline
    }

    /// Wakes what is due; each part ignores a wake before its own deadline (law L2).
    package mutating func wake(in turn: inout Turn<RoomClientEffect>) {
        guard let deadline, turn.now >= deadline.instant else { return }
        feelVoice(at: turn.now)
        signalEffects += signal.drive(nil, at: turn.now)
        publisherEffects += publisher?.drive(nil, at: turn.now) ?? []
        subscriberEffects += subscriber?.drive(nil, at: turn.now) ?? []
        pump(in: &turn)
        wakeActivity(in: &turn)
        expirePublication(in: &turn)
        reportStatistics(in: &turn)
        pump(in: &turn)
        self.deadline = nextDeadline
    }

    /// Acts on what the inner machines ordered until they are quiet.
    private mutating func pump(in turn: inout Turn<RoomClientEffect>) {
        while true {
            if !signalEffects.isEmpty {
                let ordered = signalEffects
                signalEffects.removeAll()
                for effect in ordered { act(on: effect, in: &turn) }
            } else if !subscriberEffects.isEmpty {
                let ordered = subscriberEffects
                subscriberEffects.removeAll()
                for effect in ordered { act(on: effect, of: .subscriber, in: &turn) }
            } else if !publisherEffects.isEmpty {
                let ordered = publisherEffects
                publisherEffects.removeAll()
                for effect in ordered { act(on: effect, of: .publisher, in: &turn) }
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
            signalEffects += signal.drive(.packet(packet), at: now)
        case 1:
            publisherEffects += publisher?.drive(.packet(packet), at: now) ?? []
        case 2:
            if case .media = packet.content {
                if hears(packet) { receivedVoice.add() }
                if subscriber?.noteMedia(at: packet.destination, now) ?? true { return false }
            }
            subscriberEffects += subscriber?.drive(.packet(packet), at: now) ?? []
        default:
            return false
        }
        return true
    }

    private mutating func change(to addresses: [NetworkAddress], at now: Instant) {
        self.addresses = addresses
        publisherEffects += publisher?.drive(.addressesChanged(addresses), at: now) ?? []
        subscriberEffects += subscriber?.drive(.addressesChanged(addresses), at: now) ?? []
    }

    private mutating func fail(_ address: NetworkAddress, at now: Instant) {
        signalEffects += signal.drive(.socketsFailed(address), at: now)
        publisherEffects += publisher?.drive(.socketsFailed(address), at: now) ?? []
        subscriberEffects += subscriber?.drive(.socketsFailed(address), at: now) ?? []
    }

    /// Changes what the delegate is told about, and tells it.
    mutating func change(in turn: inout Turn<RoomClientEffect>, _ body: (inout RoomState) -> Void) {
        let old = state
        body(&state)
        let completes =
            state.connection == .connected || configuration.defects.completesAfterFailure
        state.tell(changesFrom: old, completes: completes, in: &turn)
    }
}

/// What the server said of the session at the latest join or resume.
struct SessionFacts: Sendable, Equatable {
    /// The participant's number.
    var participant: UInt32?
    /// Where media goes.
    var mediaAddress: SocketAddress?
    /// Where it goes by TCP, if the server takes it.
    var streamAddress: SocketAddress?
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
