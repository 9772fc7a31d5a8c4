/// A filter of second order that gives low pass and band pass, without trigonometric functions.
///
/// The trapezoidal form of A. Simper ("Linear Trapezoidal Integrated State Variable Filter", Cytomic
/// 2013), which stays sound when the frequency moves while it runs.
struct StateVariableFilter {
    private let quality: Double
    private var gains = (0.0, 0.0, 0.0)
    private var first = 0.0
    private var second = 0.0

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - hertz: The corner or the middle; at most 12 kHz at 48 kHz.
    ///   - quality: 0.707 for the flattest low pass; the middle over the width for a band pass.
    init(hertz: Double, quality: Double) {
        self.quality = quality
        tune(to: hertz)
    }

    /// Moves the corner or the middle.
    mutating func tune(to hertz: Double) {
        // tan x ≈ x (15 − x²) / (15 − 6 x²), within 2 · 10⁻³ up to π/4.
        let angle = Double.pi * hertz / NoiseCanvas.rate
        let square = angle * angle
        let tangent = angle * (15 - square) / (15 - 6 * square)
        let whole = 1 / (1 + tangent * (tangent + 1 / quality))
        gains = (whole, tangent * whole, tangent * tangent * whole)
    }

    /// What lies below the corner.
    mutating func lowPass(_ input: Double) -> Double {
        step(input).low
    }

    /// What lies around the middle, there with a gain of 1.
    mutating func bandPass(_ input: Double) -> Double {
        step(input).band / quality
    }

    private mutating func step(_ input: Double) -> (band: Double, low: Double) {
        let rest = input - second
        let band = gains.0 * first + gains.1 * rest
        let low = second + gains.1 * first + gains.2 * rest
        first = 2 * band - first
        second = 2 * low - second
        return (band, low)
    }
}

/// A value that wanders around 0 with a deviation of 1, and forgets within some seconds.
///
/// An Ornstein–Uhlenbeck process, stepped `stepsPerSecond` times a second.
struct WanderingValue {
    static let stepSamples = 64
    static let stepsPerSecond = NoiseCanvas.rate / Double(stepSamples)

    private(set) var value: Double
    private let forgetting: Double
    private let spread: Double

    /// Starts at `value`, to be forgotten within `seconds`.
    init(at value: Double, seconds: Double) {
        self.value = value
        forgetting = 1 / (seconds * Self.stepsPerSecond)
        spread = (2 * forgetting).squareRoot()
    }

    /// Goes on by one step, moved by a draw of variance 1.
    mutating func step(_ draw: Double) {
        value += spread * draw - forgetting * value
    }
}
