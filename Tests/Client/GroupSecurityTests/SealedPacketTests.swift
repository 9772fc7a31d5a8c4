import GroupSecurity
import SansIO
import SansIOTesting
import Testing

@Suite("Sealed packets")
struct SealedPacketTests {
    @Test("What one side seals the other opens, once, on every stream (S-SEC-003)")
    func roundTrip() throws {
        let ends = SessionEnds()
        let sealer = Sender(ends.anna)
        let opener = Receiver(ends.ben)
        var random = LawRandom(seed: 9)
        for _ in 0..<500 {
            let count = 1 + random.below(random.chance(percent: 5) ? 1_372 : 150)
            let message = (0..<count).map { _ in UInt8(random.below(256)) }
            let packet = try sealer.seal(message, stream: UInt8(random.below(4)))
            #expect(packet.count == PacketSealer.packetCount(plaintextCount: count))
            #expect(try opener.open(packet) == message)
            #expect(opener.refusal(of: packet) == .replayed)
        }
    }

    @Test("A packet has the bytes that its documentation says")
    func layout() throws {
        let ends = SessionEnds()
        let sealer = Sender(ends.anna)
        _ = try sealer.seal([1], stream: 2)
        let packet = try sealer.seal([7, 7, 7], stream: 2)
        let session = ends.anna.sessionID
        let name = (0..<4).map { UInt8(truncatingIfNeeded: session >> (24 - 8 * UInt32($0))) }
        #expect(Array(packet[..<12]) == [0x1C, 2, 0, 0] + name + [0, 0, 0, 1])
        #expect(packet.count == 12 + 3 + 16)
    }

    @Test("Equal messages look different each time and in each direction")
    func noNonceTwice() throws {
        let ends = SessionEnds()
        #expect(ends.anna.sessionID == ends.ben.sessionID)
        let left = Sender(ends.anna)
        let right = Sender(ends.ben)
        let message = [UInt8](repeating: 0, count: 32)
        var bodies: Set<[UInt8]> = []
        for stream in 0..<4 as Range<UInt8> {
            for _ in 0..<10 {
                bodies.insert(Array(try left.seal(message, stream: stream)[12...]))
                bodies.insert(Array(try right.seal(message, stream: stream)[12...]))
            }
        }
        #expect(bodies.count == 80)
    }

    @Test("No packet opens in the direction it came from, or in another session (S-SEC-003)")
    func separateKeys() throws {
        let ends = SessionEnds()
        let sealer = Sender(ends.anna)
        let packet = try sealer.seal([1, 2, 3], stream: 0)
        let own = Receiver(ends.anna)
        #expect(own.refusal(of: packet) == .forged)
        let others = SessionEnds(in: People.strangers)
        let foreign = Receiver(others.ben)
        #expect(foreign.refusal(of: packet) == .unknownSession)
        var renamed = packet
        let id = others.ben.sessionID
        for place in 0..<4 {
            renamed[4 + place] = UInt8(truncatingIfNeeded: id >> (24 - 8 * UInt32(place)))
        }
        #expect(foreign.refusal(of: renamed) == .forged)
    }

    @Test("No flipped bit is accepted, and none moves the window (A-NF-003)")
    func flippedBits() throws {
        let ends = SessionEnds()
        let sealer = Sender(ends.anna)
        let opener = Receiver(ends.ben)
        _ = try opener.open(try sealer.seal([1], stream: 1))
        let packet = try sealer.seal((0..<40).map { UInt8($0) }, stream: 1)
        let before = opener.opener
        for bit in 0..<packet.count * 8 {
            var changed = packet
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            let expected: [PacketRefusal] =
                switch bit / 8 {
                case 0: bit % 8 < 4 ? [.malformed] : [.unknownVersion]
                case 1: [.forged, .malformed]
                case 2, 3: [.forged, .unknownEpoch]
                case 4..<8: [.unknownSession]
                default: [.forged]
                }
            let refusal = opener.refusal(of: changed)
            #expect(refusal.map(expected.contains) ?? false, "bit \(bit): \(refusal as Any)")
        }
        for count in 0..<packet.count {
            #expect(opener.refusal(of: Array(packet[..<count])) != nil)
        }
        #expect(opener.refusal(of: packet + [0]) == .forged)
        let long = packet + [UInt8](repeating: 0, count: 1_400)
        #expect(opener.refusal(of: long) == .malformed)
        #expect(opener.opener == before)
        #expect(try opener.open(packet).count == 40)
    }

    @Test("A forged number far ahead does not push the honest ones out of the window")
    func forgedNumber() throws {
        let ends = SessionEnds()
        let sealer = Sender(ends.anna)
        let opener = Receiver(ends.ben)
        let packets = try (0..<5).map { try sealer.seal([UInt8($0)], stream: 0) }
        _ = try opener.open(packets[0])
        var forged = packets[1]
        forged[8] = 0x7F
        #expect(opener.refusal(of: forged) == .forged)
        for packet in packets[1...] { #expect(opener.refusal(of: packet) == nil) }
    }

    @Test("Inside the window each packet opens once, behind it none (S-SEC-004)")
    func window() throws {
        let ends = SessionEnds()
        let sealer = Sender(ends.anna)
        let opener = Receiver(ends.ben)
        let packets = try (0..<600).map { _ in try sealer.seal([1], stream: 3) }
        #expect(opener.refusal(of: packets[300]) == nil)
        #expect(opener.refusal(of: packets[45]) == nil)
        #expect(opener.refusal(of: packets[45]) == .replayed)
        #expect(opener.refusal(of: packets[44]) == .stale)
        #expect(opener.refusal(of: packets[599]) == nil)
        #expect(opener.refusal(of: packets[300]) == .stale)
        #expect(opener.refusal(of: packets[344]) == nil)
        #expect(opener.refusal(of: packets[343]) == .stale)
    }

    @Test("A slow stream's window does not fall behind a fast one's numbers")
    func streams() throws {
        let ends = SessionEnds()
        let sealer = Sender(ends.anna)
        let opener = Receiver(ends.ben)
        let slow = try sealer.seal([1], stream: 1)
        for _ in 0..<400 { _ = try opener.open(try sealer.seal([0], stream: 0)) }
        #expect(try opener.open(slow) == [1])
    }
}
