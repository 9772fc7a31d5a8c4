import OpusAudio
import Testing

/// What is heard where concealed sound begins and ends.
@Suite("Edges of a loss")
struct OpusLossEdgeTests {
    /// A receiver that decodes, and conceals any number of samples.
    private struct Receiver: ~Copyable {
        var decoder: OpusDecoder
        var sound: [Int16] = []

        init() throws {
            decoder = try OpusDecoder()
        }

        mutating func decode(_ packets: some Sequence<[UInt8]>) throws {
            for packet in packets {
                var frame = [Int16](repeating: 0, count: 960)
                _ = try frame.withUnsafeMutableBufferPointer { samples in
                    try packet.withUnsafeBytes { try decoder.decode(packet: $0, into: samples) }
                }
                sound += frame
            }
        }

        mutating func conceal(_ samples: Int) throws {
            var part = [Int16](repeating: 0, count: samples)
            _ = try part.withUnsafeMutableBufferPointer { try decoder.conceal(into: $0) }
            sound += part
        }
    }

    /// Hybrid, then SILK: the second is where libopus conceals 10 ms at the least.
    private static let codecs = [false, true].map { usesFEC in
        var configuration = OpusEncoderConfiguration()
        configuration.usesInBandFEC = usesFEC
        configuration.expectedLossPercent = usesFEC ? 10 : 0
        return configuration
    }

    private func steepest(_ sound: ArraySlice<Int16>) -> Int {
        zip(sound, sound.dropFirst()).reduce(0) { max($0, abs(Int($1.1) - Int($1.0))) }
    }

    /// A voice whose loudest sample is `peak`.
    private func voice(frames: Int, peak: Int) -> [Int16] {
        let sound = voiceLikeSignal(frames: frames)
        let loudest = sound.reduce(1) { max($0, abs(Int($1))) }
        return sound.map { Int16(Int($0) * peak / loudest) }
    }

    @Test("Sound concealed in parts is the sound concealed at once", arguments: codecs)
    func parts(configuration: OpusEncoderConfiguration) throws {
        let packets = try encode(voiceLikeSignal(frames: 40), with: configuration)
        var whole = try Receiver()
        try whole.decode(packets[..<30])
        for _ in 0..<3 { try whole.conceal(960) }
        for parts in [[120], [480], [100, 7, 613], [2_880]] {
            var receiver = try Receiver()
            try receiver.decode(packets[..<30])
            while receiver.sound.count < whole.sound.count {
                for part in parts {
                    try receiver.conceal(min(part, whole.sound.count - receiver.sound.count))
                    if receiver.sound.count == whole.sound.count { break }
                }
            }
            #expect(receiver.sound == whole.sound, "in parts of \(parts)")
        }
    }

    @Test(
        "Where a frame comes amid concealment the sound makes no step",
        arguments: codecs,
        [120, 360, 480, 840]
    )
    func join(configuration: OpusEncoderConfiguration, concealed: Int) throws {
        let packets = try encode(voiceLikeSignal(frames: 120), with: configuration)
        for lost in 20..<100 {
            var receiver = try Receiver()
            try receiver.decode(packets[..<lost])
            try receiver.conceal(concealed)
            try receiver.decode(packets[lost..<lost + 4])
            let edges = receiver.sound[(lost * 960 - 20)..<(lost * 960 + concealed + 300)]
            let around = receiver.sound[..<(lost * 960)].suffix(4_800)
            let bound = max(steepest(around), 100) * 3 / 2
            #expect(steepest(edges) <= bound, "frame \(lost)")
        }
    }

    @Test("What is louder than the voice has been is bent for 100 ms after a loss, and then passes")
    func popIsCapped() throws {
        let packets = try encode(voice(frames: 60, peak: 3_000))
        let loud = try encode(voice(frames: 40, peak: 28_000))
        var receiver = try Receiver()
        try receiver.decode(packets)
        let voice = receiver.sound.reduce(0) { max($0, abs(Int($1))) }
        #expect(voice < 8_192)
        try receiver.conceal(960)
        try receiver.decode(loud[12..<30])
        let after = receiver.sound[(61 * 960)...].map { abs(Int($0)) }
        let (watched, later) = (after[..<4_800].max(), after[4_800...].max())
        #expect(try #require(watched) <= 8_192 * 3 / 2)
        #expect(try #require(later) > 14_000, "the loud voice itself is louder than the bound")
    }

    @Test("Without a loss nothing is bent")
    func nothingIsBent() throws {
        let loud = try encode(voice(frames: 40, peak: 28_000))
        var receiver = try Receiver()
        try receiver.decode(try encode(voice(frames: 20, peak: 3_000)))
        try receiver.decode(loud)
        #expect(receiver.sound.contains { abs(Int($0)) > 14_000 })
    }
}
