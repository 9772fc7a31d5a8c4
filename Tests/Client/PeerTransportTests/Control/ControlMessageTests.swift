import PeerTransport
import SansIO
import SansIOTesting
import Testing

@Suite("Control messages on the wire")
struct ControlMessageTests {
    static func decode(_ bytes: [UInt8]) -> Result<ControlMessage, ControlMessage.Refusal> {
        Result { () throws(ControlMessage.Refusal) in try ControlMessage(decoding: bytes) }
    }

    @Test("What is encoded is decoded again", arguments: 0..<20 as Range<UInt64>)
    func roundTrip(seed: UInt64) {
        var random = LawRandom(seed: seed)
        var longest = 0
        for _ in 0..<300 {
            let message = random.controlMessage()
            let bytes = message.encoded
            #expect(Self.decode(bytes) == .success(message))
            #expect(bytes.withUnsafeBytes { ControlMessage.isControl($0) })
            longest = max(longest, bytes.count)
        }
        #expect(longest <= ControlMessage.encodedCountMax)
        #expect(ControlMessage.encodedCountMax == 196, "the table of the format says so")
    }

    @Test("Every single flipped bit is noticed (A-NF-003)", arguments: 0..<24 as Range<UInt64>)
    func flippedBits(seed: UInt64) {
        var random = LawRandom(seed: seed)
        let bytes = random.controlMessage().encoded
        for bit in 0..<bytes.count * 8 {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: ControlMessage.Refusal.self, "bit \(bit)") {
                try ControlMessage(decoding: flipped)
            }
        }
    }

    @Test(
        "Bytes that a member seals with a right checksum are read strictly or refused (A-NF-003)",
        arguments: 0..<20 as Range<UInt64>
    )
    func mutated(seed: UInt64) {
        var random = LawRandom(seed: seed)
        var read = 0
        var refusals: Set<ControlMessage.Refusal> = []
        for _ in 0..<2_000 {
            var bytes = random.controlMessage().encoded
            for _ in 0...random.below(2) { random.mutate(&bytes) }
            let sealed = bytes.withRightChecksum
            switch Self.decode(sealed) {
            case .success(let message):
                read += 1
                #expect(message.encoded == sealed, "a message has one spelling")
            case .failure(let refusal): refusals.insert(refusal)
            }
        }
        #expect(read > 0 && refusals.count >= 8, "\(read) read, refused for \(refusals)")
    }

    @Test("Random bytes never crash and are never two kinds at once")
    func noise() {
        var random = LawRandom(seed: 7)
        for _ in 0..<20_000 {
            let bytes = (0..<random.below(220)).map { _ in UInt8(random.below(256)) }
            _ = Self.decode(bytes)
        }
        for kind in 0..<16 as Range<UInt8> {
            let bytes = [UInt8](arrayLiteral: 0x10 | kind) + [UInt8](repeating: 0, count: 15)
            let isPeerMessage = kind < 3
            #expect(
                bytes.withUnsafeBytes { ControlMessage.isControl($0) } == (3...8).contains(kind)
            )
            guard case .failure(let refusal) = Self.decode(bytes) else {
                Issue.record("zeros were read as kind \(kind)")
                continue
            }
            #expect(!isPeerMessage || refusal == .unknownType)
        }
    }

    @Test("Each rule that is broken is named")
    func refusals() {
        let ping = ControlMessage.ping(
            Ping(path: .local, number: SerialNumber(1), sentMicroseconds: 2)
        )
        func changed(
            _ message: ControlMessage,
            _ change: (inout [UInt8]) -> Void
        ) -> Result<ControlMessage, ControlMessage.Refusal> {
            var bytes = message.encoded
            change(&bytes)
            return Self.decode(bytes.withRightChecksum)
        }
        let anna = MemberID(high: 1, low: 0)
        let ben = MemberID(high: 2, low: 0)
        let claim = ControlMessage.ownerClaim(
            OwnerClaim(term: SerialNumber(1), owner: anna, members: [anna, ben])
        )
        let hello = ControlMessage.hello(
            Hello(
                member: anna,
                streamID: 9,
                revision: SerialNumber(0),
                members: [anna, ben],
                name: DisplayName("Anna")
            )
        )
        let goodbye = ControlMessage.goodbye(
            Goodbye(.groupFull, streamID: 9, revision: SerialNumber(0))
        )
        let status = ControlMessage.pathStatus(
            PathStatusNotice(path: .internet, status: .backup, number: SerialNumber(3))
        )
        #expect(Self.decode([0x16]) == .failure(.tooShort))
        #expect(changed(ping) { $0.removeLast() } == .failure(.tooShort))
        #expect(changed(ping) { $0.append(0) } == .failure(.tooLong))
        #expect(
            Self.decode([UInt8](repeating: 0x13, count: 197)) == .failure(.tooLong)
        )
        #expect(changed(ping) { $0[0] = 0x26 } == .failure(.unknownVersion))
        #expect(changed(ping) { $0[0] = 0x19 } == .failure(.unknownType))
        #expect(changed(ping) { $0[1] = 1 } == .failure(.malformed(.reserved)))
        #expect(changed(hello) { $0[1] = 4 } == .failure(.malformed(.reserved)))
        #expect(changed(ping) { $0[4] = 2 } == .failure(.malformed(.path)))
        #expect(changed(ping) { $0[5] = 2 } == .failure(.malformed(.reserved)))
        #expect(changed(status) { $0[5] = 2 } == .failure(.malformed(.status)))
        #expect(changed(status) { $0[12] = 1 } == .failure(.malformed(.loss)))
        #expect(changed(goodbye) { $0[4] = 2 } == .failure(.malformed(.reason)))
        #expect(changed(goodbye) { $0[5] = 7 } == .failure(.malformed(.capacity)))
        #expect(changed(hello) { $0[32] = 1 } == .failure(.malformed(.capacity)))
        #expect(changed(hello) { $0[33] = 7 } == .failure(.malformed(.members)))
        #expect(changed(hello) { $0.swapAt(43, 59) } == .failure(.malformed(.members)))
        #expect(changed(hello) { $0[68] = 0xFF } == .failure(.malformed(.name)))
        #expect(changed(hello) { $0[68] = 0x0A } == .failure(.malformed(.name)))
        #expect(changed(claim) { $0[8] = 9 } == .failure(.malformed(.owner)))
        var bytes = ping.encoded
        bytes[15] ^= 1
        #expect(Self.decode(bytes) == .failure(.badChecksum))
    }
}

extension LawRandom {
    mutating func number() -> UInt32 { UInt32(truncatingIfNeeded: next()) }

    mutating func tenure() -> Tenure {
        Tenure(arrival: UInt16(below(65_536)), groupAge: UInt16(below(65_536)))
    }

    mutating func members(_ count: Int) -> [MemberID] {
        Set((0..<count).map { _ in MemberID(high: next(), low: next()) }).sorted()
    }

    mutating func controlMessage() -> ControlMessage {
        let path: TransportPath = chance(percent: 50) ? .local : .internet
        let ping = Ping(path: path, number: SerialNumber(number()), sentMicroseconds: number())
        switch below(6) {
        case 0: return .hello(hello())
        case 1:
            let reasons = Goodbye.Reason.allCases
            return .goodbye(
                Goodbye(
                    reasons[below(reasons.count)],
                    capacity: 2 + below(5),
                    tenure: tenure(),
                    streamID: number(),
                    revision: SerialNumber(number())
                )
            )
        case 2:
            let members = members(1 + below(6))
            return .ownerClaim(
                OwnerClaim(
                    term: SerialNumber(number()),
                    owner: members[below(members.count)],
                    members: members
                )
            )
        case 3: return .ping(ping)
        case 4: return .pong(Pong(ping, heldMicroseconds: number()))
        default:
            return .pathStatus(
                PathStatusNotice(
                    path: path,
                    status: chance(percent: 50) ? .available : .backup,
                    number: SerialNumber(number()),
                    lossFraction: chance(percent: 10)
                        ? .one : Probability(partsPerMillion: Int32(below(1_000_001))),
                    jitterMicroseconds: number()
                )
            )
        }
    }

    private mutating func hello() -> Hello {
        let names = ["Anna", "Bençe", "山びこ", "x", String(repeating: "é", count: 32)]
        return Hello(
            member: MemberID(high: next(), low: next()),
            streamID: number(),
            revision: SerialNumber(number()),
            tenure: tenure(),
            capacity: 2 + below(5),
            isMuted: chance(percent: 50),
            isGuest: chance(percent: 30),
            members: members(below(7)),
            name: chance(percent: 80) ? DisplayName(names[below(names.count)]) : nil
        )
    }

    /// Turns a bit, sets a byte, cuts the end off or adds to it.
    mutating func mutate(_ bytes: inout [UInt8]) {
        switch below(10) {
        case 0: bytes.removeLast(min(bytes.count, 1 + below(4)))
        case 1: bytes += (0...below(20)).map { _ in UInt8(below(256)) }
        case 2...5: if !bytes.isEmpty { bytes[below(bytes.count)] ^= 1 << UInt8(below(8)) }
        default: if !bytes.isEmpty { bytes[below(bytes.count)] = UInt8(below(256)) }
        }
    }
}

extension [UInt8] {
    /// The bytes with the checksum that their sender would give them (RFC 1071).
    var withRightChecksum: [UInt8] {
        guard count >= 4 else { return self }
        var bytes = self
        (bytes[2], bytes[3]) = (0, 0)
        var sum = 0
        for index in stride(from: 0, to: bytes.count, by: 2) {
            sum += Int(bytes[index]) << 8
            if index + 1 < bytes.count { sum += Int(bytes[index + 1]) }
        }
        while sum > 0xFFFF { sum = (sum >> 16) + (sum & 0xFFFF) }
        let checksum = ~UInt16(sum)
        (bytes[2], bytes[3]) = (UInt8(checksum >> 8), UInt8(checksum & 0xFF))
        return bytes
    }
}
