internal import KodamaSimulation

/// Rain on ground, leaves and a hood.
///
/// A hiss of drops too many to tell apart, which swells a little; four hundred drops a second that
/// tick one by one, most of them faint; and some that strike the hood over the microphone.
enum RainNoise {
    static func paint(on canvas: inout NoiseCanvas) {
        paintHiss(on: &canvas)
        paintDrops(perSecond: 400, hertz: 1_500...9_000, decay: 0.0004...0.002, 1, on: &canvas)
        paintDrops(perSecond: 14, hertz: 240...900, decay: 0.004...0.014, 2.5, on: &canvas)
    }

    private static func paintHiss(on canvas: inout NoiseCanvas) {
        var bright = StateVariableFilter(hertz: 9_000, quality: 0.5)
        var dull = StateVariableFilter(hertz: 350, quality: 0.5)
        var swell = WanderingValue(at: 0, seconds: 2)
        for index in 0..<canvas.count {
            if index % WanderingValue.stepSamples == 0 { swell.step(canvas.random.deviate()) }
            let hiss = bright.lowPass(canvas.random.deviate())
            canvas.add((hiss - dull.lowPass(hiss)) * max(0.5, 1 + 0.12 * swell.value), at: index)
        }
    }

    /// Drops that fall independently of each other.
    private static func paintDrops(
        perSecond: Double,
        hertz: ClosedRange<Double>,
        decay: ClosedRange<Double>,
        _ force: Double,
        on canvas: inout NoiseCanvas
    ) {
        let meanNanoseconds = Int64(1e9 / perSecond)
        var nanoseconds: Int64 = 0
        while true {
            nanoseconds += canvas.random.exponential(meanNanoseconds: meanNanoseconds)
            let index = NoiseCanvas.samples(in: Double(nanoseconds) * 1e-9)
            guard index < canvas.count else { return }
            // Few large ones: from 0.3 up to 3.3, half of them below 0.6.
            let size = 0.33 / (0.1 + canvas.random.number(0...1))
            canvas.ring(
                at: index,
                hertz: canvas.random.number(hertz),
                decay: canvas.random.number(decay),
                peak: size * force
            )
        }
    }
}
