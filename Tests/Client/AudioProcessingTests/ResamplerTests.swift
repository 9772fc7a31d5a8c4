import AudioProcessing
import Testing

@Suite("Resampler")
struct ResamplerTests {
    private func convert(
        _ input: [Int16],
        _ conversion: Resampler.Conversion,
        pieces: [Int] = []
    ) -> [Int16] {
        var resampler = Resampler(conversion)
        let count =
            conversion == .from16To48Kilohertz ? input.count * 3 : input.count / 3
        var output = [Int16](repeating: 0, count: count)
        input.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                var done = 0
                for piece in pieces + [input.count - pieces.reduce(0, +)] {
                    let from = done * output.count / input.count
                    let until = (done + piece) * output.count / input.count
                    resampler.process(
                        UnsafeBufferPointer(rebasing: input[done..<done + piece]),
                        into: UnsafeMutableBufferPointer(rebasing: output[from..<until])
                    )
                    done += piece
                }
            }
        }
        return output
    }

    /// The gain of a tone through a conversion, measured away from the edges.
    private func gain(_ hertz: Double, _ conversion: Resampler.Conversion) -> Double {
        let goesUp = conversion == .from16To48Kilohertz
        let input = tone(
            hertz: hertz,
            peak: 20_000,
            sampleRate: goesUp ? 16_000 : 48_000,
            count: goesUp ? 1_600 : 4_800
        )
        let output = convert(input, conversion)
        return rootMeanSquare(output[(output.count / 4)..<(output.count * 3 / 4)])
            / rootMeanSquare(input[(input.count / 4)..<(input.count * 3 / 4)])
    }

    @Test(
        "Both directions pass 50 Hz to 7 kHz within 0.3 dB",
        arguments: Resampler.Conversion.allCases
    )
    func passband(conversion: Resampler.Conversion) {
        for hertz in [50.0, 300, 1_000, 3_400, 5_000, 6_000, 6_500, 7_000] {
            let gain = gain(hertz, conversion)
            // ±0.3 dB.
            #expect(gain > 0.966 && gain < 1.035, "\(hertz) Hz: \(gain)")
        }
    }

    @Test("Going down stops what would fold back: 60 dB from 8.8 kHz on")
    func stopband() {
        for hertz in [8_800.0, 9_000, 10_000, 12_345, 15_000, 16_000, 20_000, 23_900] {
            let gain = gain(hertz, .from48To16Kilohertz)
            #expect(gain < 0.001, "\(hertz) Hz: \(gain)")
        }
    }

    @Test("Going up leaves no image: what is not the tone lies 60 dB below it")
    func images() {
        for hertz in [1_000.0, 4_000, 6_000, 7_000] {
            let output = convert(
                tone(hertz: hertz, peak: 20_000, sampleRate: 16_000, count: 1_600),
                .from16To48Kilohertz
            )
            // Whole periods only, so that the projection on sine and cosine takes the whole tone.
            let middle = output[1_200..<3_600]
            var (sines, cosines, total) = (0.0, 0.0, 0.0)
            for (index, sample) in middle.enumerated() {
                let turns = hertz * Double(index) / 48_000
                sines += Double(sample) * sine(turns: turns)
                cosines += Double(sample) * sine(turns: turns + 0.25)
                total += Double(sample) * Double(sample)
            }
            let toneEnergy = 2 * (sines * sines + cosines * cosines) / Double(middle.count)
            #expect((total - toneEnergy) / toneEnergy < 1e-6, "\(hertz) Hz")
        }
    }

    @Test("A constant passes exactly, also at full scale")
    func constant() {
        for value in [Int16.min, -12_345, -1, 0, 1, 777, .max] {
            for conversion in Resampler.Conversion.allCases {
                let output = convert([Int16](repeating: value, count: 960), conversion)
                #expect(output.dropFirst(100).allSatisfy { $0 == value })
            }
        }
    }

    @Test("The worst input of full scale clamps and does not wrap")
    func clamps() {
        for conversion in Resampler.Conversion.allCases {
            let goesUp = conversion == .from16To48Kilohertz
            let (count, middle) = (600, 300)
            var worst = [Int16](repeating: 0, count: count)
            let target = goesUp ? 3 * middle + 1 : middle / 3
            // Each sample at full scale, with the sign of its own weight in the target sample.
            for position in 0..<count {
                var impulse = [Int16](repeating: 0, count: count)
                impulse[position] = .max
                let weight = convert(impulse, conversion)[target]
                worst[position] = weight < 0 ? .min : (weight > 0 ? .max : 0)
            }
            #expect(worst.contains(.min) && worst.contains(.max))
            #expect(convert(worst, conversion)[target] == .max)
            #expect(convert(worst.map { ~$0 }, conversion)[target] == .min)
        }
    }

    @Test("How the stream is cut changes nothing")
    func pieces() {
        let input = noise(peak: 25_000, count: 6_000)
        for conversion in Resampler.Conversion.allCases {
            let whole = convert(input, conversion)
            #expect(convert(input, conversion, pieces: [3, 30, 960, 963, 3, 1_500]) == whole)
        }
    }

    @Test("The sound comes 1 ms later, as the group delay says")
    func delay() {
        for conversion in Resampler.Conversion.allCases {
            let goesUp = conversion == .from16To48Kilohertz
            var input = [Int16](repeating: 0, count: 600)
            input[300] = 30_000
            let output = convert(input, conversion)
            let peak = output.indices.max { output[$0] < output[$1] }
            let delay = Resampler(conversion).groupDelaySamples
            #expect(peak == (goesUp ? 900 : 100) + delay)
        }
    }

    @Test("There and back is the same sound, 2 ms later")
    func thereAndBack() {
        let input = tone(hertz: 1_234, peak: 15_000, sampleRate: 16_000, count: 3_200)
        let output = convert(convert(input, .from16To48Kilohertz), .from48To16Kilohertz)
        let worst = (200..<3_100).map { abs(Int(output[$0]) - Int(input[$0 - 32])) }.max() ?? .max
        #expect(worst <= 3)
    }
}
