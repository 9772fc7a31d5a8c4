import Foundation
import SansIOTesting
import Testing

@testable import VoiceActivity

@Suite("Spectrum")
struct SpectrumTests {
    @Test("The transform is the discrete Fourier transform by its definition")
    func transform() {
        var random = LawRandom(seed: 7)
        var real = (0..<256).map { _ in Float(random.normal()) }
        var imaginary = (0..<256).map { _ in Float(random.normal()) }
        let (realBefore, imaginaryBefore) = (real, imaginary)
        var scratch = [Float](repeating: 0, count: 512)
        FourierTransform.transform(real: &real, imaginary: &imaginary, scratch: &scratch)
        for bin in 0..<256 {
            var (sumR, sumI) = (0.0, 0.0)
            for index in 0..<256 {
                let angle = -2 * Double.pi * Double(bin * index % 256) / 256
                let (sampleR, sampleI) = (Double(realBefore[index]), Double(imaginaryBefore[index]))
                sumR += sampleR * cos(angle) - sampleI * sin(angle)
                sumI += sampleR * sin(angle) + sampleI * cos(angle)
            }
            #expect(abs(Double(real[bin]) - sumR) < 1e-4)
            #expect(abs(Double(imaginary[bin]) - sumI) < 1e-4)
        }
    }

    @Test("White noise has its variance in every band and in both halves of a frame")
    func whiteNoise() {
        var random = LawRandom(seed: 3)
        var (first, second) = ([Float](repeating: 0, count: 32), [Float](repeating: 0, count: 32))
        for _ in 0..<1000 {
            let samples = (0..<BandSpectrum.samplesPerCall).map { _ in
                Int16(100 * random.normal())
            }
            let powers = powers(of: samples)
            for band in 0..<32 {
                first[band] += powers.first[band] / 1000
                second[band] += powers.second[band] / 1000
            }
        }
        for band in 0..<32 {
            #expect(abs(first[band] / 10_000 - 1) < 0.12)
            #expect(abs(second[band] / 10_000 - 1) < 0.12)
        }
    }

    @Test("A tone in one half of a frame is in that half's spectrum and in its band")
    func toneInOneHalf() {
        let samples = (0..<BandSpectrum.samplesPerCall).map { index in
            index < 160 ? Int16(1000 * sin(2 * Double.pi * 1000 * Double(index) / 16_000)) : 0
        }
        let powers = powers(of: samples)
        let strongest = (0..<32).max { powers.first[$0] < powers.first[$1] }
        // Band 7 holds bins 16 and 17: 1,000 and 1,062.5 Hz.
        #expect(strongest == 7)
        #expect(powers.second[7] < 1e-10 * powers.first[7])
    }

    @Test("The scale of octaves is a logarithm to 0.09 octaves, rises with power and begins at 0")
    func octaves() {
        #expect(Octaves.of(0) == 0)
        var (power, before): (Float, Int16) = (1, 0)
        while power < 1e13 {
            let value = Octaves.of(power)
            #expect(abs(Double(value) / 256 - log2(Double(power) + 1)) < 0.091)
            #expect(value >= before)
            before = value
            power *= 1.013
        }
    }

    @Test("The decimator passes speech and stops what would fold back into it")
    func decimator() {
        #expect(abs(gain(at: 300)) < 0.1)
        #expect(abs(gain(at: 3_000)) < 0.1)
        #expect(abs(gain(at: 5_000)) < 0.3)
        #expect(gain(at: 10_000) < -45)
        #expect(gain(at: 14_000) < -45)
        #expect(gain(at: 20_000) < -45)
    }

    /// The gain of the decimator for a tone, in dB.
    private func gain(at frequency: Double) -> Double {
        var decimator = Decimator()
        var output = [Int16](repeating: 0, count: 320)
        var energy = 0.0
        for frame in 0..<10 {
            let pcm = (0..<960).map { index in
                Int16(20_000 * sin(2 * .pi * frequency * Double(960 * frame + index) / 48_000))
            }
            pcm.withUnsafeBufferPointer { decimator.decimate($0, into: &output, outputCount: 320) }
            if frame > 0 {
                energy += output.reduce(0) { $0 + Double($1) * Double($1) } / 9 / 320
            }
        }
        return 10 * log10(energy / (20_000 * 20_000 / 2))
    }

    private func powers(of samples: [Int16]) -> (first: [Float], second: [Float]) {
        var (first, second) = ([Float](repeating: 0, count: 32), [Float](repeating: 0, count: 32))
        BandSpectrum.analyze(samples, first: &first, second: &second)
        return (first, second)
    }
}
