import KodamaEvidence
import KodamaSimulation
import SansIO

/// The second pass: turns a well-shaped file into a plan, and finds what makes no sense.
public struct PlanBuilder {
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
    /// What the file sets for nothing, at this point.
    var idleParameters: [Report] = []
    /// What each name names, and where it was given.
    var names: [String: (kind: NameKind, place: Place)] = [:]
    /// The names in the order in which they were given.
    var nameList: [(name: String, kind: NameKind)] = []
    /// Resolved values that are more than what stands in the file, by path.
    var expansions: [String: ResolvedNode] = [:]
    /// The time of day at the start, if the scenario has a clock.
    var clock: Duration?
    /// How long the run lasts.
    var runLength = Duration.zero
    /// How much of the voice is carried, once the apps are known.
    var voiceMode: VoiceMode?
    /// The phones by name.
    package var phones: [String: KnownPhone] = [:]
    /// The systems whose apps some phone has.
    package var systemsInUse: Set<String> = []
    /// The names of phones alike, by the name of their entry.
    var alike: [String: [String]] = [:]
    /// Whether nothing of any phone's radios and apps was found wrong.
    package var phonesAreSound = true
    /// The users who are signed in on phones, by system.
    var users: [String: [String]] = [:]
    /// What entries of the timeline wait for.
    var triggers: [PlannedTrigger] = []
    /// How much there is so far of what a plan holds only so much of, by its noun.
    private var amounts: [String: Int64] = [:]
    /// The same of what is kept of the points before this one.
    private let earlierAmounts: [String: Int64]
    /// Whether there is no more room for other points.
    private(set) var isFull = false
    /// So many times as much as one plan may hold, all points of a sweep may hold together.
    static let pointsFactor = 5
    /// How many faults one run may hold so far, by the mean time between them.
    var faultCount: Int64 = 0
    /// References to users that were read before all phones were.
    var expectedUsers: [(user: CheckedValue, system: String)] = []
    /// The radios by name.
    var radios: [String: KnownRadio] = [:]
    /// The kinds of which a definition is faulty, so that a name that nothing seems to have may be
    /// that one's.
    var lost: [NameKind] = []

    init(
        vocabulary: ScenarioVocabulary,
        files: FileReader,
        settings: [ParameterSetting],
        values: [SweepValue],
        among sweptValues: [SweepValue],
        after earlierAmounts: [String: Int64] = [:]
    ) {
        self.earlierAmounts = earlierAmounts
        self.vocabulary = vocabulary
        self.files = files
        self.settings = settings
        self.values = values
        self.sweptValues = sweptValues
    }

    /// How much is kept of this point and of those before it, by noun.
    var keptAmounts: [String: Int64] { amounts.merging(earlierAmounts, uniquingKeysWith: +) }

    /// Makes room for more of what a plan holds only so much of, before it is laid out; reports where
    /// there is none.
    ///
    /// What is laid out is kept for every point of a sweep, so that all of them share some room.
    package mutating func hasRoom(
        for count: Int64,
        _ noun: String,
        most: Int,
        at place: Place
    ) -> Bool {
        let total = amounts[noun, default: 0] + count
        guard total <= most else {
            report(.tooMany(Int(clamping: total), of: noun, most: most), at: place)
            return false
        }
        let mostOfAll = most * Self.pointsFactor
        guard total + earlierAmounts[noun, default: 0] <= mostOfAll else {
            isFull = true
            report(.tooManyAtAllPoints(of: noun, most: mostOfAll), at: place)
            return false
        }
        amounts[noun] = total
        return true
    }

    /// Builds everything that a valid scenario consists of; `nil` if it cannot go on at all.
    mutating func build(_ root: CheckedValue) -> Scenario? {
        guard let name = root["scenario"]?.text, let duration = root["duration"]?.duration else {
            // Names are still worth checking.
            let longest = Duration.nanoseconds(ScenarioLanguage.durationMax)
            _ = expectations(root, plan: plan(root, name: "", duration: longest))
            return nil
        }
        let plan = plan(root, name: name, duration: duration)
        let (expectations, locations) = expectations(root, plan: plan)
        warnOfMissingData(root, plan: plan)
        let shape = ScenarioLanguage.root(vocabulary.language)
        let resolver = Resolver(
            expansions: expansions,
            runEnd: root["duration"]?.written ?? "",
            isSwept: sweptValues.count > values.count
        )
        let outcome = outcome(root)
        let looks = root["seeds"]?.text == "auto" ? PlannedLooks.usual : nil
        let point = ScenarioPoint(
            values: values,
            seeds: looks?.cap ?? Int(root["seeds"]?.number ?? 1),
            looks: looks,
            firstSeed: UInt64(root["first_seed"]?.number ?? 1),
            plan: plan,
            expectations: expectations,
            gateLocations: locations,
            triggers: triggers,
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
        var plan = WorldPlan(name: name, duration: duration, systems: vocabulary.systems)
        clock = root["clock"]?.timeOfDay
        runLength = duration
        for (key, kind) in [("phones", NameKind.phone), ("people", .person), ("links", .link)] {
            guard let field = root.field(key) else {
                // What is needed has been said; a key that nobody knows may be this one, misspelt.
                if key == "phones" || root.lacksUnknownKeys { lost.append(kind) }
                continue
            }
            if field.value?.lacksEntries ?? true { lost.append(kind) }
        }
        plan.timeOfDay = clock ?? .zero
        cast(root, into: &plan)
        voice(root, of: &plan)
        voiceMode = plan.voice
        plan.links = links(root)
        plan.people = people(root, plan: plan)
        let hasSoundLinks = root.field("links").map { $0.value != nil } ?? true
        let isLinked = hasSoundLinks && plan.links.count == root["links"]?.entries.count ?? 0
        plan.talk = talk(root, plan: plan, warnsOfMissingPaths: isLinked)
        let (walks, gaps) = walks(root, plan: plan)
        plan.walks = walks
        plan.ridges = ridges(root, plan: plan)
        plan.timeline = timeline(root, plan: plan, after: gaps)
        plan.faults = faults(root, plan: plan)
        reviewParameters(root, plan)
        for name in servers + bystanders where names[name] != nil {
            report(.reservedName(name), at: names[name]?.place ?? root.place)
        }
        return plan
    }

    /// How much of the voice is carried: as real as the most real app makes it if nobody says.
    private mutating func voice(_ root: CheckedValue, of plan: inout WorldPlan) {
        let apps = vocabulary.language.apps.filter { app in
            !app.voices.isEmpty && systemsInUse.contains(app.system)
        }
        let usual = apps.compactMap(\.voices.first).min { $0.distance < $1.distance }
        guard let field = root.field("voice") else {
            plan.voice = usual ?? .real
            expansions["voice"] = usual.map { .value($0.rawValue, .standard) }
            return
        }
        let most = apps.flatMap(\.voices).min { $0.distance < $1.distance }
        guard let mode = field.value?.text.flatMap(VoiceMode.init) else { return }
        plan.voice = mode
        guard let most, let place = field.value?.place, phonesAreSound else { return }
        for app in apps where app.voices.allSatisfy({ $0.distance < mode.distance }) {
            report(.voiceTooCoarse(mode, app: app.system, offered: app.voices), at: place)
        }
        if most.distance > mode.distance {
            let makers = vocabulary.language.apps.filter { $0.voices.contains(mode) }
            report(.voiceTooReal(mode, makers: makers.map(\.system), most: most), at: place)
        }
    }
}
