public import SansIO

/// One of a client's two peer connections, as LiveKit names them.
public enum TransportTarget: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    /// Carries the client's own tracks.
    case publisher
    /// Carries the others' tracks; the primary one when both are used.
    case subscriber
}

/// The credentials of one ICE session of one transport: its username fragment in a number.
///
/// An ICE restart takes a new generation (RFC 8445 §9).
@frozen
public struct IceCredentials: Sendable, Hashable, BitwiseCopyable {
    /// The participant's session number at the server.
    public var participant: UInt32
    /// The peer connection.
    public var target: TransportTarget
    /// Counts the restarts.
    public var generation: UInt16

    /// Names an ICE session.
    @inlinable
    public init(participant: UInt32, target: TransportTarget, generation: UInt16) {
        self.participant = participant
        self.target = target
        self.generation = generation
    }
}

/// A connectivity check or its answer.
@frozen
public enum StunMessage: Sendable, Hashable, BitwiseCopyable {
    /// A binding request; answered at once by whoever knows the credentials.
    ///
    /// A client nominates the way that it uses (USE-CANDIDATE, RFC 8445 §8.1.1).
    case request(IceCredentials, transaction: UInt32, isNominating: Bool = false)
    /// The answer to one.
    case response(IceCredentials, transaction: UInt32)
}

/// A flight of the DTLS 1.2 handshake: two round trips from the client's hello to both sides done.
@frozen
public enum DtlsFlight: Sendable, Hashable, BitwiseCopyable {
    /// ClientHello.
    case clientHello(IceCredentials)
    /// ServerHello to ServerHelloDone.
    case serverHello(IceCredentials)
    /// The client's certificate, key exchange and Finished.
    case clientFinished(IceCredentials)
    /// The server's Finished.
    case serverFinished(IceCredentials)
}

/// One frame of voice on its way; carries what a receiver needs to say when it was captured.
@frozen
public struct MediaFrame: Sendable, Hashable, BitwiseCopyable {
    /// The track's number at the server.
    public var track: UInt32
    /// The frame's number within its track.
    public var sequence: Int64
    /// When its sound began.
    public var captured: Instant
    /// Whether the one who sent it was speaking (or the agent answering).
    public var isSpeech: Bool

    /// Makes a frame.
    @inlinable
    public init(track: UInt32, sequence: Int64, captured: Instant, isSpeech: Bool) {
        self.track = track
        self.sequence = sequence
        self.captured = captured
        self.isSpeech = isSpeech
    }
}

/// Where voice goes next: the pair of ends that is selected, and the track that it belongs to.
@frozen
public struct MediaRoute: Sendable, Hashable, BitwiseCopyable {
    /// Where its packets come from.
    public var source: SocketAddress
    /// Where its packets go.
    public var destination: SocketAddress
    /// The track's number at the server.
    public var track: UInt32

    /// Makes a route.
    @inlinable
    public init(from source: SocketAddress, to destination: SocketAddress, track: UInt32) {
        self.source = source
        self.destination = destination
        self.track = track
    }

    /// The kind of traffic that voice by this route is.
    public var trafficClass: TrafficClass {
        let port = Packet.streamMediaPort
        return source.port == port || destination.port == port ? .signalling : .media
    }
}
