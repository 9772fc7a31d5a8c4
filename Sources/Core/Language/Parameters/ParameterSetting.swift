/// A parameter set on the command line.
struct ParameterSetting: Sendable, Equatable {
    /// The parameter's name.
    var name: String
    /// The value, in the unit of the parameter's kind.
    var value: Int64
    /// The value as it was written.
    var written: String
    /// The whole argument, such as `--set vad.attack=60ms`.
    var place: Place

    /// Where the value comes from.
    var origin: ValueOrigin { .commandLine(place.location.file) }

    /// Reads `name=value`, or reports with columns counted in that text.
    static func parse(
        _ argument: String,
        among catalog: ParameterCatalog,
        reports: inout [Report]
    ) -> ParameterSetting? {
        let location = SourceLocation(file: "--set \(argument)", line: nil, column: 1)
        let whole = Place(location: location, length: argument.unicodeScalars.count)
        guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else {
            reports.append(Report(problem: .notAnAssignment(argument), place: whole))
            return nil
        }
        let name = String(argument[..<sign])
        let written = String(argument[argument.index(after: sign)...])
        let lead = name.unicodeScalars.count
        guard let parameter = catalog[name] else {
            reports.append(
                Report(
                    problem: .noSuch(.parameter, name, known: catalog.nearby(name)),
                    place: whole.advanced(by: 0, length: lead)
                )
            )
            return nil
        }
        let node = SyntaxNode(
            content: .scalar(ScalarText(text: written, isPlain: true)),
            place: whole.advanced(by: lead + 1, length: written.unicodeScalars.count)
        )
        var checker = ShapeChecker()
        let checked = checker.check(node, as: parameter.shape)
        reports += checker.reports
        return checked.flatMap(parameter.amount).map {
            ParameterSetting(name: name, value: $0, written: written, place: whole)
        }
    }
}
