import SansIO
import Testing

@testable import GroupSecurity

@Suite("The bounds of a sealed packet")
struct SealedHeaderBoundTests {
    /// Why the header of these bytes is refused, if it is.
    private static func refusal(_ packet: [UInt8]) -> PacketRefusal? {
        packet.withUnsafeBytes { bytes in
            do throws(PacketRefusal) {
                _ = try SealedHeader(decoding: bytes)
                return nil
            } catch {
                return error
            }
        }
    }

    @Test(
        "A packet holds 1 to 1,372 sealed bytes: one with none or one more is malformed (S-SEC-003)"
    )
    func bounds() {
        for (count, isSound) in [
            (1, false), (12, false), (27, false), (28, false), (29, true), (1_400, true),
            (1_401, false),
        ] {
            let packet = [0x1C] + [UInt8](repeating: 0, count: count - 1)
            #expect(Self.refusal(packet) == (isSound ? nil : .malformed), "\(count) bytes")
        }
        #expect(Self.refusal([]) == .malformed)
    }

    @Test("Streams 0 to 3 are known, no version but 1 and no type but 12 (S-SEC-003)")
    func fields() {
        func refusal(_ first: UInt8, _ stream: UInt8) -> PacketRefusal? {
            Self.refusal([first, stream] + [UInt8](repeating: 0, count: 38))
        }
        for stream in 0..<8 as Range<UInt8> {
            #expect(refusal(0x1C, stream) == (stream < 4 ? nil : .malformed))
        }
        #expect(refusal(0x0C, 0) == .unknownVersion && refusal(0x2C, 0) == .unknownVersion)
        #expect(refusal(0x1B, 0) == .malformed && refusal(0x1D, 0) == .malformed)
    }
}
