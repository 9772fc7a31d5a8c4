import Foundation
import KodamaEvidence
import KodamaHarness
import KodamaLanguage

/// The scenario that the studio's pages share: its last text that checks, and the settings that were measured.
actor StudioBoard {
    nonisolated let subject: StudioSubject
    nonisolated let workers: RunWorkers
    /// The last text of the file that checks.
    private var text: String
    /// The file's own setting.
    private var own: MeasuredSetting
    /// The parameters that change something in the scenario.
    private(set) var parameters: [StudioHello.Parameter]
    private var broken: String?
    private var stamps: [String: Date]
    /// By their settings, and in the order in which they were last used.
    private var measured: [[String]: MeasuredSetting] = [:]
    private var order: [[String]] = []
    private var listeners: [Int: @Sendable (StudioReply) -> Void] = [:]
    private var listenerCount = 0

    /// As many settings are kept with their runs.
    private static let settingCountMax = 40

    /// Reads the file.
    ///
    /// - Throws: What is wrong with it.
    init(_ subject: StudioSubject) throws(StudioRefusal) {
        self.subject = subject
        workers = RunWorkers(subject.jobCount)
        let text = try Self.read(subject.file)
        self.text = text
        own = try Self.setting(subject, text, [])
        parameters = Self.parameters(of: own.scenario, subject.catalog)
        stamps = Self.stamps(of: own.scenario, subject.file)
    }

    private static func read(_ file: String) throws(StudioRefusal) -> String {
        guard let data = FileManager.default.contents(atPath: file),
            let text = String(data: data, encoding: .utf8)
        else { throw StudioRefusal("'\(file)' cannot be read any more") }
        return text
    }

    private static func setting(
        _ subject: StudioSubject,
        _ text: String,
        _ settings: [String]
    ) throws(StudioRefusal) -> MeasuredSetting {
        var scenario = try subject.load(text, settings)
        // How many seeds are open is decided by the studio's looks.
        scenario.points[0].looks = nil
        if let count = subject.seedCount { scenario.points[0].seeds = count }
        return MeasuredSetting(
            scenario,
            file: subject.file,
            objectives: Self.objectives(subject, scenario),
            material: subject.material
        )
    }

    /// What is asked for, and the figures of gates.
    private static func objectives(_ subject: StudioSubject, _ scenario: Scenario) -> [Objective] {
        var objectives = subject.objectives
        for gate in scenario.points[0].expectations.gates {
            guard let metric = subject.metrics.first(where: { $0.name == gate.metric }) else {
                continue
            }
            let figure = gate.statistic.text(of: metric.unit)
                .replacingOccurrences(of: "share above", with: "share_above")
            guard
                let objective = try? Objective("\(metric.name):\(figure)", among: subject.metrics),
                !objectives.contains(objective)
            else { continue }
            objectives.append(objective)
        }
        return objectives
    }

    /// A setting, with the runs that it has.
    ///
    /// - Throws: Why it cannot be run.
    func measured(_ settings: [String]) throws(StudioRefusal) -> MeasuredSetting {
        guard !settings.isEmpty else { return own }
        order.removeAll { $0 == settings }
        order.append(settings)
        if let known = measured[settings] { return known }
        let new: MeasuredSetting
        do throws(StudioRefusal) {
            new = try Self.setting(subject, text, settings)
        } catch {
            order.removeLast()
            throw error
        }
        measured[settings] = new
        if order.count > Self.settingCountMax { measured[order.removeFirst()] = nil }
        return new
    }

    /// The objectives, as `evaluate` takes them.
    var objectives: [Objective] { Self.objectives(subject, own.scenario) }

    /// What a page is told first.
    var hello: StudioHello {
        let about = PointDescription(own.scenario.points[0], of: own.scenario)
        return StudioHello(
            scenario: own.scenario.name,
            summary: own.scenario.summary,
            file: subject.file,
            digest: about.digest,
            build: subject.build,
            options: subject.words.map(ShellText.quoted).joined(separator: " "),
            shared: Dictionary(Self.pairs(subject.shared)) { $1 },
            seeds: own.seeds.count,
            parameters: parameters,
            objectives: objectives.map(\.text),
            broken: broken
        )
    }

    private static func parameters(
        of scenario: Scenario,
        _ catalog: ParameterCatalog
    ) -> [StudioHello.Parameter] {
        let prefix = "parameters."
        let all = scenario.points[0].resolved.values.compactMap {
            value -> StudioHello.Parameter? in
            guard value.path.hasPrefix(prefix),
                let parameter = catalog[String(value.path.dropFirst(prefix.count))]
            else { return nil }
            var words: [String]?
            if case .choice(let all) = parameter.kind { words = all }
            return StudioHello.Parameter(
                name: parameter.name,
                form: parameter.kind.word,
                least: parameter.range.lowerBound,
                most: parameter.range.upperBound,
                step: parameter.step,
                words: words,
                own: value.value,
                ownAmount: parameter.amount(ofText: value.value) ?? parameter.defaultValue,
                isSet: value.origin != .standard,
                isOfApp: parameter.scope.rank == 0,
                standard: parameter.defaultText,
                range: parameter.rangeText,
                meaning: parameter.meaning,
                source: parameter.source
            )
        }
        // What an app brings, then its servers, then every phone.
        func rank(_ parameter: StudioHello.Parameter) -> Int {
            catalog[parameter.name]?.scope.rank ?? 0
        }
        return all.enumerated()
            .sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
            .map(\.element)
    }

    // MARK: The file

    /// The scenario as it would be saved.
    func saved(
        _ form: SavedSetting.Form,
        _ settings: [String],
        as file: String
    ) throws(StudioRefusal)
        -> SavedSetting
    {
        let setting = try measured(settings)
        guard form == .preset else {
            return SavedSetting(form, of: setting.scenario, settings, as: file, subject)
        }
        // What the studio was started with is part of the setting; the tab's own values come last, and win.
        var keys: [SweepValue] = []
        var all = Self.pairs(subject.shared)
        for value in setting.scenario.points[0].values {
            guard subject.catalog[value.name] != nil else {
                keys.append(value)
                continue
            }
            all.append((value.name, value.text))
        }
        all += Self.pairs(settings)
        let last = all.enumerated().filter { index, pair in
            !all[(index + 1)...].contains { $0.name == pair.name }
        }
        let texts = last.map { "\($0.element.name)=\($0.element.value)" }
        let point = try SavedSetting.point(keys)
        return SavedSetting(form, of: setting.scenario, texts, at: point, as: file, subject)
    }

    /// Settings `name=value` in their two parts.
    private static func pairs(_ settings: [String]) -> [(name: String, value: String)] {
        settings.compactMap { setting in
            let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
    }

    /// Tells a page what befalls the file from now on.
    func listen(_ listener: @escaping @Sendable (StudioReply) -> Void) -> Int {
        listenerCount += 1
        listeners[listenerCount] = listener
        return listenerCount
    }

    func forget(_ number: Int) { listeners[number] = nil }

    /// Looks whether the file, or one that it extends, has changed; reads it again if so.
    func look() {
        let now = Self.stamps(of: own.scenario, subject.file)
        guard now != stamps else { return }
        stamps = now
        do throws(StudioRefusal) {
            let new = try Self.read(subject.file)
            let setting = try Self.setting(subject, new, [])
            (text, own, broken) = (new, setting, nil)
            parameters = Self.parameters(of: setting.scenario, subject.catalog)
            stamps = Self.stamps(of: setting.scenario, subject.file)
            (measured, order) = ([:], [])
            tell(.broken(nil))
            tell(.hello(hello))
        } catch {
            broken = error.description
            tell(.broken(broken))
        }
    }

    private func tell(_ reply: StudioReply) {
        for number in listeners.keys.sorted() { listeners[number]?(reply) }
    }

    /// When the file and those that it takes values from were last written.
    private static func stamps(of scenario: Scenario, _ file: String) -> [String: Date] {
        var files: Set = [file]
        for case .file(let location) in scenario.points[0].resolved.values.map(\.origin) {
            files.insert(location.file)
        }
        return files.reduce(into: [:]) { stamps, file in
            let attributes = try? FileManager.default.attributesOfItem(atPath: file)
            stamps[file] = attributes?[.modificationDate] as? Date
        }
    }
}

extension Objective {
    /// The objective as `--objective` takes it.
    var text: String {
        "\(metric.name):" + figure.replacingOccurrences(of: "share above", with: "share_above")
    }
}

extension ParameterScope {
    /// Its place among the page's groups.
    fileprivate var rank: Int {
        switch self {
        case .app: 0
        case .servers: 1
        case .phones: 2
        }
    }
}

extension Parameter.Kind {
    /// What the page calls it.
    fileprivate var word: String {
        switch self {
        case .quantity(let kind): kind.rawValue
        case .integer: "integer"
        case .boolean: "boolean"
        case .choice: "choice"
        }
    }
}

extension Parameter {
    /// The amount that a value stands for as scenario files write it.
    func amount(ofText text: String) -> Int64? {
        switch kind {
        case .quantity(let kind): kind.amount(of: text)
        case .integer: Int64(text)
        case .boolean: text == "true" ? 1 : 0
        case .choice(let words): words.firstIndex(of: text).map { Int64($0) }
        }
    }
}
