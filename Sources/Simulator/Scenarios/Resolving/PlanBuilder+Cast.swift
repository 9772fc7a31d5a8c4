import SansIO

extension PlanBuilder {
    /// The phones and the servers, configured.
    mutating func cast(_ root: CheckedValue, into plan: inout WorldPlan) {
        let shared = root["parameters"]
        let preset = root["preset"]?.text.flatMap(Preset.init) ?? .standard
        for (index, value) in (root["devices"]?.entries ?? []).enumerated() {
            let names = deviceNames(value)
            guard let name = names.first else { continue }
            let own = value["parameters"]
            let tuning = tuning(preset, [shared, own])
            checkConflicts(tuning, in: [own, shared], at: value.place)
            checkSettings(over: [own, shared])
            if let own {
                expansions["devices[\(index)].parameters"] = ownParameterNode(own)
            }
            if value["app"]?.text == "session" {
                let path = "devices[\(index)]"
                for name in names {
                    apps[name] = .session
                    plan.phones.append(phone(name, value, tuning, path: path, plan: plan))
                }
            } else {
                apps[name] = .intercom
                var app = IntercomAppPlan()
                app.group = value["group"]?.text
                app.configuration = tuning.intercom
                var phone = PhonePlan(name: name)
                phone.clockDriftPartsPerMillion = Int(value["clock_drift"]?.number ?? 0)
                phone.apps = [AppPlan(app, start: app.group == nil ? .closed : .open)]
                plan.phones.append(phone)
            }
        }
        plan.services = tuning(preset, [shared]).services
        // Only now it is known who runs what.
        for value in [root] + (root["devices"]?.entries ?? []) {
            checkUse(of: value["parameters"], root)
        }
        idleSettings = settings.compactMap { setting in
            vocabulary.parameters[setting.name].flatMap { idleness(of: $0, root) }
                .map { Report(problem: $0, place: setting.place) }
        }
        expansions["parameters"] = parameterNode(shared, preset, root)
    }

    /// The names of an entry's devices: its own, or numbered ones if it stands for several.
    private mutating func deviceNames(_ value: CheckedValue) -> [String] {
        guard let count = value["count"]?.number, let name = value["name"]?.text,
            let place = value["name"]?.place
        else { return define(value["name"], as: .device).map { [$0] } ?? [] }
        return (1...count).compactMap { define("\(name)-\($0)", as: .device, at: place) }
    }

    /// The preset's figures with parameters applied, the last ones last, and then the command line's.
    private func tuning(_ preset: Preset, _ sources: [CheckedValue?]) -> Tuning {
        var tuning = preset.tuning
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

    private mutating func checkConflicts(
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
    private mutating func checkSettings(over sources: [CheckedValue?]) {
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

    /// Reports what devices that share the parameters share.
    private mutating func reportOnce(_ problem: Problem, at place: Place) {
        guard !reports.contains(Report(problem: problem, place: place)) else { return }
        report(problem, at: place)
    }

    /// Whether a parameter is a figure of somebody in the story.
    private func isUsed(_ parameter: Parameter) -> Bool {
        switch parameter.scope {
        case .intercom: apps.values.contains(.intercom)
        case .session, .servers: apps.values.contains(.session)
        }
    }

    /// Why a parameter changes nothing in the story, if nothing it is.
    private func idleness(of parameter: Parameter, _ root: CheckedValue) -> Problem? {
        guard !apps.isEmpty else { return nil }
        guard isUsed(parameter) else {
            return .parameterOfNobody(parameter.name, parameter.scope)
        }
        let isSized = root["audio"]?.text == AudioMode.sized.rawValue
        return parameter.needsSound && isSized ? .parameterOfSound(parameter.name) : nil
    }

    /// Warns of parameters that change nothing; where `audio` is swept, they may at another point.
    private mutating func checkUse(of parameters: CheckedValue?, _ root: CheckedValue) {
        let isSwept = sweptValues.contains { $0.text == AudioMode.real.rawValue }
        for field in parameters?.fields ?? [] {
            guard let parameter = vocabulary.parameters[field.key],
                let problem = idleness(of: parameter, root)
            else { continue }
            if case .parameterOfSound = problem, isSwept { continue }
            reportOnce(problem, at: field.keyPlace)
        }
    }

    /// Every parameter that changes something in the story, with its value and origin.
    private func parameterNode(
        _ shared: CheckedValue?,
        _ preset: Preset,
        _ root: CheckedValue
    ) -> ResolvedNode {
        let tuning = preset.tuning
        let acting = vocabulary.parameters.parameters.filter {
            isUsed($0) && idleness(of: $0, root) == nil
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

    /// A device's own parameters, where no setting wins over them.
    private func ownParameterNode(_ own: CheckedValue) -> ResolvedNode {
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

    /// The people, with their phones.
    mutating func people(_ root: CheckedValue) -> [PersonPlan] {
        var people: [PersonPlan] = []
        for value in root["people"]?.entries ?? [] {
            let device = refer(value["holds"], to: .device)
            let voice = refer(value["voice"], to: .voice)
            let surroundings = surroundings(value["surroundings"], of: root)
            guard let name = define(value["name"], as: .person), let device else { continue }
            var person = PersonPlan(name: name, device: device)
            person.voice = voice
            person.surroundings = surroundings
            people.append(person)
        }
        return people
    }
}
