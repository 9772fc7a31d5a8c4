/// Why a packet was not accepted (S-SEC-004, A-NF-003).
public enum PacketRefusal: UInt8, Error, Sendable, Hashable, CaseIterable {
    /// It has a length, a type or reserved bits that no packet has.
    case malformed
    /// It is of a version that this code does not speak.
    case unknownVersion
    /// It offers a handshake to another group (S-GRP-012).
    case foreignGroup
    /// A member other than the expected one proved its identity.
    case foreignMember
    /// It is this side's own packet, come back.
    case reflected
    /// It belongs to a handshake that is not under way.
    case unknownAttempt
    /// It is sealed for a session that is not open.
    case unknownSession
    /// It is sealed with a key that is no longer, or not yet, in use.
    case unknownEpoch
    /// It was not made with the keys that it names, or changed on the way.
    case forged
    /// It is authentic and came before.
    case replayed
    /// It is authentic and so old that it might have come before.
    case stale
    /// It offers a handshake while as many as allowed are half done.
    case tooManyHandshakes
    /// It is authentic, and no message that this code knows.
    case unreadable

    /// Whether only the peer itself can have caused it; any attacker can cause the others in its name.
    public var isProven: Bool { self == .unreadable }

    /// Whether a peer whose connection was cut for this is to be kept out for a while.
    ///
    /// What an attacker can send in a member's name costs the member its connection, and no more: it
    /// may be back a moment later. Another group's member would be back only to be cut again.
    public var barsPeer: Bool {
        switch self {
        case .foreignGroup, .foreignMember, .unreadable: true
        case .malformed, .unknownVersion, .reflected, .unknownAttempt, .unknownSession,
            .unknownEpoch, .forged, .replayed, .stale, .tooManyHandshakes:
            false
        }
    }
}

/// How many packets were refused for each reason.
public struct RefusalCounts: Sendable, Equatable {
    private var counts = [Int64](repeating: 0, count: PacketRefusal.allCases.count)

    /// Makes counts of nothing.
    public init() {}

    /// How many were refused for this reason.
    public subscript(refusal: PacketRefusal) -> Int64 { counts[Int(refusal.rawValue)] }

    /// How many were refused.
    public var total: Int64 { counts.reduce(0, +) }

    /// Counts one refusal.
    package mutating func add(_ refusal: PacketRefusal) {
        counts[Int(refusal.rawValue)] += 1
    }

    /// Counts what other counts have gained.
    package mutating func add(_ other: RefusalCounts, since earlier: RefusalCounts) {
        for refusal in PacketRefusal.allCases {
            counts[Int(refusal.rawValue)] += other[refusal] - earlier[refusal]
        }
    }
}
