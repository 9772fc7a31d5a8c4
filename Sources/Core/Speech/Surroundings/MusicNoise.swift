internal import KodamaSimulation

/// Music from a loudspeaker near the microphone: chords, a bass, a tune and drums.
///
/// Steady tones with overtones in a rhythm: to a detector the sound that is most like a voice and is none. The tempo,
/// 100 to 130 beats a minute, the sequence of chords and the instruments are this project's own.
enum MusicNoise {
    /// The seven tones of a major scale in just intonation, as ratios to the first.
    private static let scale = [1, 9.0 / 8, 5.0 / 4, 4.0 / 3, 3.0 / 2, 5.0 / 3, 15.0 / 8]
    /// The tone of the scale on which the chord of each bar stands; then they come again.
    private static let chords = [0, 4, 5, 3]

    /// One bar: four beats of one chord.
    private struct Bar {
        /// When it begins, in seconds.
        var start: Double
        /// The seconds of a beat.
        var beat: Double
        /// The frequency of the scale's first tone, in hertz.
        var key: Double
        /// The tone of the scale on which its chord stands.
        var root: Int

        /// The sample at which so many beats are over.
        func index(afterBeats beats: Double) -> Int {
            NoiseCanvas.samples(in: start + beats * beat)
        }

        /// The frequency of a tone so many steps above the first, in hertz.
        func hertz(_ step: Int) -> Double { key * scale[step % 7] * Double(1 << (step / 7)) }
    }

    static func paint(on canvas: inout NoiseCanvas) {
        let key = canvas.random.number(110...165)
        let beat = canvas.random.number(0.46...0.6)
        var count = 0
        while true {
            let start = Double(4 * count) * beat
            guard NoiseCanvas.samples(in: start) < canvas.count else { return }
            let bar = Bar(start: start, beat: beat, key: key, root: chords[count % chords.count])
            paintChords(bar, on: &canvas)
            paintTune(bar, on: &canvas)
            paintDrums(bar, on: &canvas)
            count += 1
        }
    }

    /// A chord of three tones on the first and the third beat, and a bass on each.
    private static func paintChords(_ bar: Bar, on canvas: inout NoiseCanvas) {
        for beats in 0..<4 {
            let index = bar.index(afterBeats: Double(beats))
            pluck(bar.hertz(bar.root) / 2, decay: 0.2, overtones: 3, 1, at: index, on: &canvas)
            guard beats % 2 == 0 else { continue }
            for step in [0, 2, 4] {
                let hertz = 2 * bar.hertz(bar.root + step)
                pluck(hertz, decay: 0.25, overtones: 4, 0.6, at: index, on: &canvas)
            }
        }
    }

    /// Tones of the scale, drawn, on most half beats.
    private static func paintTune(_ bar: Bar, on canvas: inout NoiseCanvas) {
        for half in 0..<8 where canvas.random.number(0...1) < 0.7 {
            let hertz = 4 * bar.hertz(Int(canvas.random.uniform(below: 7)))
            let index = bar.index(afterBeats: Double(half) / 2)
            pluck(hertz, decay: 0.15, overtones: 4, 0.6, at: index, on: &canvas)
        }
    }

    /// A low drum on the first and the third beat, a bright one between, and a cymbal on each half beat.
    private static func paintDrums(_ bar: Bar, on canvas: inout NoiseCanvas) {
        for half in 0..<8 {
            let index = bar.index(afterBeats: Double(half) / 2)
            canvas.burst(at: index, hertz: 8_000, quality: 0.8, decay: 0.015, power: 0.05)
            if half % 4 == 0 {
                canvas.burst(at: index, hertz: 65, quality: 1, decay: 0.06, power: 1.5)
            } else if half % 4 == 2 {
                canvas.burst(at: index, hertz: 1_800, quality: 0.6, decay: 0.04, power: 0.6)
            }
        }
    }

    /// A tone that is struck and dies away, its overtones the sooner the higher they are.
    private static func pluck(
        _ hertz: Double,
        decay: Double,
        overtones: Int,
        _ peak: Double,
        at index: Int,
        on canvas: inout NoiseCanvas
    ) {
        for number in 1...overtones {
            let number = Double(number)
            canvas.ring(
                at: index,
                hertz: hertz * number,
                decay: decay / number,
                peak: peak / number
            )
        }
    }
}
