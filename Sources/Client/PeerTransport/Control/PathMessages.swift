public import SansIO

/// A question by one path that a pong answers by the same path.
public struct Ping: Sendable, Equatable {
    /// By which path it goes.
    public var path: TransportPath
    /// Counts the pings by this path; the gaps are losses.
    public var number: SerialNumber
    /// When it was sent, in microseconds on the sender's clock; wraps after 71 minutes.
    public var sentMicroseconds: UInt32

    /// Makes a ping.
    public init(path: TransportPath, number: SerialNumber, sentMicroseconds: UInt32) {
        self.path = path
        self.number = number
        self.sentMicroseconds = sentMicroseconds
    }
}

/// The answer to a ping.
public struct Pong: Sendable, Equatable {
    /// The ping, as it came.
    public var ping: Ping
    /// How long it was held before this answer went out, in microseconds.
    public var heldMicroseconds: UInt32

    /// Makes a pong.
    public init(_ ping: Ping, heldMicroseconds: UInt32 = 0) {
        self.ping = ping
        self.heldMicroseconds = heldMicroseconds
    }
}

/// How far a path may be used for sending to the member that reports it.
///
/// The words are those of QUIC over several paths (RFC 10069 section 3.3): a path is *active* once
/// packets pass both ways; the receiver then calls it available or backup.
public enum PathStatus: UInt8, Sendable, Hashable, CaseIterable {
    /// Send by this path.
    case available = 0
    /// Send by this path only where no other is available.
    case backup = 1
}

/// What a member thinks of a path, for the other side to send accordingly.
public struct PathStatusNotice: Sendable, Equatable {
    /// Which path.
    public var path: TransportPath
    /// How far it may be used for sending to this member.
    public var status: PathStatus
    /// Counts this member's notices about the path, so that an old one that comes late changes
    /// nothing (RFC 10069's status sequence number).
    ///
    /// MUST exceed every number sent before in the same stream, also where the receiver was
    /// dropped and let in anew: so it begins with a clock.
    public var number: SerialNumber
    /// The share of packets that were lost on the way to this member of late.
    public var lossFraction: Probability
    /// The interarrival jitter of the way to this member in microseconds (RFC 3550 section 6.4.1).
    public var jitterMicroseconds: UInt32

    /// Makes a notice.
    public init(
        path: TransportPath,
        status: PathStatus,
        number: SerialNumber,
        lossFraction: Probability = .zero,
        jitterMicroseconds: UInt32 = 0
    ) {
        self.path = path
        self.status = status
        self.number = number
        self.lossFraction = lossFraction
        self.jitterMicroseconds = jitterMicroseconds
    }
}
