import OpusAudio
import SansIO
import Testing

@Suite("Opus round trip")
struct OpusRoundTripTests {
    @Test("Decoded voice is the input, later by the look-ahead (S-AUD-003)")
    func roundTrip() throws {
        let sound = voiceLikeSignal(frames: 150)
        let lookahead = try OpusEncoder(configuration: OpusEncoderConfiguration()).lookaheadSamples
        let decoded = try decode(encode(sound).map(Reception.packet))
        #expect(decoded.count == sound.count)
        let from = 48_000
        let length = 96_000 - lookahead
        let aligned = signalToErrorRatio(
            sound[from..<from + length],
            decoded[from + lookahead..<from + lookahead + length]
        )
        let shifted = signalToErrorRatio(
            sound[from..<from + length],
            decoded[from..<from + length]
        )
        // 5 dB of waveform agreement is much for a codec of speech; without the shift there is none.
        #expect(aligned > 3.2, "signal to error \(aligned) to 1")
        #expect(shifted < 2, "unshifted \(shifted) to 1")
    }

    @Test("The look-ahead of the VoIP application is 6.5 ms")
    func lookahead() throws {
        let encoder = try OpusEncoder(configuration: OpusEncoderConfiguration())
        #expect(encoder.lookaheadSamples == 312)
    }

    @Test("The mean packet is near the configured rate", arguments: [16_000, 24_000, 32_000])
    func rate(bitsPerSecond: Int64) throws {
        var configuration = OpusEncoderConfiguration()
        configuration.bitrate = DataRate(bitsPerSecond: bitsPerSecond)
        let packets = try encode(voiceLikeSignal(frames: 250), with: configuration)
        let bytes = packets.dropFirst(50).reduce(0) { $0 + $1.count }
        let measured = Double(bytes) / 200 * 8 * 50
        #expect(measured > 0.75 * Double(bitsPerSecond), "\(measured) bit/s")
        #expect(measured < 1.25 * Double(bitsPerSecond), "\(measured) bit/s")
    }

    @Test("Silence needs fewer bytes than voice, for the rate is variable")
    func silenceIsSmall() throws {
        let voice = try encode(voiceLikeSignal(frames: 100)).reduce(0) { $0 + $1.count }
        let silence = try encode([Int16](repeating: 0, count: 96_000)).reduce(0) { $0 + $1.count }
        #expect(silence * 2 < voice)
    }

    @Test("Equal input gives equal bytes and equal samples, twice")
    func repeats() throws {
        let sound = voiceLikeSignal(frames: 60)
        let first = try encode(sound)
        let second = try encode(sound)
        #expect(first == second)
        #expect(try decode(first.map(Reception.packet)) == decode(second.map(Reception.packet)))
    }

    @Test("A new rate holds from the next frame on")
    func apply() throws {
        let sound = voiceLikeSignal(frames: 200)
        var encoder = try OpusEncoder(configuration: OpusEncoderConfiguration())
        var configuration = OpusEncoderConfiguration()
        configuration.bitrate = DataRate(bitsPerSecond: 64_000)
        var sizes: [Int] = []
        for frame in 0..<200 {
            if frame == 100 {
                try encoder.apply(configuration)
            }
            sizes.append(try encodeFrame(frame, of: sound, with: &encoder).count)
        }
        let before = sizes[..<100].reduce(0, +)
        let after = sizes[100...].reduce(0, +)
        #expect(after > 2 * before, "\(before) bytes, then \(after)")
    }
}
