import SansIO

extension ControlMessage {
    /// The message as it travels: at most `encodedCountMax` bytes.
    public var encoded: [UInt8] {
        var writer = WireWriter(kind, flags: flags)
        switch self {
        case .hello(let hello): writer.append(hello)
        case .goodbye(let goodbye):
            writer.append([goodbye.reason.rawValue, UInt8(goodbye.capacity), 0, 0])
            writer.append(goodbye.tenure)
            writer.append(goodbye.streamID)
            writer.append(goodbye.revision.rawValue)
        case .ownerClaim(let claim):
            writer.append(claim.term.rawValue)
            writer.append(claim.owner)
            writer.append([UInt8(claim.members.count), 0, 0, 0])
            claim.members.forEach { writer.append($0) }
        case .ping(let ping): writer.append(ping)
        case .pong(let pong):
            writer.append(pong.ping)
            writer.append(pong.heldMicroseconds)
        case .pathStatus(let notice):
            writer.append([notice.path.rawValue, notice.status.rawValue, 0, 0])
            writer.append(notice.number.rawValue)
            writer.append(UInt32(notice.lossFraction.partsPerMillion))
            writer.append(notice.jitterMicroseconds)
        }
        return writer.checked
    }

    private var kind: Kind {
        switch self {
        case .hello: .hello
        case .goodbye: .goodbye
        case .ownerClaim: .ownerClaim
        case .ping: .ping
        case .pong: .pong
        case .pathStatus: .pathStatus
        }
    }

    private var flags: UInt8 {
        guard case .hello(let hello) = self else { return 0 }
        return (hello.isMuted ? Self.mutedFlag : 0) | (hello.isGuest ? Self.guestFlag : 0)
    }

    /// In byte 1 of a hello whose sender's microphone is off.
    static let mutedFlag: UInt8 = 1
    /// In byte 1 of a hello whose sender came by an invite of the receiver's.
    static let guestFlag: UInt8 = 2
}

/// Puts a message's bytes one behind the other.
private struct WireWriter {
    private var bytes: [UInt8]

    init(_ kind: ControlMessage.Kind, flags: UInt8) {
        bytes = [ControlMessage.version << 4 | kind.rawValue, flags, 0, 0]
        bytes.reserveCapacity(ControlMessage.encodedCountMax)
    }

    mutating func append(_ more: [UInt8]) {
        bytes += more
    }

    mutating func append(_ number: UInt32) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    mutating func append(_ member: MemberID) {
        withUnsafeBytes(of: member.high.bigEndian) { bytes += $0 }
        withUnsafeBytes(of: member.low.bigEndian) { bytes += $0 }
    }

    mutating func append(_ tenure: Tenure) {
        append(UInt32(tenure.arrival) << 16 | UInt32(tenure.groupAge))
    }

    mutating func append(_ ping: Ping) {
        append([ping.path.rawValue, 0, 0, 0])
        append(ping.number.rawValue)
        append(ping.sentMicroseconds)
    }

    mutating func append(_ hello: Hello) {
        let name = Array((hello.name?.text ?? "").utf8)
        append(hello.member)
        append(hello.streamID)
        append(hello.revision.rawValue)
        append(hello.tenure)
        append([UInt8(hello.capacity), UInt8(hello.members.count), UInt8(name.count), 0])
        hello.members.forEach { append($0) }
        append(name)
    }

    /// The bytes with their checksum.
    var checked: [UInt8] {
        var bytes = bytes
        let checksum = bytes.withUnsafeBytes { InternetChecksum.compute($0) }
        (bytes[2], bytes[3]) = (UInt8(checksum >> 8), UInt8(checksum & 0xFF))
        return bytes
    }
}
