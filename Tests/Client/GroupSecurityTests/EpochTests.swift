import GroupSecurity
import SansIO
import SansIOTesting
import Testing

@Suite("Renewed keys")
struct EpochTests {
    private static func sealer(_ ends: SessionEnds, epoch: UInt16 = 0) -> Sender {
        Sender(PacketSealer(ends.anna, epoch: epoch, packetsPerEpoch: 10))
    }

    @Test("The key is renewed before the numbers wrap, and nobody notices (S-SEC-003)")
    func renewal() throws {
        let ends = SessionEnds()
        let sealer = Self.sealer(ends)
        let opener = Receiver(ends.ben)
        for index in 0..<95 {
            let packet = try sealer.seal([UInt8(index)], stream: 0)
            #expect(packet[3] == UInt8(index / 10), "the epoch after \(index) packets")
            #expect(packet[11] == UInt8(index % 10))
            #expect(try opener.open(packet) == [UInt8(index)])
        }
    }

    @Test("One stream's renewal is every stream's: a key counts all its numbers from 0")
    func allStreams() throws {
        let ends = SessionEnds()
        let sealer = Self.sealer(ends)
        let opener = Receiver(ends.ben)
        var heads: Set<[UInt8]> = []
        var random = LawRandom(seed: 3)
        for _ in 0..<300 {
            let packet = try sealer.seal([5], stream: UInt8(random.below(4)))
            #expect(heads.insert(Array(packet[1..<12])).inserted, "a number was used twice")
            #expect(try opener.open(packet) == [5])
        }
    }

    @Test("Packets that overtake each other at a renewal open, those of two keys ago do not")
    func overtaking() throws {
        let ends = SessionEnds()
        let sealer = Self.sealer(ends)
        let opener = Receiver(ends.ben)
        let packets = try (0..<40).map { try sealer.seal([UInt8($0)], stream: 0) }
        #expect(try opener.open(packets[12]) == [12])
        #expect(try opener.open(packets[9]) == [9], "the key before is still known")
        #expect(opener.refusal(of: packets[9]) == .replayed)
        #expect(opener.refusal(of: packets[30]) == .unknownEpoch)
        #expect(try opener.open(packets[25]) == [25])
        #expect(opener.refusal(of: packets[8]) == .unknownEpoch)
        #expect(try opener.open(packets[13]) == [13])
        #expect(opener.refusal(of: packets[12]) == .replayed)
    }

    @Test("A packet that only claims the next epoch moves nothing")
    func forgedEpoch() throws {
        let ends = SessionEnds()
        let sealer = Self.sealer(ends)
        let opener = Receiver(ends.ben)
        let packet = try sealer.seal([1], stream: 0)
        let before = opener.opener
        var forged = packet
        forged[3] = 1
        #expect(opener.refusal(of: forged) == .forged)
        #expect(opener.opener == before)
        #expect(try opener.open(packet) == [1])
    }

    @Test("When the last key is used up, nothing more is sealed")
    func exhaustion() throws {
        let ends = SessionEnds()
        let sealer = Self.sealer(ends, epoch: .max - 1)
        let opener = Receiver(PacketOpener(ends.ben, epoch: .max - 1))
        for _ in 0..<20 {
            #expect(try opener.open(try sealer.seal([1], stream: 0)) == [1])
        }
        for _ in 0..<2 {
            #expect(throws: Sender.Exhausted.self) { try sealer.seal([1], stream: 0) }
        }
        let last = try sealer.seal([1], stream: 1)  // Other streams have numbers left.
        #expect(try opener.open(last) == [1])
    }
}
