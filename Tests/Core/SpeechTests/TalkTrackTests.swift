@testable import KodamaSpeech
import SansIO
import Testing

@Suite("Talk track")
struct TalkTrackTests {
    private static let synthetic = SpeechMaterial.synthetic(spurtsPerVoice: 3)
    private var material: SpeechMaterial { Self.synthetic }

    private func track(_ starts: [Int64], surroundings: NoiseLoop = .silence) -> TalkTrack {
        let spurts = material.voices[0].spurts
        let pieces = starts.enumerated().map { SoundPiece(start: $1, spurt: spurts[$0]) }
        return TalkTrack(
            person: "aoi",
            material: material,
            pieces: pieces,
            surroundings: surroundings
        )
    }

    private func read(_ reader: inout TalkTrack.Reader, at index: Int64, count: Int) -> [Int16] {
        var frame = [Int16](repeating: 99, count: count)
        frame.withUnsafeMutableBufferPointer { reader.read(frameAt: index, into: $0) }
        return frame
    }

    @Test("Frames are cut from the line of all pieces, in any order of reading")
    func frames() {
        let starts: [Int64] = [1_000, 500_000, 900_000]
        let track = track(starts)
        defer { withExtendedLifetime(track) {} }
        var line = [Int16](repeating: 0, count: 1_400_000)
        for (spurt, start) in zip(material.voices[0].spurts, starts) {
            material.withSamples(of: spurt) { samples in
                line.replaceSubrange(Int(start)..<Int(start) + samples.count, with: samples)
            }
        }
        var reader = track.makeReader()
        for index in stride(from: 0, to: 1_390_000, by: 960) {
            #expect(read(&reader, at: Int64(index), count: 960) == Array(line[index..<index + 960]))
        }
        for index in [900_100, 0, 499_500, 1_200_000, 40, 1_000] {
            #expect(
                read(&reader, at: Int64(index), count: 1_500) == Array(line[index..<index + 1_500])
            )
        }
    }

    @Test("The truth counts the speech in any interval, and pauses below 200 ms belong to it")
    func truth() {
        let track = TalkTrack(
            person: "aoi",
            speech: [(0, 100), (299, 400), (600, 700)].map { from, until in
                from * 48..<until * 48
            }
        )
        defer { withExtendedLifetime(track) {} }
        #expect(track.speech == [0..<19_200, 28_800..<33_600])
        var reader = track.makeReader()
        for start in [0, 18_000, 19_199, 19_200, 28_000, 0, 33_599, 33_600, 28_800] as [Int64] {
            for count in [1, 960, 12_000] as [Int64] {
                let expected = (start..<start + count).filter {
                    (0..<19_200).contains($0) || (28_800..<33_600).contains($0)
                }
                let counted = reader.speechSampleCount(in: start..<start + count)
                #expect(counted == expected.count)
            }
        }
    }

    @Test("The surroundings are heard at every time, beside the voice and round and round")
    func surroundings() {
        let voice = material.voices[0]
        let bed = NoiseBed(.pink, .signalToNoise(milliDecibels: 10_000))
        let loop = NoiseLoop(
            [bed],
            around: "aoi",
            voice: voice,
            material: material,
            seed: 1,
            sampleCount: 100_000
        )
        let start: Int64 = 480_000
        let noisy = track([start], surroundings: loop)
        let quiet = track([start])
        defer { withExtendedLifetime((noisy, quiet)) {} }
        #expect(noisy.speech == quiet.speech)
        let period = Int64(loop.samples.count)
        var (reader, clean) = (noisy.makeReader(), quiet.makeReader())
        // Before, across and after the spurt, and across the loop's seam.
        for index in [0, 1_000, start - 100, start + 500, start + period - 7, 3 * period - 5_000] {
            let heard = read(&reader, at: index, count: 9_600)
            let voice = read(&clean, at: index, count: 9_600)
            let expected = (0..<9_600).map { offset in
                let noise = loop.samples[Int((index + Int64(offset)) % period)]
                return Int16(clamping: Int(voice[offset]) + Int(noise))
            }
            #expect(heard == expected, "at \(index)")
        }
    }

    @Test("Sample indices and instants convert without drift")
    func time() {
        for index in [0, 1, 47_999, 48_000, 172_800_001, 10_000_000_000] as [Int64] {
            let instant = MicrophoneTime.instant(of: index)
            #expect((index - 1...index).contains(MicrophoneTime.sampleIndex(at: instant)))
            let later = instant.advanced(by: .nanoseconds(1))
            #expect(MicrophoneTime.sampleIndex(at: later) == index)
        }
        #expect(MicrophoneTime.sampleIndex(at: Instant(nanoseconds: 20_000_000)) == 960)
        #expect(MicrophoneTime.sampleIndex(at: Instant(nanoseconds: -1)) == -1)
    }
}
