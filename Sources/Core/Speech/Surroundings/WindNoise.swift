internal import KodamaSimulation

/// Wind over a microphone: rumble in gusts, a rush above it, and buffets.
///
/// A wind speed wanders around 1 on two scales, gusts of seconds and flutter of a third of a second.
/// What the microphone hears is pressure, which goes with the square of the speed (Bernoulli). Most
/// of it lies below 100 Hz; in strong gusts eddies tear at the microphone and reach up to 1 kHz.
enum WindNoise {
    static func paint(on canvas: inout NoiseCanvas) {
        let speeds = speeds(canvas.count / WanderingValue.stepSamples + 2, &canvas.random)
        paintRumble(speeds, on: &canvas)
        paintBuffets(speeds, on: &canvas)
    }

    /// The wind's speed, `WanderingValue.stepsPerSecond` times a second.
    private static func speeds(_ count: Int, _ random: inout RandomStream) -> [Double] {
        var gust = WanderingValue(at: random.deviate(), seconds: 3)
        var flutter = WanderingValue(at: random.deviate(), seconds: 0.35)
        return (0..<count).map { _ in
            gust.step(random.deviate())
            flutter.step(random.deviate())
            return max(0.4, 1 + 0.28 * gust.value + 0.16 * flutter.value)
        }
    }

    private static func paintRumble(_ speeds: [Double], on canvas: inout NoiseCanvas) {
        var deep = StateVariableFilter(hertz: 55, quality: 0.5)
        var rush = StateVariableFilter(hertz: 350, quality: 0.6)
        // What lies lower, a telephone's microphone hardly hears.
        var infrasound = StateVariableFilter(hertz: 25, quality: 0.7)
        for index in 0..<canvas.count {
            let place = index / WanderingValue.stepSamples
            let rest = index % WanderingValue.stepSamples
            let speed =
                speeds[place]
                + (speeds[place + 1] - speeds[place]) * Double(rest)
                / Double(WanderingValue.stepSamples)
            if rest == 0 { rush.tune(to: 200 + 200 * speed) }
            let rumble = deep.lowPass(canvas.random.deviate())
            let heard = 4 * (rumble - infrasound.lowPass(rumble))
            let hiss = 0.2 * speed * rush.lowPass(canvas.random.deviate())
            canvas.add((heard + hiss) * speed * speed, at: index)
        }
    }

    /// About two buffets a second, more and harder ones in gusts.
    private static func paintBuffets(_ speeds: [Double], on canvas: inout NoiseCanvas) {
        for (place, speed) in speeds.enumerated() {
            let chance = 2 * speed * speed / WanderingValue.stepsPerSecond
            guard canvas.random.number(0...1) < chance else { continue }
            canvas.burst(
                at: place * WanderingValue.stepSamples,
                hertz: canvas.random.number(70...380),
                quality: 0.5,
                decay: canvas.random.number(0.03...0.12),
                power: canvas.random.number(0.01...0.12) * speed * speed * speed * speed
            )
        }
    }
}
