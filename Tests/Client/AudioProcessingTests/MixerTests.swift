import AudioProcessing
import Testing

@Suite("Mixer")
struct MixerTests {
    private func mix(_ frames: [[Int16]]) -> [Int16] {
        var mixer = Mixer()
        for frame in frames {
            frame.withUnsafeBufferPointer { mixer.add($0) }
        }
        var output = [Int16](repeating: 1, count: 960)
        output.withUnsafeMutableBufferPointer { mixer.drain(into: $0) }
        return output
    }

    @Test("One talker alone passes unchanged, however loud (S-AUD-002)")
    func alone() {
        let frame = noise(peak: 32_767, count: 960)
        #expect(mix([frame]) == frame)
    }

    @Test("Nobody gives silence")
    func nobody() {
        #expect(mix([]) == [Int16](repeating: 0, count: 960))
    }

    @Test("Quiet talkers add up exactly")
    func adds() {
        let frames = (1...6).map { noise(peak: 4_000, count: 960, seed: $0) }
        let expected = (0..<960).map { index in frames.reduce(Int16(0)) { $0 + $1[index] } }
        #expect(mix(frames) == expected)
    }

    @Test("The order of the talkers does not matter (A-F-004)")
    func order() {
        let frames = (1...6).map { noise(peak: 30_000, count: 960, seed: $0) }
        let forward = mix(frames)
        #expect(mix(frames.reversed()) == forward)
        #expect(mix(Array(frames[3...] + frames[..<3])) == forward)
    }

    @Test("Loud talkers saturate smoothly: never past full scale, never falling")
    func saturates() {
        let ramp = (0..<960).map { Int16(-32_640 + 68 * $0) }
        let mixed = mix([[Int16]](repeating: ramp, count: 6))
        let steps = zip(mixed, mixed.dropFirst()).map { Int($1) - Int($0) }
        #expect(steps.allSatisfy { (0...6 * 68).contains($0) })
        #expect(mixed[0] < -31_000 && mixed[959] > 31_000)
        #expect(mixed[480] == 0)
    }

    @Test("The curve is odd: turning every sample over turns the mix over")
    func odd() {
        let frames = (1...4).map { noise(peak: 32_767, count: 960, seed: $0) }
        let turned = frames.map { $0.map { -$0 } }
        #expect(mix(turned) == mix(frames).map { -$0 })
    }

    @Test("A drained mixer starts over")
    func startsOver() {
        var mixer = Mixer(samplesPerFrame: 4)
        var output = [Int16](repeating: 0, count: 4)
        for _ in 0..<3 {
            for frame in [[Int16](repeating: 20_000, count: 4), [10_000, -10_000, 1, -20_000]] {
                frame.withUnsafeBufferPointer { mixer.add($0) }
            }
            output.withUnsafeMutableBufferPointer { mixer.drain(into: $0) }
            #expect(output == [27_839, 10_000, 20_001, 0])
        }
        #expect(mixer == Mixer(samplesPerFrame: 4))
    }
}
