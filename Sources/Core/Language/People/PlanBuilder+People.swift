extension PlanBuilder {
    /// The people, with their phones.
    mutating func people(_ root: CheckedValue, plan: WorldPlan) -> [PersonPlan] {
        var people: [PersonPlan] = []
        for value in root["people"]?.entries ?? [] {
            let phone = refer(value["holds"], to: .phone)
            let voice = refer(value["voice"], to: .voice)
            let surroundings = surroundings(value["surroundings"], plan: plan)
            guard let name = define(value["name"], as: .person), let phone else { continue }
            var person = PersonPlan(name: name, phone: phone)
            person.voice = voice
            person.surroundings = surroundings
            people.append(person)
        }
        return people
    }

    /// The noises around a person; a report where the run has no sound to mix them into.
    private mutating func surroundings(_ value: CheckedValue?, plan: WorldPlan) -> [SurroundingPlan]
    {
        guard let value, !value.entries.isEmpty else { return [] }
        if plan.voice != .real {
            report(.needsSound("surroundings", plan.voice), at: value.place)
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
