import AudioProcessing
import Testing

@Suite("Time scaler")
struct TimeScalerTests {
    /// Scales `input` frame by frame, `counts` telling how many samples come out of each.
    private func scale(
        _ input: [Int16],
        with scaler: inout TimeScaler,
        counts: (Int) -> Int
    ) -> [Int16] {
        var sound: [Int16] = []
        for frame in 0..<(input.count / 960) {
            var output = [Int16](repeating: 0, count: counts(frame))
            input.withUnsafeBufferPointer { samples in
                output.withUnsafeMutableBufferPointer {
                    scaler.process(
                        UnsafeBufferPointer(rebasing: samples[frame * 960..<(frame + 1) * 960]),
                        into: $0
                    )
                }
            }
            sound += output
        }
        return sound
    }

    @Test("At equal counts, samples pass unchanged and at once")
    func identity() {
        var scaler = TimeScaler()
        let input = noise(peak: 32_767, count: 9_600)
        #expect(scale(input, with: &scaler) { _ in 960 } == input)
        #expect(scaler.pendingSampleCount == 0)
    }

    @Test(
        "The pitch of a tone stays, whatever the speed (D-16)",
        arguments: [816, 900, 1_020, 1_104],
        [150.0, 220, 440, 1_000, 2_345]
    )
    func pitch(count: Int, hertz: Double) {
        var scaler = TimeScaler()
        let input = tone(hertz: hertz, peak: 10_000, count: 48_000)
        let output = scale(input, with: &scaler) { _ in count }
        #expect(output.count == 50 * count)
        let measured = frequency(output[4_800...])
        #expect(abs(measured - hertz) < 0.01 * hertz, "\(measured) Hz")
    }

    @Test(
        "A tone has no clicks and no holes, whatever the speed",
        arguments: [816, 900, 1_020, 1_104],
        [150.0, 440, 1_000]
    )
    func clicks(count: Int, hertz: Double) {
        var scaler = TimeScaler()
        let input = tone(hertz: hertz, peak: 10_000, count: 48_000)
        let output = scale(input, with: &scaler) { _ in count }
        let steepest = zip(input, input.dropFirst()).map { abs(Int($0) - Int($1)) }.max() ?? 0
        let scaled = zip(output, output.dropFirst()).map { abs(Int($0) - Int($1)) }.max() ?? 0
        #expect(scaled * 10 <= steepest * 13 + 20, "\(scaled) instead of \(steepest)")
        for start in stride(from: 4_800, to: output.count - 960, by: 480) {
            let level = rootMeanSquare(output[start..<start + 960])
            #expect(level > 0.85 * 7_071 && level < 1.1 * 7_071, "\(level) at \(start)")
        }
    }

    @Test("What went in has come out, but for what waits, and little ever waits")
    func bookkeeping() {
        var scaler = TimeScaler()
        let voice = noise(peak: 8_000, count: 96_000)
        let counts = [816, 1_104, 960, 873, 1_001, 840, 816, 816, 1_104, 1_104]
        var pendings: [Int] = []
        for frame in 0..<100 {
            _ = scale(Array(voice[frame * 960..<(frame + 1) * 960]), with: &scaler) { _ in
                counts[frame / 7 % 10]
            }
            pendings.append(scaler.pendingSampleCount)
        }
        #expect(pendings.allSatisfy { (0...TimeScaler.pendingSamplesMax).contains($0) })
        #expect(pendings.contains { $0 > 0 })
    }

    @Test("Catching up at 15 % moves the sound forward by what was asked")
    func catchesUp() {
        // A click train of 5 ms: after compression the clicks are still whole and in step.
        var scaler = TimeScaler()
        var input = [Int16](repeating: 0, count: 48_000)
        for index in stride(from: 0, to: 48_000, by: 240) {
            for width in 0..<24 {
                input[index + width] = Int16(8_000 - 300 * width)
            }
        }
        let output = scale(input, with: &scaler) { _ in 816 }
        let clicks = output.indices.filter { output[$0] == 8_000 }
        let expected = 50 * 816 / 240
        #expect(abs(clicks.count - expected) <= 3, "\(clicks.count) clicks, \(expected) expected")
        for (left, right) in zip(clicks, clicks.dropFirst()) {
            #expect(right - left == 240)
        }
    }

    @Test("What waits is worked off in silence, and then samples pass unchanged again")
    func worksOff() {
        var scaler = TimeScaler()
        let voice = noise(peak: 9_000, count: 4_800)
        _ = scale(voice, with: &scaler) { _ in 935 }
        #expect(scaler.pendingSampleCount > 0)
        _ = scale([Int16](repeating: 0, count: 1_920), with: &scaler) { _ in 960 }
        #expect(scaler.pendingSampleCount == 0)
        #expect(scale(voice, with: &scaler) { _ in 960 } == voice)
    }

    @Test("Extreme samples and every count stay inside the buffers")
    func extremes() {
        for count in stride(from: 816, through: 1_104, by: 16) {
            var scaler = TimeScaler()
            let input = (0..<9_600).map { $0 / 37 % 2 == 0 ? Int16.max : Int16.min }
            #expect(scale(input, with: &scaler) { _ in count }.count == 10 * count)
        }
    }

    @Test("A reset scaler is a new one")
    func reset() {
        var scaler = TimeScaler()
        _ = scale(noise(peak: 5_000, count: 9_600), with: &scaler) { _ in 830 }
        #expect(scaler != TimeScaler())
        scaler.reset()
        #expect(scaler == TimeScaler())
    }

    @Test("Equal input gives equal output")
    func repeats() {
        let input = noise(peak: 20_000, count: 19_200, seed: 9)
        var first = TimeScaler()
        var second = TimeScaler()
        let counts: (Int) -> Int = { $0 % 3 == 0 ? 1_104 : 820 }
        let left = scale(input, with: &first, counts: counts)
        #expect(scale(input, with: &second, counts: counts) == left)
        #expect(first == second)
    }
}
