import SansIO

extension PlanBuilder {
    /// Finds the figures that change nothing, and resolves the scenario's own.
    mutating func reviewParameters(_ root: CheckedValue, _ plan: WorldPlan) {
        let shared = root["parameters"]
        let preset = root["preset"]?.text.flatMap(Preset.init) ?? .standard
        // Only now it is known who has what.
        checkUse(of: shared, plan)
        for value in root["phones"]?.entries ?? [] {
            guard let own = value["parameters"], let name = value["name"]?.text else { continue }
            var part = plan
            part.phones.removeAll { !Self.isPhone($0.name, of: name, value["count"]?.number) }
            checkUse(of: own, part, besidesApps: true)
        }
        idleSettings = settings.compactMap { setting in
            vocabulary.parameters[setting.name].flatMap { idleness(of: $0, plan) }
                .map { Report(problem: $0, place: setting.place) }
        }
        expansions["parameters"] = parameterNode(shared, preset, plan)
    }

    /// Whether an entry of `phones` stands for a phone, alone or as one of several.
    private static func isPhone(_ phone: String, of entry: String, _ count: Int64?) -> Bool {
        guard let count else { return phone == entry }
        return phone.hasPrefix("\(entry)-")
            && Int64(phone.dropFirst(entry.count + 1)).map { (1...count).contains($0) } ?? false
    }

    /// Reports a phone's figures of apps that it does not have.
    mutating func checkOwnParameters(_ own: CheckedValue?, _ phone: KnownPhone) {
        for field in own?.fields ?? [] {
            guard let parameter = vocabulary.parameters[field.key],
                case .app(let system) = parameter.scope,
                !parameter.systems.contains(where: { phone.has($0) })
            else { continue }
            report(.parameterOutOfPlace(field.key, .app(system)), at: field.keyPlace)
        }
    }

    /// The preset's figures with parameters applied, the last ones last, and then the command line's.
    func tuning(_ preset: Preset, _ sources: [CheckedValue?]) -> Tuning {
        var tuning = vocabulary.language.tuning(of: preset)
        for field in sources.flatMap({ $0?.fields ?? [] }) {
            guard let parameter = vocabulary.parameters[field.key],
                let amount = field.value.flatMap(parameter.amount)
            else { continue }
            parameter.set(amount, &tuning)
        }
        for setting in settings {
            vocabulary.parameters[setting.name]?.set(setting.value, &tuning)
        }
        return tuning
    }

    mutating func checkConflicts(
        _ tuning: Tuning,
        in sources: [CheckedValue?],
        at place: Place
    ) {
        for conflict in vocabulary.parameters.conflicts(in: tuning) {
            let setting = settings.last { conflict.parameters.contains($0.name) }
            let fields = sources.flatMap { $0?.fields ?? [] }
            let field = fields.first { conflict.parameters.contains($0.key) }
            reportOnce(
                .parameterConflict(conflict.message),
                at: setting?.place ?? field?.value?.place ?? place
            )
        }
    }

    /// Reports settings over values that the scenario sweeps: its rows would show what is not so.
    mutating func checkSettings(over sources: [CheckedValue?]) {
        for field in sources.flatMap({ $0?.fields ?? [] }) {
            guard let place = field.value?.place, let use = place.sweep,
                let setting = settings.last(where: { $0.name == field.key })
            else { continue }
            reportOnce(
                .settingOverSweep(setting, swept: use.value.name, at: place.location),
                at: setting.place
            )
        }
    }

    /// Reports what phones that share the parameters share.
    private mutating func reportOnce(_ problem: Problem, at place: Place) {
        guard !reports.contains(Report(problem: problem, place: place)) else { return }
        report(problem, at: place)
    }

    /// Whether a parameter is a figure of somebody in the story.
    private func isUsed(_ parameter: Parameter) -> Bool {
        parameter.scope == .phones || !phonesAreSound
            || parameter.systems.contains { systemsInUse.contains($0) }
    }

    /// Why a parameter changes nothing in the story, if nothing it is.
    private func idleness(of parameter: Parameter, _ plan: WorldPlan) -> Problem? {
        guard !phones.isEmpty else { return nil }
        guard isUsed(parameter) else {
            return .parameterOfNobody(parameter.name, parameter.scope)
        }
        if parameter.needsSound, plan.voice != .real { return .parameterOfSound(parameter.name) }
        guard phonesAreSound, let lack = parameter.lack(plan) else { return nil }
        return .parameterForNothing(parameter.name, because: lack)
    }

    /// Finds parameters of the file that change nothing in a world, or in that of one phone.
    private mutating func checkUse(
        of parameters: CheckedValue?,
        _ plan: WorldPlan,
        besidesApps: Bool = false
    ) {
        for field in parameters?.fields ?? [] {
            guard let parameter = vocabulary.parameters[field.key],
                let problem = idleness(of: parameter, plan)
            else { continue }
            if case .parameterOfNobody = problem, besidesApps { continue }
            let report = Report(problem: problem, place: field.keyPlace)
            if !idleParameters.contains(report) { idleParameters.append(report) }
        }
    }

    /// Every parameter that changes something in the story, with its value and origin.
    private func parameterNode(
        _ shared: CheckedValue?,
        _ preset: Preset,
        _ plan: WorldPlan
    ) -> ResolvedNode {
        let tuning = vocabulary.language.tuning(of: preset)
        let acting = vocabulary.parameters.parameters.filter {
            isUsed($0) && idleness(of: $0, plan) == nil
        }
        return .mapping(
            acting.map { parameter in
                if let setting = settings.last(where: { $0.name == parameter.name }) {
                    return .init(parameter.name, .value(setting.written, setting.origin))
                }
                if let value = shared?[parameter.name] {
                    return .init(
                        parameter.name,
                        .value(value.written, .file(value.place.location))
                    )
                }
                let amount = parameter.value(tuning)
                let isStandard = amount == parameter.defaultValue
                return .init(
                    parameter.name,
                    .value(
                        parameter.text(of: amount),
                        isStandard ? .standard : .preset(preset.rawValue)
                    )
                )
            }
        )
    }

    /// A phone's own parameters, where no setting wins over them.
    func ownParameterNode(_ own: CheckedValue) -> ResolvedNode {
        .mapping(
            own.fields.compactMap { field in
                guard let value = field.value else { return nil }
                if let setting = settings.last(where: { $0.name == field.key }) {
                    return .init(field.key, .value(setting.written, setting.origin))
                }
                return .init(field.key, .value(value.written, .file(value.place.location)))
            }
        )
    }
}
