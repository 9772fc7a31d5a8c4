/// A signal that the codec treats as voice: glottal pulses of unsteady pitch through three formants, in syllables.
///
/// Integers and + − × only, so that it is the same on every machine.
func voiceLikeSignal(frames: Int) -> [Int16] {
    let formants = [Formant(1_992, 998), Formant(1_963, 985), Formant(1_880, 975)]
    var states = formants
    var samples: [Int16] = []
    samples.reserveCapacity(frames * 960)
    var untilPulse = 0
    var period = 400
    var noise: UInt32 = 1
    for index in 0..<(frames * 960) {
        var excitation = 0.0
        if untilPulse == 0 {
            excitation = 80_000
            noise = noise &* 1_664_525 &+ 1_013_904_223
            period = max(320, min(480, period + Int(noise >> 28) - 8))
            untilPulse = period
        }
        untilPulse -= 1
        var voice = 0.0
        for formant in states.indices {
            voice += states[formant].filter(excitation)
        }
        // 200 ms up and down, then 50 ms of pause: the codec learns that there is no background.
        let syllable = Double(max(0, 4_800 - abs(index % 12_000 - 4_800))) / 4_800
        samples.append(Int16(max(-30_000, min(30_000, voice * syllable))))
    }
    return samples
}

/// A resonance of second order: `y = feedback/1000·y1 − decay/1000·y2 + x`.
private struct Formant {
    var feedback: Double
    var decay: Double
    var last = 0.0
    var lastButOne = 0.0

    init(_ feedbackThousandths: Int, _ decayThousandths: Int) {
        feedback = Double(feedbackThousandths) / 1_000
        decay = Double(decayThousandths) / 1_000
    }

    mutating func filter(_ input: Double) -> Double {
        let output = feedback * last - decay * lastButOne + input * (1 - decay)
        lastButOne = last
        last = output
        return output
    }
}

/// The energy of `samples`, as a sum of squares.
func energy(_ samples: some Sequence<Int16>) -> Double {
    samples.reduce(0) { $0 + Double($1) * Double($1) }
}

/// The energy of `reference` over that of its difference to `other`, at the best gain of `other`.
func signalToErrorRatio(_ reference: ArraySlice<Int16>, _ other: ArraySlice<Int16>) -> Double {
    let cross = zip(reference, other).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
    let (left, right) = (energy(reference), energy(other))
    guard left > 0, right > 0 else { return 0 }
    // With the best gain, the error's energy is left·(1 − cross²/(left·right)).
    let explained = cross * cross / (left * right)
    return 1 / max(1e-12, 1 - explained)
}
