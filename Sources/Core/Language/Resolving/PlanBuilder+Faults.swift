import SansIO

extension PlanBuilder {
    /// The mixes of faults that are drawn for each seed.
    mutating func faults(_ root: CheckedValue, plan: WorldPlan) -> [FaultMixPlan] {
        var mixes: [FaultMixPlan] = []
        for (index, value) in (root["faults"]?.entries ?? []).enumerated() {
            for value in copies(ofFault: value) {
                guard let mix = fault(value, plan: plan, path: "faults[\(index)]") else { break }
                mixes.append(mix)
            }
        }
        return mixes
    }

    private mutating func fault(
        _ value: CheckedValue,
        plan: WorldPlan,
        path: String
    ) -> FaultMixPlan? {
        let phone = refer(value["of"], to: .phone)
        let span = span(value, plan: plan, "the faults end")
        guard let kinds = value["kinds"] else { return nil }
        if kinds.fields.isEmpty, !kinds.lacksUnknownKeys {
            let words = vocabulary.language.chances.map(\.name)
            report(.chooseOne(of: words, inside: "'kinds'"), at: kinds.place)
        }
        // What is drawn depends on their order, so that they keep the file's.
        expansions["\(path).kinds"] = .mapping(
            kinds.fields.compactMap { field in
                field.value.map { .init(field.key, .value($0.written, $0.origin)) }
            }
        )
        guard let phone else { return nil }
        let shares = shares(of: kinds, on: phone)
        var app: String?
        if let named = value["app"] {
            app = self.app(named, of: phone, at: named.place)
            if app != nil { checkUse(of: named, by: shares.map(\.chance)) }
        } else if let field = kinds.fields.first(where: { field in
            shares.contains { $0.chance.name == field.key && $0.chance.app == .any }
        }) {
            guard let only = self.app(nil, of: phone, at: field.keyPlace) else { return nil }
            app = only
        }
        guard let span, !shares.isEmpty, let period = value["every"]?.duration else { return nil }
        let length = span.upperBound - span.lowerBound
        let count = length.wholeNanoseconds / period.wholeNanoseconds
        let place = value["every"]?.place ?? value.place
        // They are drawn when a run begins: what is kept of a point is one mix.
        faultCount += count
        guard faultCount <= FaultMixPlan.countMax else {
            let total = Int(clamping: faultCount)
            report(.tooMany(total, of: "faults", most: FaultMixPlan.countMax), at: place)
            faultCount -= count
            return nil
        }
        return FaultMixPlan(
            phone: phone,
            app: app,
            shares: shares,
            meanGap: period,
            from: span.lowerBound,
            until: span.upperBound
        )
    }

    /// The faults of a mix that are possible on a phone, each with its weight.
    private mutating func shares(of kinds: CheckedValue, on phone: String) -> [FaultMixPlan.Share] {
        var shares: [FaultMixPlan.Share] = []
        for field in kinds.fields {
            guard let chance = vocabulary.language.chances.first(where: { $0.name == field.key }),
                let weight = field.value?.number, isPossible(chance, on: phone, at: field.keyPlace)
            else { continue }
            shares.append(.init(chance, weight: Int(weight)))
        }
        return shares
    }

    /// Reports an app that is named although each fault of the mix would be the same without.
    private mutating func checkUse(of named: CheckedValue, by chances: [Chance]) {
        guard let app = named.text, !chances.isEmpty, !chances.contains(where: { $0.app == .any })
        else { return }
        let why: String
        if let other = chances.first(where: { $0.app.excludes(app) }),
            let systems = other.app.words
        {
            why = "'\(other.name)' is a fault of the \(systems) app"
        } else if chances.allSatisfy({ $0.app == Chance.AppNeed.none }) {
            why = "none of these faults is one of an app"
        } else {
            return
        }
        report(
            "'app: \(app)' changes nothing: \(why)",
            code: "app-for-nothing",
            hint: "leave 'app' out",
            at: named
        )
    }

    /// Whether a phone has what a fault takes; a report if it does not.
    private mutating func isPossible(_ chance: Chance, on name: String, at place: Place) -> Bool {
        guard let phone = phone(named: name), phone.isSound else { return false }
        if phone.radios.count < chance.radios {
            let need = phone.radios.isEmpty ? "radio" : "second radio"
            report(.noRadio(name, needs: need), at: place)
            return false
        }
        let isThere =
            switch chance.app {
            case .none, .any: true
            case .system(let system): phone.has(system)
            case .oneOf(let systems): systems.contains { phone.has($0) }
            }
        if !isThere, let systems = chance.app.words {
            report(.faultOfOtherApp(chance.name, of: systems, phone: name), at: place)
        }
        return isThere
    }
}
