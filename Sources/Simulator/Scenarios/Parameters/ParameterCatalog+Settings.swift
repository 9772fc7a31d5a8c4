extension ParameterCatalog {
    /// The default configuration with settings of the command line applied.
    ///
    /// - Parameter settings: Each `name=value`; the last one of a name wins.
    /// - Returns: A configuration in which every parameter is in its range.
    /// - Throws: `InvalidScenario` with all mistakes.
    public func configuration(
        settings: [String]
    ) throws(InvalidScenario) -> Tuning {
        var reports: [Report] = []
        var configuration = Tuning()
        for argument in settings {
            let setting = ParameterSetting.parse(argument, among: self, reports: &reports)
            guard let setting, let parameter = self[setting.name] else { continue }
            parameter.set(setting.value, &configuration)
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
