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

    /// Seconds of near-silence, of a voice-like buzz in syllables, and of near-silence again.
    static func talk(rateHertz: Int) -> Recording {
        var samples: [Int16] = []
        var noise: UInt32 = 1
        var (near, far) = (0, 0)
        for index in 0..<4 * rateHertz {
            noise = noise &* 1_664_525 &+ 1_013_904_223
            let hiss = Int(noise >> 28) - 8
            let talks =
                (rateHertz..<3 * rateHertz).contains(index) && index * 5 / rateHertz % 2 == 0
            // A pulse every 8 ms rings in two resonances.
            let pulse = talks && index % (rateHertz / 125) == 0 ? 9_000 : 0
            let ring = pulse + near * 17 / 10 - far * 9 / 10
            (far, near) = (near, ring)
            samples.append(Int16(clamping: ring / 2 + hiss))
        }
        return Recording(rateHertz: rateHertz, samples: samples)
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
