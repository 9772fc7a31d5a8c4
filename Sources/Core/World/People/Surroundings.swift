package import KodamaLanguage
import KodamaSpeech

extension NoiseBed {
    /// The noise that a scenario plans.
    package init(_ plan: SurroundingPlan) {
        self.init(Kind(plan.noise), Loudness(plan.loudness))
    }
}

extension NoiseBed.Kind {
    /// The noise that a scenario calls by this name.
    package init(_ noise: SurroundingPlan.Noise) {
        switch noise {
        case .white: self = .white
        case .pink: self = .pink
        case .wind: self = .wind
        case .steps: self = .steps
        case .breath: self = .breath
        case .babble: self = .babble
        case .rain: self = .rain
        case .music: self = .music
        }
    }
}

extension NoiseBed.Loudness {
    /// The loudness that a scenario plans.
    package init(_ loudness: SurroundingPlan.Loudness) {
        switch loudness {
        case .signalToNoise(let milliDecibels): self = .signalToNoise(milliDecibels: milliDecibels)
        case .absolute(let milliDecibels): self = .absolute(milliDecibels: milliDecibels)
        }
    }
}
