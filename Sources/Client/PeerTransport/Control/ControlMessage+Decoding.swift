import SansIO

extension ControlMessage {
    /// Reads a message from the bytes of one datagram; no bytes whatever make it crash.
    ///
    /// - Parameter bytes: The whole datagram.
    /// - Throws: Why the bytes are no message.
    /// - Complexity: Linear in the bytes.
    public init(decoding bytes: UnsafeRawBufferPointer) throws(Refusal) {
        guard bytes.count >= Self.headerByteCount else { throw .tooShort }
        guard bytes.count <= Self.encodedCountMax else { throw .tooLong }
        guard bytes[0] >> 4 == Self.version else { throw .unknownVersion }
        guard let kind = Kind(rawValue: bytes[0] & 0x0F) else { throw .unknownType }
        guard InternetChecksum.compute(bytes) == 0 else { throw .badChecksum }
        let knownFlags = kind == .hello ? Self.mutedFlag | Self.guestFlag : 0
        guard bytes[1] & ~knownFlags == 0 else { throw .malformed(.reserved) }
        var reader = WireReader(bytes, from: Self.headerByteCount)
        switch kind {
        case .hello: self = .hello(try reader.hello(flags: bytes[1]))
        case .goodbye: self = .goodbye(try reader.goodbye())
        case .ownerClaim: self = .ownerClaim(try reader.ownerClaim())
        case .ping: self = .ping(try reader.ping())
        case .pong:
            self = .pong(Pong(try reader.ping(), heldMicroseconds: try reader.number()))
        case .pathStatus: self = .pathStatus(try reader.pathStatus())
        }
        guard reader.isAtEnd else { throw .tooLong }
    }

    /// Reads a message from an array; see `init(decoding:)`.
    public init(decoding bytes: [UInt8]) throws(Refusal) {
        let decoded = bytes.withUnsafeBytes { bytes in
            Result { () throws(Refusal) in try ControlMessage(decoding: bytes) }
        }
        self = try decoded.get()
    }
}

/// Takes a message's parts from its bytes, one behind the other.
private struct WireReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset: Int

    init(_ bytes: UnsafeRawBufferPointer, from offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func byte() throws(ControlMessage.Refusal) -> UInt8 {
        guard offset < bytes.count else { throw .tooShort }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func reserved(_ count: Int) throws(ControlMessage.Refusal) {
        for _ in 0..<count {
            guard try byte() == 0 else { throw .malformed(.reserved) }
        }
    }

    mutating func number() throws(ControlMessage.Refusal) -> UInt32 {
        guard bytes.count - offset >= 4 else { throw .tooShort }
        defer { offset += 4 }
        return UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    mutating func tenure() throws(ControlMessage.Refusal) -> Tenure {
        let both = try number()
        return Tenure(
            arrival: UInt16(both >> 16),
            groupAge: UInt16(truncatingIfNeeded: both)
        )
    }

    mutating func member() throws(ControlMessage.Refusal) -> MemberID {
        var halves: (UInt64, UInt64) = (0, 0)
        halves.0 = UInt64(try number()) << 32 | UInt64(try number())
        halves.1 = UInt64(try number()) << 32 | UInt64(try number())
        return MemberID(high: halves.0, low: halves.1)
    }

    mutating func members(_ count: UInt8) throws(ControlMessage.Refusal) -> [MemberID] {
        guard count <= GroupSize.membersMax else { throw .malformed(.members) }
        var members: [MemberID] = []
        for _ in 0..<count { members.append(try member()) }
        guard members.isAscending else { throw .malformed(.members) }
        return members
    }

    mutating func capacity() throws(ControlMessage.Refusal) -> Int {
        let capacity = Int(try byte())
        guard (GroupSize.membersMin...GroupSize.membersMax).contains(capacity) else {
            throw .malformed(.capacity)
        }
        return capacity
    }

    mutating func path() throws(ControlMessage.Refusal) -> TransportPath {
        guard let path = TransportPath(rawValue: try byte()) else { throw .malformed(.path) }
        return path
    }

    mutating func name(_ count: UInt8) throws(ControlMessage.Refusal) -> DisplayName? {
        guard count > 0 else { return nil }
        guard bytes.count - offset >= Int(count) else { throw .tooShort }
        let utf8 = bytes[offset..<offset + Int(count)]
        offset += Int(count)
        // Decoding mends what is no UTF-8; a name that had to be mended is refused.
        let text = String(decoding: utf8, as: UTF8.self)
        guard text.utf8.elementsEqual(utf8), let name = DisplayName(text) else {
            throw .malformed(.name)
        }
        return name
    }
}

extension WireReader {
    mutating func hello(flags: UInt8) throws(ControlMessage.Refusal) -> Hello {
        let member = try member()
        let streamID = try number()
        let revision = SerialNumber(try number())
        let tenure = try tenure()
        let capacity = try capacity()
        let memberCount = try byte()
        let nameByteCount = try byte()
        try reserved(1)
        return Hello(
            member: member,
            streamID: streamID,
            revision: revision,
            tenure: tenure,
            capacity: capacity,
            isMuted: flags & ControlMessage.mutedFlag != 0,
            isGuest: flags & ControlMessage.guestFlag != 0,
            members: try members(memberCount),
            name: try name(nameByteCount)
        )
    }

    mutating func goodbye() throws(ControlMessage.Refusal) -> Goodbye {
        guard let reason = Goodbye.Reason(rawValue: try byte()) else { throw .malformed(.reason) }
        let capacity = try capacity()
        try reserved(2)
        return Goodbye(
            reason,
            capacity: capacity,
            tenure: try tenure(),
            streamID: try number(),
            revision: SerialNumber(try number())
        )
    }

    mutating func ownerClaim() throws(ControlMessage.Refusal) -> OwnerClaim {
        let term = SerialNumber(try number())
        let owner = try member()
        let memberCount = try byte()
        try reserved(3)
        let members = try members(memberCount)
        guard members.contains(owner) else { throw .malformed(.owner) }
        return OwnerClaim(term: term, owner: owner, members: members)
    }

    mutating func ping() throws(ControlMessage.Refusal) -> Ping {
        let path = try path()
        try reserved(3)
        return Ping(path: path, number: SerialNumber(try number()), sentMicroseconds: try number())
    }

    mutating func pathStatus() throws(ControlMessage.Refusal) -> PathStatusNotice {
        let path = try path()
        guard let status = PathStatus(rawValue: try byte()) else { throw .malformed(.status) }
        try reserved(2)
        let number = SerialNumber(try number())
        let partsPerMillion = try self.number()
        guard partsPerMillion <= 1_000_000 else { throw .malformed(.loss) }
        return PathStatusNotice(
            path: path,
            status: status,
            number: number,
            lossFraction: Probability(partsPerMillion: Int32(partsPerMillion)),
            jitterMicroseconds: try self.number()
        )
    }
}
