import OpusAudio
import SansIO
import Testing

@Suite("Opus errors")
struct OpusErrorTests {
    @Test("An empty packet is an error, not concealment")
    func emptyPacket() throws {
        #expect(throws: OpusError(code: -4, operation: "decode a packet")) {
            _ = try decode([.packet([])])
        }
    }

    @Test("Random bytes give samples or libopus's error, and never a crash")
    func randomPackets() throws {
        var state: UInt64 = 7
        var refused = 0
        for _ in 0..<2_000 {
            var packet: [UInt8] = []
            for _ in 0..<Int(next(&state) % 100 + 1) {
                packet.append(UInt8(truncatingIfNeeded: next(&state)))
            }
            do {
                _ = try decode([.packet(packet), .concealed, .recovered(fromNext: packet)])
            } catch let error as OpusError {
                #expect(error.code < 0)
                refused += 1
            }
        }
        #expect(refused > 100, "only \(refused) of 2000 random packets were refused")
    }

    @Test("A packet with a flipped bit gives samples or an error, and the next packets decode")
    func flippedBits() throws {
        let packets = try encode(voiceLikeSignal(frames: 20))
        for bit in 0..<(packets[10].count * 8) {
            var broken = packets[10]
            broken[bit / 8] ^= UInt8(1 << (bit % 8))
            var decoder = try OpusDecoder()
            var output = [Int16](repeating: 0, count: 960)
            try output.withUnsafeMutableBufferPointer { samples in
                _ = try? broken.withUnsafeBytes { try decoder.decode(packet: $0, into: samples) }
                let count = try packets[11].withUnsafeBytes {
                    try decoder.decode(packet: $0, into: samples)
                }
                #expect(count == 960)
            }
        }
    }

    @Test("A packet longer than the frame is refused")
    func longPacket() throws {
        // Code 3 with three frames of 20 ms, all empty: 60 ms do not fit (RFC 6716, section 3.2.5).
        let error = OpusError(code: -2, operation: "decode a packet")
        #expect(throws: error) { _ = try decode([.packet([0b0000_1011, 0b0000_0011])]) }
    }

    @Test("A frame of another length is refused")
    func wrongFrame() throws {
        var encoder = try OpusEncoder(configuration: OpusEncoderConfiguration())
        let sound = [Int16](repeating: 0, count: 480)
        var packet = [UInt8](repeating: 0, count: 200)
        #expect(throws: OpusError.self) {
            try sound.withUnsafeBufferPointer { samples in
                try packet.withUnsafeMutableBytes { _ = try encoder.encode(samples, into: $0) }
            }
        }
    }

    @Test("Settings outside their ranges are refused, with libopus's own words")
    func badSettings() {
        var rate = OpusEncoderConfiguration()
        rate.bitrate = DataRate(bitsPerSecond: 5_999)
        var effort = OpusEncoderConfiguration()
        effort.complexity = 11
        var loss = OpusEncoderConfiguration()
        loss.expectedLossPercent = 101
        for configuration in [rate, effort, loss] {
            let error = #expect(throws: OpusError.self) {
                _ = try OpusEncoder(configuration: configuration)
            }
            #expect(error?.description.contains("invalid argument (-1)") == true)
        }
    }
}

/// A small generator of their own, so that no other part is needed.
func next(_ state: inout UInt64) -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
}
