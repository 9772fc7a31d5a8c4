import Foundation
import SansIOTesting
import Testing
import VoiceActivity

/// A voice through whatever microphone, at whatever level: drawn from a seed.
@Suite("Robustness")
struct RobustnessTests {
    @Test(
        "A voice is heard at any level, through any tilt of the microphone, in any steady noise",
        arguments: 0..<24 as Range<UInt64>
    )
    func voice(seed: UInt64) {
        var random = LawRandom(seed: seed &+ 1_000)
        func number(_ low: Double, _ high: Double) -> Double {
            low + (high - low) * Double(random.below(10_001)) / 10_000
        }
        let rate: SampleRate = random.below(2) == 0 ? .hertz16000 : .hertz48000
        let level = number(-46, -12)
        let signalToNoise = number(15, 35)
        var sound = SyntheticSound(rate, seconds: 6)
        sound.addVoice(level, from: 2, to: 4, seed: seed)
        sound.tilt(by: number(-8, 8))
        if random.below(2) == 0 {
            sound.addWhite(level - signalToNoise, seed: seed &+ 1)
        } else {
            sound.addPink(level - signalToNoise, seed: seed &+ 1)
        }
        let frames = sound.report().frames
        let heard = frames[100..<200].count { $0.decision.isSpeech }
        #expect(heard >= 85, "at \(level) dBov, \(signalToNoise) dB over the noise")
        // The pre-roll of 200 ms still holds the beginning.
        #expect(frames[100..<110].contains { $0.state.isSending })
        #expect(frames[25..<100].count { $0.decision.isSpeech } <= 6)
        #expect(frames[220...].count { $0.decision.isSpeech } <= 4)
    }
}

extension SyntheticSound {
    /// Makes what lies well above 1 kHz louder by so many dB than what lies well below.
    fileprivate mutating func tilt(by decibels: Double) {
        let share = 1 - exp(-2 * Double.pi * 1_000 / Double(sampleRate.rawValue))
        let (dull, bright) = (pow(10, -decibels / 40), pow(10, decibels / 40))
        var low = 0.0
        for index in samples.indices {
            low += share * (samples[index] - low)
            samples[index] = dull * low + bright * (samples[index] - low)
        }
    }
}
