import Evidence
import RealtimeVoice
import Simulation

/// The second pass: turns a well-shaped file into a plan, and finds what makes no sense.
struct PlanBuilder {
    let vocabulary: ScenarioVocabulary
    let files: FileReader
    let settings: [ParameterSetting]
    /// The swept values of this point.
    let values: [SweepValue]
    /// Those of all points.
    let sweptValues: [SweepValue]
    /// What has been found wrong.
    var reports: [Report] = []
    /// What the command line sets and sweeps for nothing.
    var idleSettings: [Report] = []
    /// What each name names, and where it was given.
    var names: [String: (kind: NameKind, place: Place)] = [:]
    /// The names in the order in which they were given.
    var nameList: [(name: String, kind: NameKind)] = []
    /// Resolved values that are more than what stands in the file, by path.
    var expansions: [String: ResolvedNode] = [:]
    /// The time of day at the start, if the scenario has a clock.
    private(set) var clock: Duration?
    /// The app of each device, by name.
    var apps: [String: ParameterScope] = [:]
    /// What each radio belongs to, by name.
    var radios: [String: (phone: String, interface: NetworkInterface)] = [:]

    init(
        vocabulary: ScenarioVocabulary,
        files: FileReader,
        settings: [ParameterSetting],
        values: [SweepValue],
        among sweptValues: [SweepValue]
    ) {
        self.vocabulary = vocabulary
        self.files = files
        self.settings = settings
        self.values = values
        self.sweptValues = sweptValues
    }

    /// Builds everything that a valid scenario consists of; `nil` if it cannot go on at all.
    mutating func build(_ root: CheckedValue) -> Scenario? {
        guard let name = root["scenario"]?.text, let duration = root["duration"]?.duration else {
            // Names are still worth checking.
            _ = plan(root, name: "", duration: .nanoseconds(ScenarioLanguage.durationMax))
            _ = expectations(root)
            return nil
        }
        let plan = plan(root, name: name, duration: duration)
        let (expectations, locations) = expectations(root)
        let shape = ScenarioLanguage.root(vocabulary.parameters)
        let resolver = Resolver(
            expansions: expansions,
            runEnd: root["duration"]?.written ?? "",
            isSwept: !values.isEmpty
        )
        let outcome = outcome(root)
        let point = ScenarioPoint(
            values: values,
            seeds: Int(root["seeds"]?.number ?? 1),
            firstSeed: UInt64(root["first_seed"]?.number ?? 1),
            plan: plan,
            expectations: expectations,
            gateLocations: locations,
            resolved: ResolvedScenario(root: resolver.mapping(root, as: shape, path: ""))
        )
        return Scenario(
            name: name,
            summary: root["summary"]?.text,
            outcome: outcome,
            sweep: Sweep(),
            points: [point],
            warnings: []
        )
    }

    /// Whether the runs are to pass; what `where` names is checked when all points are known.
    private mutating func outcome(_ root: CheckedValue) -> ExpectedOutcome {
        guard root["outcome"]?.text == "fail" else {
            for key in ["because", "where"] {
                guard let field = root.field(key) else { continue }
                report(.reasonWithoutFailure(key), at: field.keyPlace)
            }
            return .pass
        }
        if root.field("because") == nil {
            report(.failsWithoutReason, at: root["outcome"]?.place ?? root.place)
        }
        let conditions = (root["where"]?.fields ?? []).map { field in
            let known = sweptValues.filter { $0.name == field.key }.map(\.text)
            let entries = field.value?.entries ?? []
            if known.isEmpty {
                report(.notSwept(field.key, known: values.map(\.name)), at: field.keyPlace)
            } else {
                for entry in entries where !known.contains(entry.written) {
                    report(
                        .noSuchPoint(field.key, value: entry.written, known: known),
                        at: entry.place
                    )
                }
            }
            return SweepCondition(name: field.key, values: entries.compactMap(\.text))
        }
        return .fail(because: root["because"]?.text ?? "", where: conditions)
    }

    private mutating func plan(
        _ root: CheckedValue,
        name: String,
        duration: Duration
    ) -> WorldPlan {
        var plan = WorldPlan(name: name, duration: duration)
        clock = root["clock"]?.timeOfDay
        plan.timeOfDay = clock ?? .zero
        cast(root, into: &plan)
        modes(root, of: &plan)
        plan.links = links(root)
        plan.people = people(root)
        let isLinked = plan.links.count == root["links"]?.entries.count ?? 0
        plan.talk = talk(root, plan: plan, warnsOfMissingPaths: isLinked)
        plan.timeline = timeline(root, plan: plan)
        plan.faults = faults(root, plan: plan)
        for name in servers where names[name] != nil {
            report(.reservedName(name), at: names[name]?.place ?? root.place)
        }
        return plan
    }

    /// How much of the voice is real; each mode belongs to one of the apps.
    private mutating func modes(_ root: CheckedValue, of plan: inout WorldPlan) {
        let modes: [(key: String, app: ParameterScope, standard: String)] = [
            ("audio", .intercom, AudioMode.real.rawValue),
            ("media", .session, MediaMode.sized.rawValue),
        ]
        for mode in modes {
            let isRun = apps.values.contains(mode.app)
            if let field = root.field(mode.key) {
                guard !isRun, !apps.isEmpty else { continue }
                report(.needsApp(mode.key, app: mode.app.rawValue), at: field.keyPlace)
            } else if isRun {
                expansions[mode.key] = .value(mode.standard, .standard)
            }
        }
        // Where no intercom runs nobody makes sound.
        let standard: AudioMode = apps.isEmpty || apps.values.contains(.intercom) ? .real : .sized
        plan.audio = root["audio"]?.text.flatMap(AudioMode.init) ?? standard
        plan.media = root["media"]?.text.flatMap(MediaMode.init) ?? .sized
    }

    /// A moment of the run; `nil` after a report if there is none.
    mutating func instant(_ value: CheckedValue?) -> Duration? {
        guard let value else { return nil }
        guard let time = value.timeOfDay else { return value.duration }
        guard let clock else {
            report(.noClock(value.written), at: value.place)
            return nil
        }
        guard time >= clock else {
            report(.beforeClock(value.written, clock: TimeOfDay.text(of: clock)), at: value.place)
            return nil
        }
        return time - clock
    }
}
