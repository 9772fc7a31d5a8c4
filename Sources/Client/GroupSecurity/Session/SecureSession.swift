public import SansIO

/// What guards the way to one peer: handshake, sealing and opening, and the peer's conduct.
///
/// Packets of a handshake are events; sealed packets pass by `seal` and `open`, which need no answer,
/// and only what was refused comes back as an event. Nothing is sealed before a session is
/// established, so no voice goes to a peer that hasn't proved its membership (S-GRP-012).
///
/// A new session takes over at once for sending. The one before it opens what is still on its way
/// for a while more.
public struct SecureSession: StateMachine {
    /// A fact about the peer.
    public enum Event: Sendable, Equatable {
        /// A session with the peer is wanted; the peer may want one as well.
        case requested
        /// The peer sent a packet that `isSealed` says is none.
        case handshakeReceived([UInt8])
        /// A packet was refused by `open`.
        case packetRefused(PacketRefusal)
        /// The peer is gone.
        case disconnected
    }

    /// An order to the transport, or news for the app.
    public enum Effect: Sendable, Equatable {
        /// Send these bytes to the peer, unreliably.
        case send([UInt8])
        /// The peer is this member of the group, proven; from now on packets can be sealed for it.
        case established(MemberPublicKey)
        /// The attempt found no end in time; another may be requested.
        case timedOut
        /// End the connection: what was refused last, too often and with nothing authentic beside it
        /// (S-SEC-004).
        case cut(PacketRefusal)
    }

    /// What a handshake orders, and one cut.
    public static var effectsPerCallMax: Int { GroupHandshake.effectsPerCallMax + 1 }

    /// For how long the session before the present one opens packets: longer than any path delays
    /// them (relays of satellite links stay below 2 s).
    static let overlapNanoseconds: Int64 = 5_000_000_000
    /// How long nothing authentic must have come before packets of an unknown session count as the
    /// other side having another session than this one.
    static let silenceNanoseconds: Int64 = 2_000_000_000

    /// How long an authentic packet speaks for the peer: longer than the rarest keepalive, 5 s (S-VAD-002).
    static let vouchingNanoseconds: Int64 = 6_000_000_000

    private var handshake: GroupHandshake
    private var conduct = PeerConduct()
    private var sealer: PacketSealer?
    private var opener: PacketOpener?
    private var previous: Previous?
    private var authenticNanoseconds: Int64 = 0
    /// The peer's identity, once proven.
    public private(set) var peer: MemberPublicKey?

    /// The session before the present one.
    private struct Previous: Sendable, Equatable {
        var opener: PacketOpener
        let untilNanoseconds: Int64
    }

    /// Guards the way to one peer, without a session yet.
    ///
    /// - Parameter handshake: How it is to be established.
    public init(_ handshake: GroupHandshake) {
        self.handshake = handshake
    }

    /// Whether the peer is gone or was cut.
    public var isFinished: Bool { handshake.isFinished }

    /// How many of the peer's packets were refused, for which reasons.
    public var refusals: RefusalCounts { conduct.counts }

    /// The handshake's deadline, or when the session before the present one is forgotten.
    public var deadline: Deadline? {
        Deadline.earliest(
            handshake.deadline,
            previous.map { Deadline(Instant(nanoseconds: $0.untilNanoseconds), "forget session") }
        )
    }

    /// Whether a datagram is for `open`; if not it is for the handshake, which refuses what it is not.
    public static func isSealed(_ packet: UnsafeRawBufferPointer) -> Bool {
        packet.first.map { $0 & 0x0F == SealedHeader.kind } ?? false
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        guard !isFinished else { return }
        switch event {
        case .requested: tellHandshake(.requested, in: &turn)
        case .handshakeReceived(let packet): tellHandshake(.packetReceived(packet), in: &turn)
        case .packetRefused(let refusal):
            judge(refusal, in: &turn)
            recover(from: refusal, in: &turn)
        case .disconnected: end(in: &turn)
        }
    }

    /// Wakes the handshake, and forgets the session before the present one when it is time.
    public mutating func wake(in turn: inout Turn<Effect>) {
        tellHandshake(nil, in: &turn)
        if let until = previous?.untilNanoseconds, until <= turn.now.nanoseconds { previous = nil }
    }

    /// Seals one message for the peer; see `PacketSealer.seal`.
    ///
    /// - Returns: How many bytes were written; `nil` while nothing is established, and when the
    ///   session has used up its keys.
    public mutating func seal(
        _ plaintext: UnsafeRawBufferPointer,
        stream: UInt8,
        into packet: UnsafeMutableRawBufferPointer
    ) -> Int? {
        guard !isFinished else { return nil }
        return sealer?.seal(plaintext, stream: stream, into: packet)
    }

    /// Opens one packet of the peer; see `PacketOpener.open`.
    ///
    /// - Throws: Why the packet is not accepted; the caller MUST report it by `packetRefused`.
    public mutating func open(
        _ packet: UnsafeRawBufferPointer,
        into plaintext: UnsafeMutableRawBufferPointer,
        at now: Instant
    ) throws(PacketRefusal) -> PacketOpener.Opened {
        let session = try SealedHeader(decoding: packet).session
        let opened: PacketOpener.Opened?
        if session == opener?.session {
            opened = try opener?.open(packet, into: plaintext)
        } else if session == previous?.opener.session {
            opened = try previous?.opener.open(packet, into: plaintext)
        } else {
            opened = nil
        }
        guard let opened else { throw .unknownSession }
        authenticNanoseconds = now.nanoseconds
        return opened
    }

    /// Gives the handshake an event, or wakes it, and follows what it orders.
    private mutating func tellHandshake(
        _ event: GroupHandshake.Event?,
        in turn: inout Turn<Effect>
    ) {
        for effect in handshake.drive(event, at: turn.now) {
            switch effect {
            case .send(let packet): turn.order(.send(packet))
            case .timedOut: turn.order(.timedOut)
            case .refused(let refusal): judge(refusal, in: &turn)
            case .established(let keys):
                if let opener {
                    let until = turn.now.nanoseconds + Self.overlapNanoseconds
                    previous = Previous(opener: opener, untilNanoseconds: until)
                }
                (sealer, opener) = (PacketSealer(keys), PacketOpener(keys))
                authenticNanoseconds = turn.now.nanoseconds
                peer = keys.peer
                turn.order(.established(keys.peer))
            }
        }
    }

    private mutating func judge(_ refusal: PacketRefusal, in turn: inout Turn<Effect>) {
        let isVouchedFor =
            opener != nil && turn.now.nanoseconds - authenticNanoseconds < Self.vouchingNanoseconds
        let refused = PeerConduct.Event.packetRefused(refusal, besideAuthentic: isVouchedFor)
        for case .cut(let refusal) in conduct.drive(refused, at: turn.now) {
            turn.order(.cut(refusal))
            end(in: &turn)
        }
    }

    /// Begins anew when the other side plainly uses another session than this one.
    ///
    /// That is so after a handshake whose last packets were all lost, or when the other side forgot
    /// the session without beginning one. While authentic packets come, strange ones move nothing.
    private mutating func recover(from refusal: PacketRefusal, in turn: inout Turn<Effect>) {
        guard refusal == .unknownSession || refusal == .unknownEpoch, opener != nil,
            turn.now.nanoseconds - authenticNanoseconds >= Self.silenceNanoseconds
        else { return }
        tellHandshake(.requested, in: &turn)
    }

    private mutating func end(in turn: inout Turn<Effect>) {
        tellHandshake(.closed, in: &turn)
        (sealer, opener, previous) = (nil, nil, nil)
    }
}

// MARK: - Stamps

/// For simulations that carry a packet's length and not its bytes: nothing is sealed then, and the number of
/// the session stands for the seal. Out of an app's reach, like entropy that repeats.
extension SecureSession {
    /// What stands for the seal of one message; `nil` where `seal` gives none.
    package mutating func stamp() -> UInt32? { isFinished ? nil : sealer?.session }

    /// Admits a packet with this stamp where `open` would know its session.
    ///
    /// - Parameters:
    ///   - stamp: Its session.
    ///   - isVouching: Whether the packet is the peer's without a doubt.
    ///   - now: The present.
    /// - Throws: `unknownSession`.
    package mutating func admit(
        stamp: UInt32,
        isVouching: Bool,
        at now: Instant
    ) throws(PacketRefusal) {
        guard stamp == opener?.session || stamp == previous?.opener.session else {
            throw .unknownSession
        }
        if isVouching { authenticNanoseconds = now.nanoseconds }
    }
}
