import Foundation
import SansIOTesting
import VoiceActivity

/// Sound for tests, made from nothing: a formant voice, noises, tones; 16-bit full scale is 32,767.
struct SyntheticSound {
    var sampleRate: SampleRate
    var samples: [Double]

    /// Silence.
    init(_ sampleRate: SampleRate, seconds: Double) {
        self.sampleRate = sampleRate
        samples = [Double](repeating: 0, count: Int(seconds * Double(sampleRate.rawValue)))
    }

    /// The samples as a microphone delivers them, clipped at full scale.
    var pcm: [Int16] {
        samples.map { Int16(max(-32_768, min(32_767, $0.rounded()))) }
    }

    /// Adds white noise of a level in dBov from a moment on.
    mutating func addWhite(_ level: Double, from start: Double = 0, seed: UInt64 = 1) {
        var random = LawRandom(seed: seed)
        let deviation = 32_767 * pow(10, level / 20)
        for index in place(start)..<samples.count {
            samples[index] += deviation * random.normal()
        }
    }

    /// Adds pink noise of a level in dBov from a moment on, −3 dB per octave within 0.5 dB (Kellet's filter).
    mutating func addPink(_ level: Double, from start: Double = 0, seed: UInt64 = 1) {
        var random = LawRandom(seed: seed)
        let poles = [0.99886, 0.99332, 0.96900, 0.86650, 0.55000, -0.7616]
        let gains = [0.0555179, 0.0750759, 0.1538520, 0.3104856, 0.5329522, -0.0168980]
        var state = [Double](repeating: 0, count: 6)
        var noise = samples.map { _ in
            let white = random.normal()
            for pole in 0..<6 {
                state[pole] = poles[pole] * state[pole] + gains[pole] * white
            }
            return state.reduce(0, +) + 0.5362 * white
        }
        let rms = (noise.reduce(0) { $0 + $1 * $1 } / Double(noise.count)).squareRoot()
        noise = noise.map { $0 / rms * 32_767 * pow(10, level / 20) }
        for index in place(start)..<samples.count {
            samples[index] += noise[index]
        }
    }

    /// Adds a voice of a level in dBov: pulses at a gliding pitch through three formants, four
    /// syllables a second of changing vowels, with a hiss between them.
    mutating func addVoice(_ level: Double, from start: Double, to end: Double, seed: UInt64 = 1) {
        let rate = Double(sampleRate.rawValue)
        var random = LawRandom(seed: seed)
        let vowels: [[Double]] = [[700, 1220, 2600], [390, 1990, 2550], [300, 870, 2240]]
        var voice: [Double] = []
        while voice.count < Int((end - start) * rate) {
            let vowel = vowels[random.below(3)]
            voice += hiss(seconds: 0.06, random: &random)
            voice += syllable(vowel, seconds: 0.19, pitch: Double(100 + random.below(80)))
        }
        voice = Array(voice.prefix(Int((end - start) * rate)))
        let rms = (voice.reduce(0) { $0 + $1 * $1 } / Double(voice.count)).squareRoot()
        for (offset, sample) in voice.enumerated() {
            samples[place(start) + offset] += sample / rms * 32_767 * pow(10, level / 20)
        }
    }

    /// What a detector says about each whole frame.
    func decisions(
        _ configuration: SpeechDetectorConfiguration = .init()
    ) -> [SpeechDecision] {
        var detector = SpeechDetector(configuration: configuration, sampleRate: sampleRate)
        return frames.map { detector.decide($0) }
    }

    /// The whole frames.
    var frames: [[Int16]] {
        let (pcm, length) = (pcm, sampleRate.samplesPerFrame)
        return stride(from: 0, through: pcm.count - length, by: length).map {
            Array(pcm[$0..<$0 + length])
        }
    }

    private func place(_ seconds: Double) -> Int {
        Int(seconds * Double(sampleRate.rawValue))
    }

    private func hiss(seconds: Double, random: inout LawRandom) -> [Double] {
        (0..<place(seconds)).map { _ in 0.15 * random.normal() }
    }

    private func syllable(_ formants: [Double], seconds: Double, pitch: Double) -> [Double] {
        let rate = Double(sampleRate.rawValue)
        let count = place(seconds)
        var output = [Double](repeating: 0, count: count)
        var phase = 1.0
        for index in 0..<count {
            phase += pitch * (1 + 0.2 * Double(index) / Double(count)) / rate
            guard phase >= 1 else { continue }
            phase -= 1
            output[index] = rate / 4000
        }
        for formant in formants {
            let radius = exp(-Double.pi * 90 / rate)
            let (one, two) = (2 * radius * cos(2 * .pi * formant / rate), -radius * radius)
            var (last, older) = (0.0, 0.0)
            for index in 0..<count {
                let value = output[index] * (1 - one - two) + one * last + two * older
                (output[index], last, older) = (value, value, last)
            }
        }
        let peak = output.reduce(0) { max($0, abs($1)) }
        return output.enumerated().map { index, value in
            value / peak * 3 * sin(.pi * Double(index) / Double(count))
        }
    }
}

extension SpeechDetector {
    /// Decides a frame that lies in an array.
    mutating func decide(_ frame: [Int16]) -> SpeechDecision {
        frame.withUnsafeBufferPointer { decide($0) }
    }
}

extension LawRandom {
    /// A number of mean 0 and variance 1: the sum of four uniform ones, made of the bits of one draw.
    mutating func normal() -> Double {
        let bits = next()
        let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + bits >> 48
        // Four uniform numbers of 0 to 65,535: mean 131,070, deviation 65,536/√3.
        return (Double(sum) - 131_070) / 37_837.23
    }
}
