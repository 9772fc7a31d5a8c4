import AppCoordination
import SansIO

extension PlanBuilder {
    /// The phones, configured.
    mutating func devices(_ root: CheckedValue) -> [DevicePlan] {
        let shared = root["parameters"]
        var devices: [DevicePlan] = []
        expansions["parameters"] = parameterNode(shared)
        for (index, value) in (root["devices"]?.entries ?? []).enumerated() {
            guard let name = define(value["name"], as: .device) else { continue }
            var device = DevicePlan(name: name)
            device.group = value["group"]?.text
            device.clockDriftPartsPerMillion = Int(value["clock_drift"]?.number ?? 0)
            let own = value["parameters"]
            device.configuration = configuration(shared: shared, own: own)
            checkConflicts(device.configuration, in: [own, shared], at: value.place)
            if let own {
                expansions["devices[\(index)].parameters"] = ownParameterNode(own)
            }
            devices.append(device)
        }
        return devices
    }

    private func configuration(
        shared: CheckedValue?,
        own: CheckedValue?
    ) -> IntercomConfiguration {
        var configuration = IntercomConfiguration()
        for field in (shared?.fields ?? []) + (own?.fields ?? []) {
            guard let parameter = vocabulary.parameters[field.key],
                let amount = field.value.flatMap(parameter.amount)
            else { continue }
            parameter.set(amount, &configuration)
        }
        for setting in settings {
            vocabulary.parameters[setting.name]?.set(setting.value, &configuration)
        }
        return configuration
    }

    private mutating func checkConflicts(
        _ configuration: IntercomConfiguration,
        in sources: [CheckedValue?],
        at place: Place
    ) {
        for conflict in vocabulary.parameters.conflicts(in: configuration) {
            let setting = settings.last { conflict.parameters.contains($0.name) }
            let fields = sources.flatMap { $0?.fields ?? [] }
            let field = fields.first { conflict.parameters.contains($0.key) }
            let report = Report(
                problem: .parameterConflict(conflict.message),
                place: setting?.place ?? field?.value?.place ?? place
            )
            // Devices that share the parameters share the conflict.
            if !reports.contains(report) { self.report(report.problem, at: report.place) }
        }
    }

    /// Every parameter with its value and origin.
    private func parameterNode(_ shared: CheckedValue?) -> ResolvedNode {
        .mapping(
            vocabulary.parameters.parameters.map { parameter in
                if let setting = settings.last(where: { $0.name == parameter.name }) {
                    return .init(parameter.name, .value(setting.written, setting.origin))
                }
                if let value = shared?[parameter.name] {
                    return .init(
                        parameter.name,
                        .value(value.written, .file(value.place.location))
                    )
                }
                return .init(parameter.name, .value(parameter.defaultText, .standard))
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
