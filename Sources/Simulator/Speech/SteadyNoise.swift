public import SansIO
internal import Simulation

/// A quiet, unchanging noise around a person, such as a microphone's own.
public struct SteadyNoise: Sendable, Equatable {
    /// How its energy lies over frequency.
    public enum Colour: Sendable, CaseIterable {
        /// The same at every frequency.
        case white
        /// Falling by 3 dB per octave.
        case pink
    }

    /// How its energy lies over frequency.
    public var colour: Colour
    /// How loud it is.
    public var level: AudioLevel

    /// Makes a noise.
    public init(_ colour: Colour, level: AudioLevel) {
        self.colour = colour
        self.level = level
    }

    /// The period after which the noise repeats; 2.7 s at 48 kHz.
    static let periodSamples = 1 << 17

    /// Draws one period.
    func samples(seed: UInt64, person: String) -> [Int16] {
        var random = RandomStream(seed: seed, purpose: "noise", entity: person)
        let raw = colour == .white ? Self.white(&random) : Self.pink(&random)
        let squares = raw.reduce(0.0) { $0 + Double($1) * Double($1) }
        let gain = (meanSquare * Double(raw.count) / squares).squareRoot()
        return raw.map { Int16(max(-32_768, min(32_767, (Double($0) * gain).rounded()))) }
    }

    /// The mean square of the level: 2^30 · 10^(−level/10).
    private var meanSquare: Double {
        var square = Double(1 << 30)
        for _ in 0..<level.decibelsBelowOverload {
            // 10^0.1
            square /= 1.258_925_411_794_167_2
        }
        return square
    }

    private static func white(_ random: inout RandomStream) -> [Int64] {
        (0..<periodSamples).map { _ in random.uniform(in: -20_000...20_000) }
    }

    /// The sum of 16 noises, each held twice as long as the one before (Voss and Clarke, 1978).
    private static func pink(_ random: inout RandomStream) -> [Int64] {
        var rows = (0..<16).map { _ in random.uniform(in: -20_000...20_000) }
        var sum = rows.reduce(0, +)
        return (0..<periodSamples).map { index in
            let row = min(15, (index + 1).trailingZeroBitCount)
            let drawn = random.uniform(in: -20_000...20_000)
            sum += drawn - rows[row]
            rows[row] = drawn
            return sum + random.uniform(in: -20_000...20_000)
        }
    }
}
