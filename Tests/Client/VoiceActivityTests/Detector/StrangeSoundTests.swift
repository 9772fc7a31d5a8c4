import Foundation
import SansIO
import SansIOTesting
import Testing
import VoiceActivity

/// What the detector makes of sounds that are no scene: each has a defined answer.
@Suite("Strange sounds")
struct StrangeSoundTests {
    @Test("Clicks, one or a hundred, open no gate", arguments: [2.0, 0.25])
    func clicks(everySeconds: Double) {
        var sound = SyntheticSound(.hertz16000, seconds: 8)
        sound.addWhite(-70)
        for second in stride(from: 0.5, to: 7.9, by: everySeconds) {
            let place = Int(second * 16_000)
            for offset in 0..<8 {
                sound.samples[place + offset] += offset % 2 == 0 ? 20_000 : -20_000
            }
        }
        #expect(sound.report().frames.allSatisfy { !$0.state.isSending })
    }

    @Test("Taps on the telephone, 20 ms of a struck body twice a second, open no gate")
    func taps() {
        var sound = SyntheticSound(.hertz48000, seconds: 8)
        sound.addWhite(-70)
        for second in stride(from: 0.5, to: 7.9, by: 0.5) {
            let place = Int(second * 48_000)
            for offset in 0..<2_880 {
                let time = Double(offset) / 48_000
                sound.samples[place + offset] +=
                    15_000 * exp(-time / 0.008) * sin(2 * .pi * 320 * time)
            }
        }
        #expect(sound.report().frames.allSatisfy { !$0.state.isSending })
    }

    @Test("DC, and a jump to it and back, open no gate", arguments: SampleRate.allCases)
    func directCurrent(rate: SampleRate) {
        var sound = SyntheticSound(rate, seconds: 6)
        for index in sound.samples.indices where (2..<4).contains(index / rate.rawValue) {
            sound.samples[index] = -20_000
        }
        #expect(sound.report().frames.allSatisfy { !$0.state.isSending })
    }

    @Test(
        "DC without any noise is no speech from its second frame on",
        arguments: [1.0, 100, -1_000, 10_000, 32_767],
        SampleRate.allCases
    )
    func bareDirectCurrent(sample: Double, rate: SampleRate) {
        var sound = SyntheticSound(rate, seconds: 4)
        for index in sound.samples.indices { sound.samples[index] = sample }
        #expect(sound.decisions().dropFirst().allSatisfy { $0.score == 0 })
    }

    @Test("A full-scale square wave is no speech after 1 s, and speech after it is heard")
    func clippedTone() {
        var sound = SyntheticSound(.hertz16000, seconds: 12)
        sound.addWhite(-60)
        for index in sound.samples.indices.prefix(16_000 * 6) {
            sound.samples[index] = index / 8 % 2 == 0 ? 40_000 : -40_000
        }
        sound.addVoice(-26, from: 8, to: 10)
        let decisions = sound.decisions()
        #expect(decisions[10].level.decibelsBelowOverload == 0)
        #expect(decisions[50..<300].count(where: \.isSpeech) <= 5)
        #expect(decisions[402..<500].count(where: \.isSpeech) >= 92)
    }

    @Test("A voice clipped hard at full scale is still speech")
    func clippedVoice() {
        var sound = SyntheticSound(.hertz48000, seconds: 5)
        sound.addWhite(-60)
        sound.addVoice(6, from: 1.5, to: 3.5)
        let speech = sound.decisions().map(\.isSpeech)
        #expect(speech[..<74].allSatisfy { !$0 })
        #expect(speech[78..<174].count(where: { $0 }) >= 90)
        #expect(speech[195...].allSatisfy { !$0 })
    }

    @Test("The same sound at 16 and 48 kHz is judged alike")
    func rates() {
        var sound = SyntheticSound(.hertz16000, seconds: 8)
        sound.addPink(-40)
        for second in [1.0, 3.5, 6] {
            sound.addVoice(-26, from: second, to: second + 1.5, seed: UInt64(second))
        }
        let (low, high) = (sound.decisions(), sound.tripled().decisions())
        let agreeing = zip(low, high).count { $0.isSpeech == $1.isSpeech }
        #expect(agreeing >= low.count * 97 / 100)
        let apart = zip(low, high).reduce(0) { $0 + abs(Int($1.0.score) - Int($1.1.score)) }
        #expect(apart <= 40 * low.count)
        #expect(low.contains(where: \.isSpeech) && !low.allSatisfy(\.isSpeech))
    }
}

extension SyntheticSound {
    /// The same sound at three times the rate: a windowed sinc of 24 lobes through its samples.
    fileprivate func tripled() -> SyntheticSound {
        var high = SyntheticSound(.hertz48000, seconds: Double(samples.count) / 16_000)
        let reach = 12
        for phase in 0..<3 {
            let weights = (-reach..<reach).map { tap -> Double in
                let distance = Double(tap) + 1 - Double(phase) / 3
                let window = 0.5 + 0.5 * cos(.pi * distance / Double(reach + 1))
                return distance == 0 ? 1 : window * sin(.pi * distance) / (.pi * distance)
            }
            for index in samples.indices.dropFirst(reach).dropLast(reach) {
                var sum = 0.0
                for (place, weight) in weights.enumerated() {
                    sum += weight * samples[index + place - reach + 1]
                }
                high.samples[3 * index + phase] = sum
            }
        }
        return high
    }
}
