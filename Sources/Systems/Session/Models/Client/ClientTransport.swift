import KodamaNetwork
import KodamaPhone
import SansIO

/// The states of a peer connection (W3C WebRTC, `RTCPeerConnectionState`, without `closed`).
enum TransportState: Sendable, Hashable, CaseIterable {
    /// Nothing is negotiated.
    case new
    /// Checks or the DTLS handshake go on.
    case connecting
    /// Both are done.
    case connected
    /// Checks stay unanswered for a while; it may come back by itself.
    case disconnected
    /// Checks stayed unanswered for long; only an ICE restart helps.
    case failed
}

/// One peer connection of the SDK: an ICE agent that checks, and the DTLS client over it.
///
/// Candidates are the phone's present addresses, each with the server's media address: LiveKit's
/// clients gather continually over all interfaces (client-sdk-swift,
/// `Extensions/RTCConfiguration.swift`), so a new address is checked at once and may carry the media
/// without a word over signalling. After an ICE restart the old pair goes on until a new one works
/// (RFC 8445 §9). Intervals and time-outs are libwebrtc's, as the configuration cites them.
struct ClientTransport: StateMachine {
    enum Event: Sendable, Equatable {
        /// Both descriptions are known; new credentials begin an ICE session.
        ///
        /// The last is where the server takes media by TCP, if it does (RFC 6544).
        case negotiated(IceCredentials, remote: SocketAddress, SocketAddress? = nil)
        /// The addresses that sockets may use from now on, the favourite first.
        case addressesChanged([NetworkAddress])
        /// The system reports that sockets of this address are broken.
        case socketsFailed(NetworkAddress)
        /// A packet for one of the ports.
        case packet(Packet)
    }

    enum Effect: Sendable, Equatable {
        /// Sends a packet.
        case transmit(Packet)
        /// The peer connection's state changed.
        case stateChanged(TransportState)
    }

    /// What was negotiated last.
    struct Session: Sendable, Equatable {
        var credentials: IceCredentials
        var remote: SocketAddress
        /// The server's end for TCP, if it has one.
        var stream: SocketAddress?
    }

    /// A check of each pair, a flight of DTLS, a change of state, with room to spare.
    static let effectsPerCallMax = 32
    /// A phone has two interfaces; each may change its address while old pairs die.
    static let pairsMax = 16

    let timing: RoomClientConfiguration
    var ports: PortPool
    var addresses: [NetworkAddress]
    var session: Session?
    var pairs: [CandidatePair] = []
    /// The pair that media goes by, named by its own end.
    var selected: SocketAddress?
    /// The two ends of that pair while media may go by it.
    private(set) var mediaEnds: MediaEnds?
    var hasBeenWritable = false
    var handshake = Handshake.idle
    var state = TransportState.new
    var transaction: UInt32 = 0
    /// How many checks were answered.
    var consentResponses: Int64 = 0
    /// How many checks the server sent that came in.
    var serverChecks: Int64 = 0
    /// How often media went over to another pair.
    var pairChanges: Int64 = 0
    /// The latest round trip of a check.
    var roundTrip: Duration?

    init(timing: RoomClientConfiguration, addresses: [NetworkAddress], ports: PortPool) {
        self.timing = timing
        self.addresses = addresses
        self.ports = ports
    }

    /// A peer connection ends with its owner's interest.
    var isFinished: Bool { false }

    var deadline: Deadline? {
        var earliest = handshake.deadline
        // Pairs are looked at where they lie: a copy costs more than the look.
        let isWeak = isWeak
        for place in pairs.indices {
            let isSelected = pairs[place].local == selected
            if let check = pairs[place].nextCheck(isSelected: isSelected, isWeak: isWeak, timing) {
                earliest = .earliest(earliest, Deadline(check, "connectivity check"))
            }
            if let change = pairs[place].nextChange(timing) {
                earliest = .earliest(earliest, Deadline(change, "ICE time-out"))
            }
        }
        return earliest
    }

    mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .negotiated(let credentials, let remote, let stream):
            negotiate(Session(credentials: credentials, remote: remote, stream: stream))
        case .addressesChanged(let addresses): change(to: addresses, at: turn.now)
        case .socketsFailed(let address): lose(address, at: turn.now)
        case .packet(let packet): receive(packet, in: &turn)
        }
        settle(in: &turn)
    }

    mutating func wake(in turn: inout Turn<Effect>) {
        guard let deadline, turn.now >= deadline.instant else { return }
        for place in pairs.indices {
            pairs[place].update(at: turn.now, timing)
        }
        settle(in: &turn)
        resendFlight(in: &turn)
    }

    /// Whether the pair that is used does not work both ways, so that all others are tried.
    var isWeak: Bool {
        selectedIndex.map { pairs[$0].usability < 2 } ?? true
    }

    var selectedPair: CandidatePair? { selectedIndex.map { pairs[$0] } }

    private var selectedIndex: Int? {
        pairs.indices.first { pairs[$0].local == selected }
    }

    /// Whether a packet that came to this end can be decrypted.
    func receives(at local: SocketAddress) -> Bool {
        if mediaEnds?.local == local { return true }
        return handshake == .done && pairs.contains { $0.local == local }
    }

    /// Notes a frame on a pair that was receiving anyway, which changes nothing else.
    ///
    /// - Returns: Whether that was so; if not, the packet is an event like any other.
    mutating func noteMedia(at local: SocketAddress, _ now: Instant) -> Bool {
        for place in pairs.indices where pairs[place].local == local {
            guard pairs[place].isReceiving else { return false }
            pairs[place].lastReceived = now
            return true
        }
        return false
    }

    /// Draws the conclusions of whatever happened: the pair to use, the state, what to check now.
    private mutating func settle(in turn: inout Turn<Effect>) {
        repeat {
            select()
        } while check(in: &turn)
        startHandshake(in: &turn)
        mediaEnds = nil
        if handshake == .done, let place = selectedIndex, pairs[place].carriesMedia {
            mediaEnds = MediaEnds(local: pairs[place].local, remote: pairs[place].remote)
        }
        let state = currentState
        guard state != self.state else { return }
        self.state = state
        turn.order(.stateChanged(state))
    }
}

/// The two ends of the pair that media goes by.
struct MediaEnds: Sendable, Equatable {
    let local: SocketAddress
    let remote: SocketAddress
}

/// The ports that one part of a room object opens, one after the other.
struct PortPool: Sendable, Equatable {
    /// How many ports a part has before it begins anew.
    static let size: UInt64 = 0x4000
    /// The bit of those that media by TCP comes from.
    static let stream: UInt64 = 0x2000

    let base: UInt64
    private var taken: UInt64 = 0

    init(base: UInt64) {
        self.base = base
    }

    mutating func take() -> UInt64 {
        defer { taken = (taken + 1) % Self.stream }
        return base + taken
    }

    mutating func takeForStream() -> UInt64 { take() | Self.stream }
}
