import SansIO

/// One datagram between two members that carries no voice: the members, the owner of the group, and the state
/// of the paths.
///
/// Sealed like voice, and sent unreliably: a sender that needs an answer repeats it. The first four bytes
/// are those of a `PeerMessage`, and the types of both are numbered in one row, so that the first byte
/// tells which of the two a datagram is. All numbers are big-endian; what is reserved is zero.
///
/// | type | message | byte 1 | from byte 4 on | bytes |
/// |---|---|---|---|---|
/// | 3 | hello | 1: muted, 2: came by the receiver's invite | 16 member, 4 stream, 4 revision, 2 arrival, 2 age of the group, 1 capacity, 1 *n* members, 1 *m* bytes of name, 1 reserved, 16 *n* members, *m* name | 36–196 |
/// | 4 | goodbye | 0 | 1 reason, 1 capacity, 2 reserved, 2 arrival, 2 age of the group, 4 stream, 4 revision | 20 |
/// | 5 | owner claim | 0 | 4 term, 16 owner, 1 *n* members, 3 reserved, 16 *n* members | 44–124 |
/// | 6 | ping | 0 | 1 path, 3 reserved, 4 number, 4 sent | 16 |
/// | 7 | pong | 0 | 1 path, 3 reserved, 4 number, 4 sent, 4 held | 20 |
/// | 8 | path status | 0 | 1 path, 1 status, 2 reserved, 4 number, 4 lost ppm, 4 jitter | 20 |
///
/// Lists of members ascend, so that a list has one spelling. All fit the 1,000 bytes that a match
/// service carries unreliably (D-10).
///
/// What is long and rare is kept apart, so that a ping is passed on as a few words.
public enum ControlMessage: Sendable, Equatable {
    /// Who the sender is and whom it holds for present.
    indirect case hello(Hello)
    /// The sender wants no more of the receiver, and why.
    case goodbye(Goodbye)
    /// Who owns the group and whom the owner counts as members.
    indirect case ownerClaim(OwnerClaim)
    /// Asks for a pong by the same path.
    case ping(Ping)
    /// Answers a ping.
    case pong(Pong)
    /// What the sender thinks of a path.
    case pathStatus(PathStatusNotice)

    /// The bytes of the longest message.
    public static let encodedCountMax =
        Hello.fixedByteCount + Hello.membersMax * MemberID.byteCount + DisplayName.byteCountMax

    static let version: UInt8 = PeerMessage.version
    static let headerByteCount = 4

    enum Kind: UInt8 {
        case hello = 3
        case goodbye = 4
        case ownerClaim = 5
        case ping = 6
        case pong = 7
        case pathStatus = 8
    }

    /// Whether a datagram is for this type to read rather than for `PeerMessage`.
    public static func isControl(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.first.map { Kind(rawValue: $0 & 0x0F) != nil } ?? false
    }

    /// Why bytes are no message.
    public enum Refusal: Error, Sendable, Hashable {
        /// Fewer bytes than the type asks for.
        case tooShort
        /// More bytes than the type allows.
        case tooLong
        /// A version this code does not speak.
        case unknownVersion
        /// A type this code does not know.
        case unknownType
        /// The bytes were changed on the way.
        case badChecksum
        /// This part does not keep its rule.
        case malformed(Field)
    }

    /// The parts that have a rule.
    public enum Field: Sendable, Hashable {
        /// Byte 1 says something that the type does not have, or reserved bytes are not zero.
        case reserved
        /// Not 2 to 6.
        case capacity
        /// More than the group holds, or not in ascending order.
        case members
        /// Not UTF-8, or not safe to show.
        case name
        /// A reason this code does not know.
        case reason
        /// The owner is not among the members.
        case owner
        /// Neither local nor Internet.
        case path
        /// A status this code does not know.
        case status
        /// More than 1,000,000 ppm.
        case loss
    }
}
