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
        var spectrum = BandSpectrum()
        var (first, second) = (BandValues(), BandValues())
        for _ in 0..<1000 {
            let powers = spectrum.analyze { samples in
                for index in 0..<BandSpectrum.samplesPerFrame {
                    samples[index] = Float(100 * random.normal())
                }
            }
            for band in BandValues.bands {
                first[band] += powers.first[band] / 1000
                second[band] += powers.second[band] / 1000
            }
        }
        for band in BandValues.bands {
            #expect(abs(first[band] / 10_000 - 1) < 0.12)
            #expect(abs(second[band] / 10_000 - 1) < 0.12)
        }
    }

    @Test("A tone in one half of a frame is in that half's spectrum and in its band")
    func toneInOneHalf() {
        var spectrum = BandSpectrum()
        let powers = spectrum.analyze { samples in
            for index in 0..<BandSpectrum.samplesPerFrame {
                let isIn = index < 64
                samples[index] =
                    isIn ? Float(1000 * sin(2 * Double.pi * 1000 * Double(index) / 16_000)) : 0
            }
        }
        let strongest = BandValues.bands.max { powers.first[$0] < powers.first[$1] }
        // Band 7 holds bins 16 and 17: 1,000 and 1,062.5 Hz.
        #expect(strongest == 7)
        #expect(powers.second[7] < 1e-12 * powers.first[7])
    }

    @Test("The logarithm is right to 3e-5 over the range of powers")
    func logarithm() {
        var value: Float = 1
        while value < 1e13 {
            #expect(abs(Double(Logarithm.base2(value)) - log2(Double(value))) < 3e-5)
            value *= 1.013
        }
        #expect(Logarithm.base2(1) == 0)
        #expect(abs(Logarithm.base2(1e-9) + 29.897_353) < 3e-5)
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
        var output = [Float](repeating: 0, count: 320)
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
}
