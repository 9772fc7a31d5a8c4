import Foundation

/// A WAV file that a test puts together byte by byte.
struct Recording {
    var rateHertz = 16_000
    var channels = 1
    var bits = 16
    var coding = 1
    var samples: [Int16] = []
    /// The size that the file claims for its sound; the true one if `nil`.
    var claimedBytes: Int?

    /// A square wave of 200 Hz.
    static func tone(sampleCount: Int, rateHertz: Int = 16_000) -> Recording {
        let half = rateHertz / 400
        let samples = (0..<sampleCount).map { Int16($0 / half % 2 == 0 ? 4_000 : -4_000) }
        return Recording(rateHertz: rateHertz, samples: samples)
    }

    /// Seconds of near-silence, of a voice-like buzz in syllables, and of near-silence again; but for
    /// the near-silence the same sound at every rate.
    static func talk(rateHertz: Int) -> Recording {
        var samples: [Int16] = []
        var noise: UInt32 = 1
        var formants = [Resonance(700, rateHertz), Resonance(1_200, rateHertz)]
        for index in 0..<4 * rateHertz {
            noise = noise &* 1_664_525 &+ 1_013_904_223
            let hiss = Int(noise >> 28) - 8
            let talks =
                (rateHertz..<3 * rateHertz).contains(index) && index * 5 / rateHertz % 2 == 0
            // A pulse every 8 ms, of the same area at every rate, rings in two resonances.
            var sound = talks && index % (rateHertz / 125) == 0 ? Double(2 * rateHertz) : 0
            for place in formants.indices { sound = formants[place].filter(sound) }
            samples.append(Int16(clamping: Int(sound) + hiss))
        }
        return Recording(rateHertz: rateHertz, samples: samples)
    }

    /// Rings at a frequency for some milliseconds; 100 Hz wide.
    private struct Resonance {
        private let near: Double
        private let far: Double
        private var past = (0.0, 0.0)

        init(_ hertz: Double, _ rateHertz: Int) {
            let radius = exp(-Double.pi * 100 / Double(rateHertz))
            near = 2 * radius * cos(2 * .pi * hertz / Double(rateHertz))
            far = -radius * radius
        }

        mutating func filter(_ input: Double) -> Double {
            let output = input * (1 - near - far) + near * past.0 + far * past.1
            past = (output, past.0)
            return output
        }
    }

    /// The file's bytes.
    var data: Data {
        var bytes = Data("RIFF".utf8)
        func number(_ value: Int, _ count: Int) -> Data {
            Data((0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
        }
        let sound = samples.reduce(into: Data()) {
            $0.append(number(Int($1), 2))
        }
        bytes += number(36 + sound.count, 4) + Data("WAVEfmt ".utf8) + number(16, 4)
        bytes += number(coding, 2) + number(channels, 2) + number(rateHertz, 4)
        bytes += number(rateHertz * channels * bits / 8, 4) + number(channels * bits / 8, 2)
        bytes += number(bits, 2) + Data("data".utf8) + number(claimedBytes ?? sound.count, 4)
        return bytes + sound
    }
}
