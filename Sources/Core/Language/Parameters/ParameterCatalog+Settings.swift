extension ParameterCatalog {
    /// The default configuration with settings of the command line applied.
    ///
    /// - Parameter settings: Each `name=value`; the last one of a name wins.
    /// - Returns: A configuration in which every parameter is in its range and goes with the others.
    /// - Throws: `InvalidScenario` with all mistakes.
    public func configuration(
        settings: [String]
    ) throws(InvalidScenario) -> Tuning {
        var reports: [Report] = []
        var configuration = Tuning()
        var places: [(name: String, place: Place)] = []
        for argument in settings {
            let setting = ParameterSetting.parse(argument, among: self, reports: &reports)
            guard let setting, let parameter = self[setting.name] else { continue }
            parameter.set(setting.value, &configuration)
            places.append((setting.name, setting.place))
        }
        for conflict in conflicts(in: configuration) {
            let setting = places.last { conflict.parameters.contains($0.name) }
            guard let place = setting?.place else { continue }
            reports.append(Report(problem: .parameterConflict(conflict.message), place: place))
        }
        guard reports.isEmpty else {
            throw InvalidScenario(
                diagnostics: Diagnostic.sorted(reports, main: "", sources: [:])
            )
        }
        return configuration
    }
}

extension QuantityKind {
    /// The amount that a text of this kind states in the kind's unit; `nil` if it states none.
    public func amount(of text: String) -> Int64? {
        try? QuantityReader.quantity(text, self, in: Int64.min...Int64.max)
    }
}
