internal import KodamaSimulation

/// Noise that does not change: white and pink.
enum SteadyNoise {
    /// The same energy at every frequency.
    static func paintWhite(on canvas: inout NoiseCanvas) {
        for index in 0..<canvas.count {
            canvas.add(canvas.random.deviate(), at: index)
        }
    }

    /// Energy that falls by 3 dB per octave: 16 noises, each held twice as long as the one before
    /// (Voss and Clarke, JASA 63, 1978), and one that is not held.
    static func paintPink(on canvas: inout NoiseCanvas) {
        var rows = (0..<16).map { _ in canvas.random.deviate() }
        var sum = rows.reduce(0, +)
        for index in 0..<canvas.count {
            let row = min(15, (index + 1).trailingZeroBitCount)
            let drawn = canvas.random.deviate()
            sum += drawn - rows[row]
            rows[row] = drawn
            canvas.add(sum + canvas.random.deviate(), at: index)
        }
    }
}
