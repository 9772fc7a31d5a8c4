import AppCoordination
import KodamaSpeech
import OpusAudio
import SansIO
import VoiceActivity

/// Measures on the real detector and encoder what `voice: sized` draws from.
///
/// Every recorded spurt is heard once, between pauses of 1 s, by one detector and one encoder that
/// go on from spurt to spurt as on a phone.
struct SizedCalibration: Sendable {
    /// From a spurt's onset to the end of the first frame judged speech.
    private(set) var onsetDelays: [Int64] = []
    /// From a spurt's end to the end of the last frame judged speech; negative if before.
    private(set) var hangovers: [Int64] = []
    /// The bytes of packets that hold speech.
    private(set) var speechPacketBytes: [Int64] = []
    /// The bytes of packets sent around speech: pre-roll and release.
    private(set) var quietPacketBytes: [Int64] = []

    /// Measures with the default configuration.
    ///
    /// - Parameter material: The voices; all of their spurts are used.
    /// - Throws: `OpusError` if the encoder cannot be made.
    init(_ material: SpeechMaterial) throws {
        let configuration = IntercomConfiguration()
        for voice in material.voices {
            var pieces: [SoundPiece] = []
            var start: Int64 = 48_000
            for spurt in voice.spurts {
                pieces.append(SoundPiece(start: start, spurt: spurt))
                start += Int64(spurt.sampleCount) + 48_000
            }
            let track = TalkTrack(person: voice.name, material: material, pieces: pieces)
            try measure(track, until: start, configuration)
        }
    }

    private mutating func measure(
        _ track: TalkTrack,
        until end: Int64,
        _ configuration: IntercomConfiguration
    ) throws {
        var detector = SpeechDetector(
            configuration: configuration.detector,
            sampleRate: .hertz48000
        )
        var encoder = try OpusEncoder(configuration: configuration.codec)
        var reader = track.makeReader()
        let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 960)
        let packet = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_276, alignment: 16)
        defer {
            frame.deallocate()
            packet.deallocate()
        }
        var judged: [Bool] = []
        // Phones reach for 300 ms of release and 200 ms of pre-roll around speech.
        let reach: Int64 = 14_400
        for index in 0..<end / 960 {
            reader.read(frameAt: index * 960, into: frame)
            judged.append(detector.decide(UnsafeBufferPointer(frame)).isSpeech)
            let range = index * 960..<(index + 1) * 960
            let near = range.lowerBound - reach..<range.upperBound + reach
            guard reader.speechSampleCount(in: near) > 0 else { continue }
            let size = Int64(try encoder.encode(UnsafeBufferPointer(frame), into: packet))
            if reader.speechSampleCount(in: range) > 0 {
                speechPacketBytes.append(size)
            } else {
                quietPacketBytes.append(size)
            }
        }
        withExtendedLifetime(track) { note(judged, track.speech) }
    }

    private mutating func note(_ judged: [Bool], _ speech: [Range<Int64>]) {
        for spurt in speech {
            let first = Int(spurt.lowerBound / 960)
            // Half of the pause of 1 s belongs to this spurt.
            let last = min(Int(spurt.upperBound / 960) + 25, judged.count)
            guard let onset = (first..<last).first(where: { judged[$0] }),
                let final = (first..<last).last(where: { judged[$0] })
            else { continue }
            onsetDelays.append(nanoseconds(Int64(onset + 1) * 960 - spurt.lowerBound))
            hangovers.append(nanoseconds(Int64(final + 1) * 960 - spurt.upperBound))
        }
    }

    private func nanoseconds(_ samples: Int64) -> Int64 { samples * 125_000 / 6 }

    /// The quantiles of measurements at 33 equal steps of probability, by nearest rank.
    static func quantiles(_ samples: [Int64]) -> [Int64] {
        let sorted = samples.sorted()
        return (0...32).map { sorted[(sorted.count - 1) * $0 / 32] }
    }
}
