@testable import KodamaIntercom
import OpusAudio
import Testing

@Suite("The sound of one member at a phone")
struct PeerVoiceTests {
    /// A voice that has just played a second of a steady tone, and what of it waits.
    private static func sounding() throws -> PeerVoice {
        let voice = try PeerVoice(fadesSpurts: true, playsComfortNoise: true)
        var encoder = try OpusEncoder(configuration: OpusEncoderConfiguration())
        let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 960)
        let packet = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_275, alignment: 16)
        defer {
            frame.deallocate()
            packet.deallocate()
        }
        for number in 0..<50 {
            for offset in 0..<960 {
                // A triangle of 200 Hz.
                let phase = (number * 960 + offset) % 240
                frame[offset] = Int16(abs(phase - 120) * 200 - 12_000)
            }
            let size = try encoder.encode(UnsafeBufferPointer(frame), into: packet)
            let bytes = UnsafeRawBufferPointer(rebasing: packet[..<size])
            voice.append(960, as: 960) { decoder, output throws(OpusError) in
                try decoder.decode(packet: bytes, into: output)
            }
            if number < 49 { _ = take(960, from: voice) }
        }
        return voice
    }

    private static func take(_ count: Int, from voice: PeerVoice) -> [Int16] {
        var sound = [Int16](repeating: 0, count: count)
        sound.withUnsafeMutableBufferPointer { voice.take(into: $0) }
        return sound
    }

    @Test(
        "Lost sound is made up in any length that the app orders, not only in the codec's steps",
        arguments: [61, 120, 137, 480, 601, 959, 960]
    )
    func concealment(samples: Int) throws {
        let voice = try Self.sounding()
        voice.conceal(samples: samples)
        _ = Self.take(960, from: voice)
        #expect(voice.queuedSamples == samples)
        let sound = Self.take(samples, from: voice)
        let peak = sound.map { abs(Int($0)) }.max() ?? 0
        #expect(peak > 4_000, "silence stands in for the sound")
    }

    @Test("A packet that is none sounds as a lost one would")
    func brokenPacket() throws {
        let voice = try Self.sounding()
        voice.append(960, as: 960) { decoder, output throws(OpusError) in
            try decoder.decode(packet: UnsafeRawBufferPointer(start: nil, count: 0), into: output)
        }
        _ = Self.take(960, from: voice)
        let peak = Self.take(960, from: voice).map { abs(Int($0)) }.max() ?? 0
        #expect(peak > 1_000, "silence stands in for the sound")
    }

    @Test("A talker who leaves in the midst of a word fades within 20 ms")
    func leaving() throws {
        let voice = try Self.sounding()
        let word = Self.take(960, from: voice)
        let rest = Self.take(1_920, from: voice)
        let steepest = zip(word, word.dropFirst()).reduce(0) { max($0, abs(Int($1.1) - Int($1.0))) }
        let joined = [try #require(word.last)] + rest
        for (before, after) in zip(joined, joined.dropFirst()) {
            #expect(abs(Int(after) - Int(before)) <= steepest + 100)
        }
        #expect(rest[..<120].contains { abs(Int($0)) > 2_000 })
        #expect(rest[960...].allSatisfy { abs(Int($0)) < 100 })
    }
}
