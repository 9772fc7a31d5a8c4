import SansIO
import Speech
import Testing

@Suite("Talk track")
struct TalkTrackTests {
    private static let synthetic = SpeechMaterial.synthetic(spurtsPerVoice: 3)
    private var material: SpeechMaterial { Self.synthetic }

    private func track(_ starts: [Int64], noise: SteadyNoise? = nil) -> TalkTrack {
        let spurts = material.voices[0].spurts
        let pieces = starts.enumerated().map { SoundPiece(start: $1, spurt: spurts[$0]) }
        return TalkTrack(
            person: "aoi",
            material: material,
            pieces: pieces,
            steadyNoise: noise,
            seed: 1
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
            turns: [(0, 100), (299, 400), (600, 700)].map { from, until in
                TalkTurn(
                    start: Instant(nanoseconds: from * 1_000_000),
                    end: Instant(nanoseconds: until * 1_000_000)
                )
            }
        )
        defer { withExtendedLifetime(track) {} }
        #expect(track.speech == [0..<19_200, 28_800..<33_600])
        #expect(!track.hasSound)
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

    @Test(
        "Steady noise has its level everywhere and adds to the voice",
        arguments: SteadyNoise.Colour.allCases
    )
    func noise(colour: SteadyNoise.Colour) {
        let level = AudioLevel(decibelsBelowOverload: 60)
        let noisy = track([480_000], noise: SteadyNoise(colour, level: level))
        let quiet = track([480_000])
        defer { withExtendedLifetime((noisy, quiet)) {} }
        var reader = noisy.makeReader()
        let silence = read(&reader, at: 0, count: 480_000)
        silence.withUnsafeBufferPointer { samples in
            let measured = Int(AudioLevel(of: samples).decibelsBelowOverload)
            #expect(abs(measured - 60) <= 1)
        }
        var clean = quiet.makeReader()
        let voice = read(&clean, at: 480_000, count: 9_600)
        let both = read(&reader, at: 480_000, count: 9_600)
        let period: Int64 = 1 << 17
        let same = read(&reader, at: 480_000 % period, count: 9_600)
        for index in 0..<9_600 where Int(both[index]) != Int(voice[index]) + Int(same[index]) {
            Issue.record("sample \(index) is not voice and noise")
            break
        }
    }

    @Test(
        "Pink noise has as much energy in each octave, white noise twice as much in each higher one"
    )
    func colours() {
        for (colour, ratio) in [(SteadyNoise.Colour.white, 8.0), (.pink, 1.0)] {
            let level = AudioLevel(decibelsBelowOverload: 30)
            let track = track([], noise: SteadyNoise(colour, level: level))
            defer { withExtendedLifetime(track) {} }
            var reader = track.makeReader()
            let noise = read(&reader, at: 0, count: 1 << 17).map(Double.init)
            // Haar's wavelet splits off one octave at each step; compare two that are three apart.
            var rest = noise
            var octaves: [Double] = []
            for _ in 0..<5 {
                let pairs = stride(from: 0, to: rest.count - 1, by: 2)
                octaves.append(
                    pairs.reduce(0) { sum, index in
                        let difference = rest[index] - rest[index + 1]
                        return sum + difference * difference / 2
                    }
                )
                rest = pairs.map { (rest[$0] + rest[$0 + 1]) * 0.5.squareRoot() }
            }
            let measured = octaves[1] / octaves[4]
            #expect(measured > ratio / 1.5 && measured < ratio * 1.5, "\(colour): \(measured)")
        }
    }

    @Test("Two people's noises differ, and one person's is the same in every run")
    func noiseIsKeyed() {
        let level = AudioLevel(decibelsBelowOverload: 60)
        let make: (String) -> [Int16] = { person in
            let track = TalkTrack(
                person: person,
                material: self.material,
                pieces: [],
                steadyNoise: SteadyNoise(.white, level: level),
                seed: 1
            )
            defer { withExtendedLifetime(track) {} }
            var reader = track.makeReader()
            return self.read(&reader, at: 0, count: 960)
        }
        #expect(make("aoi") == make("aoi"))
        #expect(make("aoi") != make("ren"))
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
