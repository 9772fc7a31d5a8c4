internal import KodamaSimulation

/// Eight people talk at once, each by themselves: recorded speech, so a detector finds it everywhere.
///
/// They say the material's spurts in the voices other than the person's own. So that a few voices
/// make a crowd, each of the eight is played up to a sixth slower or faster, which moves pitch and
/// formants together, and sits at a distance of its own.
enum BabbleNoise {
    private static let talkerCount = 8

    static func paint(
        of material: SpeechMaterial,
        without own: SpeechMaterial.Voice,
        on canvas: inout NoiseCanvas
    ) {
        let others = material.voices.filter { $0.name != own.name }
        precondition(!others.isEmpty, "babble needs a voice other than \(own.name)")
        for talker in 0..<talkerCount {
            paintTalker(others[talker % others.count], of: material, on: &canvas)
        }
    }

    private static func paintTalker(
        _ voice: SpeechMaterial.Voice,
        of material: SpeechMaterial,
        on canvas: inout NoiseCanvas
    ) {
        let speed = canvas.random.number(0.84...1.19)
        let gain = canvas.random.number(0.35...1)
        // The further away, the duller.
        var distance = StateVariableFilter(hertz: 2_000 + 6_000 * gain, quality: 0.6)
        var index = NoiseCanvas.samples(in: canvas.random.number(0...0.5))
        while index < canvas.count {
            let place = Int(canvas.random.uniform(below: UInt64(voice.spurts.count)))
            let count = material.withSamples(of: voice.spurts[place]) { spurt in
                let count = Int(Double(spurt.count - 1) / speed)
                for offset in 0..<min(count, canvas.count - index) {
                    let position = Double(offset) * speed
                    let before = Int(position)
                    let share = position - Double(before)
                    let near = Double(spurt[before])
                    let sample = near + (Double(spurt[before + 1]) - near) * share
                    canvas.add(distance.lowPass(sample) * gain, at: index + offset)
                }
                return count
            }
            index += count + NoiseCanvas.samples(in: canvas.random.number(0.05...0.6))
        }
    }
}
