import Crypto
public import SansIO

/// Proves that two phones belong to one group, authenticates both members, and agrees on keys
/// (S-SEC-001, S-SEC-002, S-GRP-012): `Noise_XXpsk0+psk3_25519_ChaChaPoly_SHA256` over datagrams
/// that get lost, doubled and reordered.
///
/// Three packets, five under load: offer, answer, proof. The side that waits repeats: the offer until an
/// answer comes, the answer until the proof comes. A proof is sent again when its answer
/// comes again. So any packet may be lost, and none is answered with more than one.
///
/// Both may offer at once. The offer with the lexicographically smaller ephemeral key then leads, and
/// its sender ignores the other; the other answers. It does not withdraw its own offer before a
/// handshake is complete, since the offer that it answered might be one recorded earlier and
/// played back, to which no proof ever comes. If in the end each completed the handshake that it
/// began, the leading one counts: the side that began the other says in its proof which one leads, keeps
/// its answer to it open, and goes over when that proof comes. The side that began the leading one ignores
/// a proof that says so. A phone that started again has answered nothing, and is followed at once.
///
/// An offer proves that its sender knows the group's secret, now or earlier; everything else about it
/// is refused without Diffie–Hellman and without state. An offer that was answered is not answered again
/// for the next 256. Offers that were recorded and never answered are bound to neither a receiver nor a
/// time; so where `freeMax` answers wait for proof, an offer is answered with a challenge, without state,
/// and taken once its sender echoes the challenge's cookie with the group's key: of this receiver, and less
/// than 20 s old (RFC 9147 section 5.1, with a key). It costs its sender a round trip.
///
/// A machine is one source's. More than `offersPerSecondMax` offers of it are refused unread, which counts against
/// the source; an offer with a cookie is read always.
///
/// The machine goes on after a session is established: a peer that starts again offers again. The
/// newest session counts; nothing replaces a session but a whole handshake.
public struct GroupHandshake: StateMachine {
    /// A fact about the peer.
    public enum Event: Sendable, Equatable {
        /// A session with the peer is wanted; nothing happens if an attempt is under way.
        case requested
        /// The peer sent a packet of a handshake.
        case packetReceived([UInt8])
        /// The peer is gone, or no session is wanted any more.
        case closed
    }

    /// An order to the transport or the session's owner.
    public enum Effect: Sendable, Equatable {
        /// Send these bytes to the peer, unreliably.
        case send([UInt8])
        /// Use these keys from now on.
        case established(SessionKeys)
        /// A packet was not accepted; nothing has changed by it but its source's share of offers.
        case refused(PacketRefusal)
        /// The attempt that this side began found no end in time.
        case timedOut
    }

    /// Everything that waits, sent again in one call, and the news of a time-out.
    public static var effectsPerCallMax: Int { 16 }

    /// How many answered offers are remembered, of 32 bytes each.
    static let answeredMax = 256
    /// How many answers may wait for proof to offers of which nothing says that they are new: the peer's, and one
    /// that it gave up.
    static let freeMax = 2
    /// How many offers without a cookie are read in a second, and at once.
    ///
    /// A peer offers five times in its first four seconds, and a link may double each. The rest is for what is
    /// played back in its name: 100 a second delay it by no more than a challenge does.
    static let offersPerSecondMax: Int64 = 128
    /// How long a cookie is given out; the one before it is taken as long.
    static let cookieNanoseconds: Int64 = 10_000_000_000

    let limits: Limits
    let identity: MemberIdentity
    let group: GroupCredential
    let expected: MemberID?
    var entropy: Entropy
    /// The key of this side's cookies.
    let cookieKey: SymmetricKey

    /// What this side offered.
    var initiation: Initiation?
    /// What this side answered.
    var halfOpen: [HalfOpen] = []
    /// The proof of the session that this side began, as long as its answer may come again.
    var proof: Proof?
    /// The ephemeral keys of the offers that were answered, the latest last.
    var answered: [[UInt8]] = []
    /// Until when the offers that were read have used up the source's share.
    var offersUntilNanoseconds = Int64.min
    /// Whether the peer is gone.
    public private(set) var isFinished = false

    /// Makes a machine for one peer.
    ///
    /// - Parameters:
    ///   - configuration: How patient it is; every duration MUST be positive.
    ///   - identity: This phone's identity.
    ///   - group: The group that both must belong to.
    ///   - expected: The member that the peer must be, if a certain one is wanted.
    ///   - entropy: Where ephemeral keys come from; MUST NOT be used for anything else.
    public init(
        configuration: Configuration = Configuration(),
        identity: MemberIdentity,
        group: GroupCredential,
        expecting expected: MemberID? = nil,
        entropy: Entropy
    ) {
        precondition(
            configuration.halfOpenMax + 2 <= Self.effectsPerCallMax,
            "\(configuration.halfOpenMax) half-open handshakes are more than one call can serve"
        )
        limits = Limits(configuration)
        self.identity = identity
        self.group = group
        self.expected = expected
        self.entropy = entropy
        var cookies = entropy.separated(for: "cookies")
        cookieKey = cookies.draw()
    }

    /// Whether an attempt is under way that this side or the other began.
    public var isUnderWay: Bool { initiation != nil || !halfOpen.isEmpty }

    /// The earliest time at which something is sent again or given up.
    public var deadline: Deadline? {
        var earliest = initiation.map { $0.retry.deadline(resending: "offer again") }
        for answer in halfOpen {
            let deadline = answer.retry.deadline(resending: "answer again")
            earliest = Deadline.earliest(earliest, deadline)
        }
        return Deadline.earliest(
            earliest,
            proof.map { Deadline(Instant(nanoseconds: $0.expiresNanoseconds), "forget proof") }
        )
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        guard !isFinished else { return }
        switch event {
        case .requested: offer(in: &turn)
        case .packetReceived(let bytes):
            do throws(PacketRefusal) {
                try receive(try HandshakePacket(decoding: bytes), in: &turn)
            } catch {
                turn.order(.refused(error))
            }
        case .closed:
            (initiation, halfOpen, proof) = (nil, [], nil)
            isFinished = true
        }
    }

    /// Sends again what waits too long, and gives up what waited long enough.
    public mutating func wake(in turn: inout Turn<Effect>) {
        if let expires = initiation?.retry.expiresNanoseconds, expires <= turn.now.nanoseconds {
            initiation = nil
            turn.order(.timedOut)
        }
        if let packet = initiation?.retry.packetDue(at: turn.now, limits) {
            turn.order(.send(packet))
        }
        halfOpen.removeAll { $0.retry.expiresNanoseconds <= turn.now.nanoseconds }
        for index in halfOpen.indices {
            guard let packet = halfOpen[index].retry.packetDue(at: turn.now, limits) else {
                continue
            }
            turn.order(.send(packet))
        }
        if let expires = proof?.expiresNanoseconds, expires <= turn.now.nanoseconds { proof = nil }
    }

    private mutating func receive(
        _ packet: HandshakePacket,
        in turn: inout Turn<Effect>
    ) throws(PacketRefusal) {
        switch packet {
        case .offer(let sign, let message, let echo):
            try answer(message, showing: sign, echoing: echo, in: &turn)
        case .answer(let attempt, let message):
            try prove(attempt, packet: packet.bytes, message, in: &turn)
        case .proof(let attempt, let message):
            try accept(attempt, message, in: &turn)
        case .challenge(let attempt, let cookie, let seal):
            try echo(cookie, sealed: seal, of: attempt, in: &turn)
        }
    }
}
