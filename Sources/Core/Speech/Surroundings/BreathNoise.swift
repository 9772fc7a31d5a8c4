internal import KodamaSimulation

/// Somebody climbs and breathes hard into the microphone.
///
/// About 26 breaths a minute. In and out are noise through the hollows of the mouth: thin and sharp
/// on the way in, low and loud on the way out, where now and then air strikes the microphone.
enum BreathNoise {
    static func paint(on canvas: inout NoiseCanvas) {
        var time = canvas.random.number(0...1)
        while NoiseCanvas.samples(in: time) < canvas.count {
            let seconds = canvas.random.number(0.65...0.95)
            paintStream(.inhaled(&canvas.random), at: time, for: seconds, on: &canvas)
            time += seconds + canvas.random.number(0.05...0.15)

            let way = canvas.random.number(0.75...1.15)
            paintStream(.exhaled(&canvas.random), at: time, for: way, on: &canvas)
            if canvas.random.number(0...1) < 0.4 {
                canvas.burst(
                    at: NoiseCanvas.samples(in: time + 0.05),
                    hertz: canvas.random.number(60...110),
                    quality: 0.6,
                    decay: canvas.random.number(0.05...0.1),
                    power: canvas.random.number(0.02...0.3)
                )
            }
            time += way + canvas.random.number(0.1...0.4)
        }
        // Between two breaths it is not silent: cloth that rubs.
        for index in 0..<canvas.count {
            canvas.add(0.01 * canvas.random.deviate(), at: index)
        }
    }

    /// What air sounds like on its way: two hollows, a hiss, and when it flows fastest.
    private struct Stream {
        var throat: StateVariableFilter
        var mouth: StateVariableFilter
        var teeth: StateVariableFilter
        var gains: (throat: Double, mouth: Double, teeth: Double)
        /// When the flow is strongest, as a share of the breath.
        var crest: Double

        static func inhaled(_ random: inout RandomStream) -> Stream {
            Stream(
                throat: StateVariableFilter(hertz: random.number(700...1_100), quality: 1.3),
                mouth: StateVariableFilter(hertz: random.number(1_900...2_700), quality: 2),
                teeth: StateVariableFilter(hertz: random.number(4_000...6_500), quality: 0.8),
                gains: (random.number(0.6...1), random.number(0.6...1), random.number(0.15...0.35)),
                crest: random.number(0.45...0.65)
            )
        }

        static func exhaled(_ random: inout RandomStream) -> Stream {
            Stream(
                throat: StateVariableFilter(hertz: random.number(380...650), quality: 1),
                mouth: StateVariableFilter(hertz: random.number(1_300...1_900), quality: 1.8),
                teeth: StateVariableFilter(hertz: random.number(3_000...5_000), quality: 0.7),
                gains: (random.number(1.8...2.6), random.number(0.5...1), random.number(0.1...0.2)),
                crest: random.number(0.15...0.3)
            )
        }
    }

    private static func paintStream(
        _ stream: Stream,
        at time: Double,
        for seconds: Double,
        on canvas: inout NoiseCanvas
    ) {
        var stream = stream
        // The flow is not smooth: it flutters some 15 times a second.
        var flutter = WanderingValue(at: 0, seconds: 0.03)
        let start = NoiseCanvas.samples(in: time)
        let count = NoiseCanvas.samples(in: seconds)
        for offset in 0..<count {
            if offset % WanderingValue.stepSamples == 0 { flutter.step(canvas.random.deviate()) }
            let air = canvas.random.deviate()
            let sound =
                stream.throat.bandPass(air) * stream.gains.throat
                + stream.mouth.bandPass(air) * stream.gains.mouth
                + stream.teeth.bandPass(air) * stream.gains.teeth
            let flow = flow(Double(offset) / Double(count), crest: stream.crest)
            let unsteady = max(0.2, 1 + 0.2 * flutter.value)
            canvas.add(sound * flow * flow.squareRoot() * unsteady, at: start + offset)
        }
    }

    /// A swell from 0 to 1 at the crest, and a fall to 0, both smooth.
    private static func flow(_ share: Double, crest: Double) -> Double {
        let part = share < crest ? share / crest : (1 - share) / (1 - crest)
        return part * part * (3 - 2 * part)
    }
}
