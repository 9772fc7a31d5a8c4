/// Turns the text of a scenario into a plan, or says everything that is wrong with it.
///
/// Two passes: the first compares shapes, units and ranges with the language's tables, the second
/// looks up names, times and metrics. Both go on after a mistake, so one load finds all of them.
public struct ScenarioLoader: Sendable {
    /// The names that scenarios may use.
    public let vocabulary: ScenarioVocabulary
    let files: FileReader
    /// The folder that scenarios may name files in; `nil` for their own.
    let folder: String?

    /// Makes a loader that reads what scenarios extend, and traces, with `files`.
    ///
    /// - Parameters:
    ///   - vocabulary: The names that scenarios may use.
    ///   - files: Reads scenarios, what they extend, and traces.
    ///   - folder: Where what a scenario names must lie, there or below; the scenario's own folder if none
    ///     is given. A scenario that somebody sent must not be able to show any file there is.
    public init(
        vocabulary: ScenarioVocabulary,
        files: FileReader = .disk,
        folder: String? = nil
    ) {
        self.vocabulary = vocabulary
        self.files = files
        self.folder = folder
    }

    /// Loads a scenario from `text`.
    ///
    /// - Parameters:
    ///   - text: The scenario as YAML.
    ///   - file: The file's path, for diagnostics and as the base of paths in the scenario.
    ///   - settings: Parameters set on the command line, each `name=value`; the last one wins.
    ///   - sweeps: What the command line sweeps, each `name=value,value`: names of the file's own
    ///     sweep, whose values they replace, parameters, the preset, or keys of links and radios.
    /// - Returns: The scenario with all its points, and with warnings if there are any.
    /// - Throws: `InvalidScenario` with all diagnostics, sorted by position.
    public func load(
        text: String,
        file: String,
        settings: [String] = [],
        sweeps: [String] = []
    ) throws(InvalidScenario) -> Scenario {
        var reports: [Report] = []
        let parsed = settings.compactMap {
            ParameterSetting.parse($0, among: vocabulary.parameters, reports: &reports)
        }
        let files = files.within(folder ?? FileReader.folder(of: file))
        var inheritance = Inheritance(files: files)
        let root = inheritance.root(of: text, file: file)
        reports += inheritance.reports
        var scenario: Scenario?
        if let root {
            var swept = SweptScenario(
                root,
                arguments: sweeps,
                parameters: vocabulary.parameters
            )
            var found: [Report] = []
            scenario = load(&swept, files, settings: parsed, reports: &found)
            reports += inheritance.hasGaps ? found.filter(\.problem.standsAlone) : found
        }
        // What the world lacks is known only of one in which nothing is wrong.
        if reports.contains(where: { $0.problem.severity == .error }) {
            reports.removeAll(where: \.problem.isOfWholePlan)
        }
        let diagnostics = Diagnostic.sorted(reports, main: file, sources: inheritance.sources)
        guard var scenario, diagnostics.allSatisfy({ $0.severity == .warning }) else {
            throw InvalidScenario(diagnostics: diagnostics)
        }
        scenario.warnings = diagnostics
        return scenario
    }

    /// Loads every point; what is wrong in all of them is reported once.
    private func load(
        _ swept: inout SweptScenario,
        _ files: FileReader,
        settings: [ParameterSetting],
        reports: inout [Report]
    ) -> Scenario? {
        // What a broken sweep would have put into the file is not worth guessing.
        guard swept.reports.isEmpty else {
            reports += swept.reports
            return nil
        }
        var scenario: Scenario?
        var idle: [Report]?
        var unused: [Report]?
        let shape = Shape.mapping(ScenarioLanguage.root(vocabulary.language))
        let values = swept.values
        var (amounts, isFull): ([String: Int64], Bool) = ([:], false)
        for point in swept.points {
            let root = swept.root(at: point)
            var checker = ShapeChecker()
            let checked = checker.check(root, as: shape)
            var found = checker.reports
            if let checked {
                let sweptSettings = swept.settings(at: point)
                found += Self.refused(settings, over: sweptSettings)
                var builder = PlanBuilder(
                    vocabulary: vocabulary,
                    files: files,
                    settings: settings + sweptSettings,
                    values: point.map(\.value),
                    among: values,
                    after: amounts
                )
                let built = builder.build(checked)
                found += builder.reports
                (amounts, isFull) = (builder.keptAmounts, builder.isFull)
                idle = Self.idle(builder.idleSettings, after: idle)
                // What changes nothing at one point may change something at another.
                unused =
                    unused?.filter { builder.idleParameters.contains($0) } ?? builder.idleParameters
                scenario?.points += built?.points ?? []
                scenario = scenario ?? built
            }
            // Beyond what anybody reads, nothing is gained by more.
            for report in found.prefix(Self.reportsMax) where !reports.contains(report) {
                reports.append(report)
            }
            guard reports.count <= Self.reportsMax, !isFull else { break }
        }
        swept.checkUse()
        // What names no swept value is no value of its kind either: one mistake, one report.
        let unbound = swept.reports.filter(\.isOfUnknownSweep)
        reports.removeAll { report in unbound.contains { $0.place.holds(report.place) } }
        for report in (unused ?? []) + swept.reports where !reports.contains(report) {
            reports.append(report)
        }
        scenario?.sweep = swept.sweep
        scenario?.idleSettings = Diagnostic.sorted(idle ?? [], main: "", sources: [:])
        return scenario
    }

    /// How many mistakes are looked for before the rest of a file is left alone.
    private static let reportsMax = 500

    /// Of what changes nothing at a point what changed nothing at those before either.
    private static func idle(_ settings: [Report], after earlier: [Report]?) -> [Report] {
        // A sweep's points have different values of the same argument.
        let arguments = settings.map(\.place.location.file)
        return earlier?.filter { arguments.contains($0.place.location.file) } ?? settings
    }

    /// Reports what the command line both sets and sweeps: one of the two would be in vain.
    private static func refused(
        _ settings: [ParameterSetting],
        over swept: [ParameterSetting]
    ) -> [Report] {
        settings.compactMap { setting in
            swept.first { $0.name == setting.name }.map { other in
                // Of all its values: what is wrong with each point is said once.
                let argument = SourceLocation(
                    file: other.place.location.file,
                    line: nil,
                    column: 1
                )
                let problem = Problem.setAndSwept(setting.name, at: argument)
                return Report(problem: problem, place: setting.place)
            }
        }
    }

    /// Loads a scenario from a file.
    ///
    /// - Parameters:
    ///   - file: The file's path.
    ///   - settings: Parameters set on the command line, each `name=value`; the last one wins.
    ///   - sweeps: What the command line sweeps, each `name=value,value`.
    /// - Returns: The scenario with all its points, and with warnings if there are any.
    /// - Throws: `InvalidScenario` with all diagnostics, sorted by position; an unreadable file is
    ///   one of code `unreadable-file`.
    public func load(
        file: String,
        settings: [String] = [],
        sweeps: [String] = []
    ) throws(InvalidScenario) -> Scenario {
        switch files.read(file) {
        case .success(let text):
            return try load(text: text, file: file, settings: settings, sweeps: sweeps)
        case .failure(let error):
            let report = Report(
                problem: .unreadableFile(file, reason: error.fault),
                place: Place(location: SourceLocation(file: file, line: 1, column: 1))
            )
            throw InvalidScenario(
                diagnostics: Diagnostic.sorted([report], main: file, sources: [:])
            )
        }
    }
}

extension Report {
    /// Whether it says that a name is none of a swept value.
    fileprivate var isOfUnknownSweep: Bool {
        if case .noSuch(.sweptValue, _, _) = problem { true } else { false }
    }
}

extension Place {
    /// Whether another place begins within it.
    fileprivate func holds(_ other: Place) -> Bool {
        let columns = location.column..<location.column + length
        return location.file == other.location.file && location.line == other.location.line
            && columns.contains(other.location.column)
    }
}

extension Diagnostic {
    /// Reports in words, by file (the main one first, settings last), line and column.
    static func sorted(
        _ reports: [Report],
        main: String,
        sources: [String: SourceText]
    ) -> [Diagnostic] {
        func key(_ diagnostic: Diagnostic) -> (Int, String, Int, Int) {
            let location = diagnostic.location
            let rank = location.file == main ? 0 : location.line == nil ? 2 : 1
            return (rank, location.file, location.line ?? 0, location.column)
        }
        // What is wrong where an anchor stands is not wrong once more where it is used.
        let own = reports.filter { $0.place.alias == nil }
        let told = reports.filter { report in
            report.place.alias == nil
                || !own.contains {
                    $0.problem == report.problem && $0.place.location == report.place.location
                }
        }
        let diagnostics = told.map { Diagnostic($0, sources: sources) }
        return diagnostics.enumerated()
            .sorted { left, right in
                let (one, other) = (key(left.element), key(right.element))
                return one == other ? left.offset < right.offset : one < other
            }
            .map(\.element)
    }

    private init(_ report: Report, sources: [String: SourceText]) {
        let wording = report.problem.wording
        let location = report.place.location
        severity = report.problem.severity
        code = wording.code
        self.location = location
        length = report.place.length
        message = wording.message
        notes = wording.notes
        if let use = report.place.alias {
            notes.append(Note("this is in anchor '\(use.anchor)', used here", at: use.location))
        }
        if let use = report.place.sweep {
            notes.append(Note("$\(use.value.name) is \(use.value.text) here", at: use.location))
        }
        if let line = location.line {
            sourceLine = sources[location.file]?.line(line)
        } else {
            // An argument is its own line, behind the option.
            sourceLine = location.file.firstIndex(of: " ").map {
                String(location.file[location.file.index(after: $0)...])
            }
        }
    }
}
