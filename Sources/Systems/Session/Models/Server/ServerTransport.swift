import KodamaNetwork
import KodamaPhone
import SansIO

/// The server's side of one peer connection: ICE that answers checks, and the server of DTLS.
///
/// A check is answered if its generation is the one agreed last; the other side's address is
/// whatever the check came from, so that a phone on a new address is found without signalling, and
/// media goes where the client nominates, by the rule of the agent (`IceAgent`). The
/// keys of DTLS outlive an ICE restart. What pion calls *disconnected* has no effect in the server
/// and is not kept: only the sum of both time-outs, *failed*, is (livekit/livekit,
/// `pkg/rtc/transport.go`).
struct ServerTransport: Sendable, Equatable {
    /// Where ICE stands.
    enum Connectivity: Sendable, Equatable {
        /// Nothing is agreed yet.
        case new
        /// Waits for the first check of a generation.
        case checking
        /// Packets come.
        case connected
        /// They came no longer; only a new generation helps.
        case failed
        /// Closed for good.
        case closed
    }

    /// Where the handshake stands (RFC 6347 §4.2).
    enum Handshake: Sendable, Equatable {
        /// The client has not said hello.
        case waiting
        /// The server's hello is under way, and repeated until the client goes on.
        case answering(resendAt: Instant, interval: Duration)
        /// Both have keys.
        case done
    }

    /// An address of the client from which a valid check came.
    struct Remote: Sendable, Equatable {
        var socket: SocketAddress
        /// The generation of that check.
        var generation: UInt16
        var heard: Instant
        /// Whether the client has ever nominated it.
        var isNominated: Bool
    }

    /// A check that the server sends.
    struct Check: Sendable, Equatable {
        var generation: UInt16
        var transaction: UInt32
        var destination: SocketAddress
    }

    /// So many addresses are remembered; the one heard least recently gives way.
    static let remotesMax = 8
    /// The silence after which ICE has failed.
    private let silenceMax: Duration
    /// The time between the server's own checks.
    private let keepalive: Duration
    /// Whether a restart begins by forgetting every address.
    private let forgetsPairs: Bool
    /// Which nominations are taken.
    private let agent: IceAgent
    /// Whether a way is used only once it is nominated.
    private let awaitsNomination: Bool

    var connectivity = Connectivity.new
    var handshake = Handshake.waiting
    /// From where a hello came that is answered once a way is nominated (pion/ice, `agent.go`, keeps what
    /// comes meanwhile).
    var earlyHello: SocketAddress?
    /// Whether ICE was ever connected.
    var hasConnected = false
    /// The generation agreed last; checks of others are not answered.
    private(set) var generation: UInt16?
    /// The generation that media goes by; older than `generation` until its first check comes.
    private var validated: UInt16?
    private var remotes: [Remote] = []
    /// Where media goes.
    private(set) var selected: SocketAddress?
    /// When anything valid came by the way of media last, or since when it is awaited (pion/ice,
    /// `agent.go`, `validateSelectedPair`: what other addresses send keeps no transport alive).
    private(set) var heard = Instant.zero
    private(set) var keepaliveAt = Instant.zero
    private var transactions: UInt32 = 0

    init(_ configuration: RoomServerConfiguration) {
        silenceMax = configuration.iceDisconnectedTimeout + configuration.iceFailedTimeout
        keepalive = configuration.iceKeepaliveInterval
        forgetsPairs = configuration.forgetsPairsUponRestart
        agent = configuration.iceAgent
        awaitsNomination = configuration.awaitsNomination && configuration.iceAgent == .lite
    }

    /// Whether media can pass: the keys are there and packets came lately.
    var isConnected: Bool {
        guard case .done = handshake else { return false }
        return selected != nil
    }

    /// Whether packets from this address are taken.
    func knows(_ socket: SocketAddress) -> Bool {
        remotes.contains { $0.socket == socket }
    }

    /// Both sides agreed on a generation; media keeps its way until the new pair carries it
    /// (RFC 8445 §9), unless the addresses are forgotten.
    mutating func agree(on generation: UInt16, at now: Instant) {
        guard connectivity != .closed, self.generation != generation else { return }
        forgetPairsIfSo()
        self.generation = generation
        connectivity = .checking
        heard = now
    }

    /// A new generation was offered: the clock of the old one starts anew.
    mutating func expectRestart(at now: Instant) {
        forgetPairsIfSo()
        switch connectivity {
        case .new, .closed:
            break
        case .failed:
            connectivity = .checking
            heard = now
        case .checking, .connected:
            heard = now
        }
    }

    /// Takes a valid check or an answer to one of ours, and says whether it is valid.
    mutating func takeCheck(
        _ generation: UInt16,
        isNominating: Bool,
        from socket: SocketAddress,
        at now: Instant
    ) -> Bool {
        guard self.generation == generation else { return false }
        switch connectivity {
        case .new, .failed, .closed:
            return false
        case .checking where awaitsNomination && !isNominating:
            note(socket, generation, at: now)
            return true
        case .checking:
            connectivity = .connected
            hasConnected = true
            keepaliveAt = now.advanced(by: keepalive)
        case .connected:
            break
        }
        if validated != generation {
            remotes.removeAll { $0.generation != validated }
            validated = generation
            selected = nil
        }
        touch(socket, generation, isNominating, at: now)
        return true
    }

    /// Remembers a way that works and is not nominated yet; media keeps the one it has.
    private mutating func note(_ socket: SocketAddress, _ generation: UInt16, at now: Instant) {
        guard !remotes.contains(where: { $0.socket == socket }) else { return }
        remotes.append(
            Remote(socket: socket, generation: generation, heard: now, isNominated: false)
        )
        trim()
    }

    private mutating func forgetPairsIfSo() {
        guard forgetsPairs else { return }
        remotes = []
        selected = nil
    }

    /// Takes a packet of another kind, and says whether it came from an address that is known.
    mutating func takePacket(from socket: SocketAddress, at now: Instant) -> Bool {
        guard connectivity == .connected || connectivity == .checking,
            let place = remotes.firstIndex(where: { $0.socket == socket })
        else { return false }
        remotes[place].heard = now
        if socket == selected { heard = now }
        // The client has gone over to the new pair: what it had before is nobody's any more.
        let generation = remotes[place].generation
        if generation == validated, generation != remotes[0].generation {
            remotes.removeAll { $0.generation != generation }
        }
        return true
    }

    /// The next check of one's own, if it can be sent.
    mutating func makeCheck(at now: Instant) -> Check? {
        guard connectivity == .connected, let generation, let selected else { return nil }
        keepaliveAt = now.advanced(by: keepalive)
        transactions += 1
        return Check(generation: generation, transaction: transactions, destination: selected)
    }

    /// No packet came for too long.
    mutating func fail() {
        connectivity = .failed
        forget()
    }

    mutating func close() {
        connectivity = .closed
        forget()
    }

    private mutating func forget() {
        generation = nil
        validated = nil
        remotes = []
        selected = nil
        earlyHello = nil
        switch handshake {
        case .waiting, .done: break
        case .answering: handshake = .waiting
        }
    }

    private mutating func touch(
        _ socket: SocketAddress,
        _ generation: UInt16,
        _ isNominating: Bool,
        at now: Instant
    ) {
        if let place = remotes.firstIndex(where: { $0.socket == socket }) {
            remotes[place].heard = now
            remotes[place].generation = generation
            if isNominating { remotes[place].isNominated = true }
        } else {
            remotes.append(
                Remote(
                    socket: socket,
                    generation: generation,
                    heard: now,
                    isNominated: isNominating
                )
            )
        }
        if selectedGivesWay(to: socket, isNominating) { selected = socket }
        if socket == selected { heard = now }
        trim()
    }

    /// The way that was heard least recently gives way.
    private mutating func trim() {
        guard remotes.count > Self.remotesMax,
            let oldest = remotes.indices
                .filter({ remotes[$0].socket != selected })
                .min(by: { remotes[$0].heard < remotes[$1].heard })
        else { return }
        remotes.remove(at: oldest)
    }

    /// Whether media goes to another address from now on.
    ///
    /// A way counts from its first check on until the client nominates one: the real server has a check of
    /// its own answered first, a round trip later (pion/ice, `selection.go`).
    private func selectedGivesWay(to socket: SocketAddress, _ isNominating: Bool) -> Bool {
        guard let selected, let remote = remotes.first(where: { $0.socket == selected }) else {
            return true
        }
        guard isNominating, socket != selected else { return false }
        switch agent {
        case .lite: return true
        case .full:
            return !remote.isNominated || socket.address.interface < selected.address.interface
        }
    }
}

extension ServerTransport {
    /// When the transport fails if nothing is heard until then.
    var failsAt: Instant? {
        switch connectivity {
        case .new, .failed, .closed: nil
        case .checking, .connected: heard.advanced(by: silenceMax)
        }
    }

    /// When the transport wants to be woken.
    var deadline: Deadline? {
        var deadline = failsAt.map { Deadline($0, "ICE failed") }
        // Who has forgotten every address has nowhere to send a check.
        if connectivity == .connected, selected != nil {
            deadline = .earliest(deadline, Deadline(keepaliveAt, "ICE keepalive"))
        }
        switch handshake {
        case .waiting, .done:
            return deadline
        case .answering(let resendAt, _):
            return .earliest(deadline, Deadline(resendAt, "DTLS retransmission"))
        }
    }
}
