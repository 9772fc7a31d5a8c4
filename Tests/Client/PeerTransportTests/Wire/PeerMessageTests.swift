import PeerTransport
import SansIO
import SansIOTesting
import Testing

struct PeerMessageTests {
    private static func bytes(_ message: PeerMessage, payload: [UInt8] = []) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xAA, count: PeerMessage.encodedCountMax)
        let count = bytes.withUnsafeMutableBytes { room in
            payload.withUnsafeBytes { message.encode(into: room, payload: $0) }
        }
        return Array(bytes[..<count])
    }

    private static func decode(_ bytes: [UInt8]) -> Result<PeerMessage, PeerMessage.Refusal> {
        bytes.withUnsafeBytes { room in
            do throws(PeerMessage.Refusal) {
                return .success(try PeerMessage(decoding: room))
            } catch {
                return .failure(error)
            }
        }
    }

    private static func message(_ random: inout LawRandom) -> (PeerMessage, payload: [UInt8]) {
        func number() -> UInt32 { UInt32(truncatingIfNeeded: random.next()) }
        switch random.below(3) {
        case 0:
            let header = FrameHeader(
                streamID: number(),
                sequence: SerialNumber(number()),
                captureIndex: SerialNumber(number()),
                marks: FrameMarks(rawValue: UInt8(random.below(8))),
                carriesFEC: random.chance(percent: 50),
                level: AudioLevel(decibelsBelowOverload: UInt8(random.below(128))),
                holdsSpeech: random.chance(percent: 50)
            )
            let count = 1 + random.below(random.chance(percent: 10) ? 1275 : 120)
            return (.voice(header), (0..<count).map { _ in UInt8(random.below(256)) })
        case 1:
            let echo = Keepalive.Echo(sentMicroseconds: number(), heldMicroseconds: number())
            let keepalive = Keepalive(
                streamID: number(),
                nextSequence: SerialNumber(number()),
                lastCaptureIndex: SerialNumber(number()),
                isTalking: random.chance(percent: 50),
                sentMicroseconds: number(),
                echo: random.chance(percent: 50) ? echo : nil
            )
            return (.keepalive(keepalive), [])
        default:
            let mark = EndMark(
                streamID: number(),
                lastSequence: SerialNumber(number()),
                lastCaptureIndex: SerialNumber(number())
            )
            return (.endMark(mark), [])
        }
    }

    @Test("What is encoded is decoded again, payload and all", arguments: 0..<20 as Range<UInt64>)
    func roundTrip(seed: UInt64) {
        var random = LawRandom(seed: seed)
        for _ in 0..<200 {
            let (message, payload) = Self.message(&random)
            let bytes = Self.bytes(message, payload: payload)
            #expect(Self.decode(bytes) == .success(message))
            #expect(bytes.count == message.encodedCount(payloadCount: payload.count))
            if case .voice = message {
                #expect(Array(bytes[PeerMessage.payloadOffset...]) == payload)
            }
        }
    }

    @Test("Every single flipped bit is noticed (A-NF-003)", arguments: 0..<12 as Range<UInt64>)
    func flippedBits(seed: UInt64) {
        var random = LawRandom(seed: seed)
        let (message, payload) = Self.message(&random)
        let bytes = Self.bytes(message, payload: payload)
        for bit in 0..<bytes.count * 8 {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: PeerMessage.Refusal.self) { try Self.decode(flipped).get() }
        }
    }

    @Test("No bytes whatever crash the decoder", arguments: 0..<20 as Range<UInt64>)
    func randomBytes(seed: UInt64) {
        var random = LawRandom(seed: seed)
        var accepted = 0
        for _ in 0..<5000 {
            var bytes = (0..<random.below(60)).map { _ in UInt8(random.below(256)) }
            if !bytes.isEmpty, random.chance(percent: 80) {
                bytes[0] = 0x10 | UInt8(random.below(3))
            }
            if case .success = Self.decode(bytes) { accepted += 1 }
        }
        #expect(accepted <= 3, "random bytes pass a 16-bit checksum once in 65,536 times")
    }

    @Test("Each refusal is named")
    func refusals() {
        let mark = EndMark(
            streamID: 1,
            lastSequence: SerialNumber(2),
            lastCaptureIndex: SerialNumber(3)
        )
        let bytes = Self.bytes(.endMark(mark))
        #expect(Self.decode([]) == .failure(.tooShort))
        #expect(Self.decode(Array(bytes.dropLast())) == .failure(.tooShort))
        #expect(Self.decode(bytes + [0]) == .failure(.tooLong))
        #expect(Self.decode([0x20] + bytes.dropFirst()) == .failure(.unknownVersion))
        #expect(Self.decode([0x1F] + bytes.dropFirst()) == .failure(.unknownType))
        #expect(Self.decode(bytes.dropLast() + [bytes[15] ^ 1]) == .failure(.badChecksum))
        // An unknown flag with a checksum that agrees: the flag adds 0x80, so the checksum loses it.
        var flagged = bytes
        flagged[1] = 0x80
        flagged[3] = bytes[3] &- 0x80
        if bytes[3] < 0x80 { flagged[2] &-= 1 }
        #expect(Self.decode(flagged) == .failure(.unknownFlag))
    }

    @Test("A header has the bytes that its documentation says")
    func layout() {
        let header = FrameHeader(
            streamID: 0x0102_0304,
            sequence: SerialNumber(0x0506_0708),
            captureIndex: SerialNumber(0x090A_0B0C),
            marks: [.talkStart, .burst],
            carriesFEC: true,
            level: AudioLevel(decibelsBelowOverload: 30),
            holdsSpeech: true
        )
        let bytes = Self.bytes(.voice(header), payload: [0xEE])
        #expect(bytes[0...1] == [0x10, 0b1011])
        let expected: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0x80 | 30, 0xEE]
        #expect(Array(bytes[4...]) == expected)
        // RFC 1071: the sum of all 16-bit words, this one included, is all ones.
        let words = stride(from: 0, to: bytes.count, by: 2).map { place -> UInt32 in
            let low: UInt8 = place + 1 < bytes.count ? bytes[place + 1] : 0
            return UInt32(bytes[place]) << 8 | UInt32(low)
        }
        let sum = words.reduce(0, +)
        #expect(sum & 0xFFFF + sum >> 16 == 0xFFFF)
    }

    @Test("A round trip is read from an echo, over the wrap of the clock (S-HO-003)")
    func roundTripTime() {
        var keepalive = Keepalive(
            streamID: 1,
            nextSequence: SerialNumber(1),
            lastCaptureIndex: SerialNumber(1),
            isTalking: false,
            sentMicroseconds: 5
        )
        #expect(keepalive.roundTripMicroseconds(at: 100) == nil)
        keepalive.echo = .init(sentMicroseconds: .max - 9_999, heldMicroseconds: 20_000)
        #expect(keepalive.roundTripMicroseconds(at: 50_000) == 40_000)
        keepalive.echo = .init(sentMicroseconds: 60_000, heldMicroseconds: 0)
        #expect(keepalive.roundTripMicroseconds(at: 50_000) == nil, "an echo from the future")
    }
}
