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
    private(set) var reports: [Report] = []
    /// What each name names, and where it was given.
    private var names: [String: (kind: NameKind, place: Place)] = [:]
    /// The names in the order in which they were given.
    private var nameList: [(name: String, kind: NameKind)] = []
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
        let standard: AudioMode = plan.devices.isEmpty && !apps.isEmpty ? .sized : .real
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

// MARK: - Names

extension PlanBuilder {
    /// Reports a problem.
    mutating func report(_ problem: Problem, at place: Place) {
        reports.append(Report(problem: problem, place: place))
    }

    /// The servers that are there: those of sessions, if any device runs one.
    private var servers: [String] {
        apps.values.contains(.session) ? ServicesPlan.componentNames : []
    }

    /// Gives a name to something, unless it is taken.
    mutating func define(_ value: CheckedValue?, as kind: NameKind) -> String? {
        guard let value, let name = value.text else { return nil }
        return define(name, as: kind, at: value.place)
    }

    /// Gives a name to something, unless it is taken.
    mutating func define(_ name: String, as kind: NameKind, at place: Place) -> String? {
        if let taken = names[name] {
            report(.duplicateName(name, first: taken.place.location), at: place)
            return nil
        }
        names[name] = (kind, place)
        nameList.append((name, kind))
        return name
    }

    /// The name of something of `kind`, or `nil` after a report.
    mutating func refer(_ value: CheckedValue?, to kind: NameKind) -> String? {
        guard let value, let name = value.text else { return nil }
        switch kind {
        case .device, .person:
            guard names[name]?.kind == kind else {
                return refuse(name, kind, known: known(kind), at: value.place)
            }
            return name
        case .peer, .phone:
            return device(named: name, running: kind, at: value.place)
        case .radio, .phoneOrRadio:
            if radios[name] != nil { return name }
            if kind == .phoneOrRadio, names[name]?.kind == .device {
                return device(named: name, running: .phone, at: value.place)
            }
            return refuse(name, kind, known: known(kind), at: value.place)
        case .link:
            return link(named: name)
                ?? refuse(name, kind, known: known(.link), at: value.place)
        case .component:
            if servers.contains(name) { return name }
            guard names[name]?.kind == .device || names[name]?.kind == .person else {
                let all = known(.device) + known(.person) + known(.link) + servers
                return link(named: name) ?? refuse(name, kind, known: all, at: value.place)
            }
            return name
        default:
            let words = words(kind)
            return words.contains(name) ? name : refuse(name, kind, known: words, at: value.place)
        }
    }

    /// A device that runs the app of its kind, or `nil` after a report.
    private mutating func device(
        named name: String,
        running kind: NameKind,
        at place: Place
    ) -> String? {
        guard names[name]?.kind == .device else {
            return refuse(name, kind, known: known(kind), at: place)
        }
        let app: ParameterScope = kind == .peer ? .intercom : .session
        guard apps[name] == app else {
            report(.otherApp(name, needs: app.rawValue), at: place)
            return nil
        }
        return name
    }

    private mutating func refuse(
        _ name: String,
        _ kind: NameKind,
        known: [String],
        at place: Place
    ) -> String? {
        report(.noSuch(kind, name, known: known), at: place)
        return nil
    }

    /// The link whose ends a reference names in either order.
    private func link(named name: String) -> String? {
        if names[name]?.kind == .link { return name }
        let ends = name.split(separator: "/", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        let turned = "\(ends[1])/\(ends[0])"
        return names[turned]?.kind == .link ? turned : nil
    }

    private func known(_ kind: NameKind) -> [String] {
        switch kind {
        case .peer: known(.device).filter { apps[$0] == .intercom }
        case .phone: known(.device).filter { apps[$0] == .session }
        case .radio: known(.link).filter { radios[$0] != nil }
        case .phoneOrRadio: known(.phone) + known(.radio)
        default: nameList.filter { $0.kind == kind }.map(\.name)
        }
    }

    private func words(_ kind: NameKind) -> [String] {
        switch kind {
        case .profile: vocabulary.profiles.map(\.name)
        case .metric: vocabulary.metrics.map(\.name)
        case .invariant: vocabulary.invariants
        case .event: vocabulary.eventKinds
        case .requirement: vocabulary.requirements
        case .voice: vocabulary.voices
        case .parameter: vocabulary.parameters.parameters.map(\.name)
        case .device, .peer, .phone, .radio, .phoneOrRadio, .person, .link, .component, .sweptValue:
            []
        }
    }

    /// Names a link by its ends, unless they are linked already.
    mutating func defineLink(_ first: String, _ second: String, at place: Place) -> Bool {
        let name = "\(first)/\(second)"
        if let existing = link(named: name), let taken = names[existing] {
            report(.duplicateLink(name, first: taken.place.location), at: place)
            return false
        }
        names[name] = (.link, place)
        nameList.append((name, .link))
        return true
    }

    /// The requirement ids in a list.
    mutating func covers(_ value: CheckedValue?) -> [String] {
        var ids: [String] = []
        for entry in value?.entries ?? [] {
            guard let id = refer(entry, to: .requirement) else { continue }
            if ids.contains(id) {
                report(.sameTwice(id, inside: "'covers'"), at: entry.place)
            } else {
                ids.append(id)
            }
        }
        return ids
    }

    /// Two different names in a list of two.
    mutating func pair(
        _ value: CheckedValue?,
        of kind: NameKind,
        inside noun: String
    ) -> (String, String)? {
        guard let value, value.entries.count == 2 else { return nil }
        let first = refer(value.entries[0], to: kind)
        let second = refer(value.entries[1], to: kind)
        guard let first, let second else { return nil }
        guard first != second else {
            report(.sameTwice(first, inside: noun), at: value.entries[1].place)
            return nil
        }
        return (first, second)
    }
}
