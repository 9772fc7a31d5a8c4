internal import KodamaSimulation

/// Somebody walks on gravel with poles, the phone on the body.
///
/// 105 to 120 steps a minute, unlike from step to step and from left to right. Each has a heel that
/// thuds, stones that grate under it, a toe that scrapes off, and a pole's tip that rings.
enum StepNoise {
    static func paint(on canvas: inout NoiseCanvas) {
        let pace = canvas.random.number(0.50...0.57)
        var time = canvas.random.number(0...pace)
        var isLeft = true
        while NoiseCanvas.samples(in: time) < canvas.count {
            paintHeel(at: time, isLeft, on: &canvas)
            paintStones(canvas.random.number(20...45), at: time, over: 0.11, on: &canvas)
            let toe = time + pace * canvas.random.number(0.32...0.42)
            paintStones(canvas.random.number(4...14), at: toe, over: 0.07, on: &canvas)
            paintPole(at: time + canvas.random.number(0.01...0.09), on: &canvas)
            time += pace * canvas.random.number(0.96...1.04)
            isLeft.toggle()
        }
        // Cloth that rubs, 40 dB below a heel.
        for index in 0..<canvas.count {
            canvas.add(0.01 * canvas.random.deviate(), at: index)
        }
    }

    private static func paintHeel(at time: Double, _ isLeft: Bool, on canvas: inout NoiseCanvas) {
        canvas.burst(
            at: NoiseCanvas.samples(in: time),
            hertz: isLeft ? canvas.random.number(90...120) : canvas.random.number(110...150),
            quality: 0.8,
            decay: canvas.random.number(0.018...0.032),
            power: canvas.random.number(0.5...1.6)
        )
    }

    /// Stones that knock together, most of them at once, fewer and fewer towards the end.
    private static func paintStones(
        _ count: Double,
        at time: Double,
        over seconds: Double,
        on canvas: inout NoiseCanvas
    ) {
        for _ in 0..<Int(count) {
            let share = canvas.random.number(0...1)
            canvas.ring(
                at: NoiseCanvas.samples(in: time + share * share * seconds),
                hertz: canvas.random.number(700...5_500),
                decay: canvas.random.number(0.0008...0.005),
                peak: canvas.random.number(0.05...0.7) * (1.2 - share)
            )
        }
    }

    private static func paintPole(at time: Double, on canvas: inout NoiseCanvas) {
        let index = NoiseCanvas.samples(in: time)
        let force = canvas.random.number(0.3...1)
        canvas.ring(
            at: index,
            hertz: canvas.random.number(2_300...4_300),
            decay: canvas.random.number(0.006...0.014),
            peak: 0.8 * force
        )
        canvas.ring(
            at: index,
            hertz: canvas.random.number(380...720),
            decay: canvas.random.number(0.008...0.015),
            peak: 1.2 * force
        )
    }
}
