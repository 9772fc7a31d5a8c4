extension PlanBuilder {
    /// The noises around a person; a report where the run has no sound to mix them into.
    mutating func surroundings(_ value: CheckedValue?, of root: CheckedValue) -> [SurroundingPlan] {
        guard let value, !value.entries.isEmpty else { return [] }
        if root["audio"]?.text == AudioMode.sized.rawValue {
            report(.needsSound("surroundings"), at: value.place)
            return []
        }
        var plans: [SurroundingPlan] = []
        for entry in value.entries {
            guard let name = entry["noise"],
                let noise = name.text.flatMap(SurroundingPlan.Noise.init)
            else { continue }
            if plans.contains(where: { $0.noise == noise }) {
                report(.sameTwice(noise.rawValue, inside: "'surroundings'"), at: name.place)
            } else if let loudness = loudness(entry) {
                plans.append(SurroundingPlan(noise, loudness))
            }
        }
        return plans
    }

    private func loudness(_ entry: CheckedValue) -> SurroundingPlan.Loudness? {
        if let snr = entry["snr"]?.number { return .signalToNoise(milliDecibels: Int(snr)) }
        return entry["level"]?.number.map { .absolute(milliDecibels: Int($0)) }
    }
}
