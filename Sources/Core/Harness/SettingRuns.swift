import KodamaEvidence
public import KodamaLanguage
public import KodamaSpeech
public import KodamaWorld

/// The runs of one setting of a scenario, whose number grows: judged after any of them as `evaluate` judges.
public struct SettingRuns: Sendable {
    /// The scenario with its one point, made to measure the objectives.
    private let scenario: Scenario
    private let file: String
    private let objectives: [Objective]
    private let material: SpeechMaterial?
    /// Pooled with the objectives' gates, for the evaluation.
    private var measured: ScenarioOutcome
    /// Pooled as the scenario stands, for pictures.
    private var plain: ScenarioOutcome

    /// Starts without a run.
    ///
    /// - Parameters:
    ///   - scenario: The scenario, with one point.
    ///   - file: Its file, as the user named it.
    ///   - objectives: What is measured besides the gates.
    ///   - material: The voices, for real audio.
    public init(
        _ scenario: Scenario,
        file: String,
        objectives: [Objective],
        material: SpeechMaterial?
    ) {
        precondition(scenario.points.count == 1, "a setting is one point")
        self.scenario = Evaluation.measuring(objectives, of: scenario)
        self.file = file
        self.objectives = objectives
        self.material = material
        measured = ScenarioOutcome(scenario: self.scenario, file: file)
        plain = ScenarioOutcome(scenario: scenario, file: file)
    }

    /// A digest of every value of the scenario with this setting.
    public var digest: String { plain.points[0].about.digest }

    /// How many runs are pooled.
    public var count: Int { plain.points[0].rows.count }

    /// The run with a seed; alike for all copies.
    public func single(_ seed: UInt64) -> SingleRun {
        let point = scenario.points[0]
        return SingleRun(
            plan: point.plan,
            seed: seed,
            material: material,
            scoped: point.expectations.gates.scopedMetrics
        )
    }

    /// Pools one more run: that of the next seed.
    public mutating func add(_ run: RunOutcome) {
        measured.points[0].add(run)
        plain.points[0].add(run)
    }

    /// The figures of the runs so far, as `evaluate` gives them for these seeds.
    public var evaluation: Evaluation {
        var judged = measured
        judged.points[0].judge()
        return Evaluation(judged, objectives: objectives)
    }

    /// The runs so far as reports show them: of a part of the seeds only that fails which no more can mend.
    public var report: ScenarioReport {
        var judged = plain
        if count < judged.points[0].about.plannedSeeds {
            judged.points[0].cutShort()
        } else {
            judged.points[0].judge()
        }
        return ScenarioReport(judged, isStrict: false)
    }

    /// A seed of this setting above the same seed of another, as lanes of a page.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - other: The other setting.
    ///   - names: What the settings are called, this one first.
    ///   - isWanted: Asked before each run.
    /// - Returns: A piece of HTML; `nil` if it was no longer wanted.
    /// - Throws: What kept a world from being built or run.
    public func lanes(
        of seed: UInt64,
        above other: SettingRuns,
        names: [String],
        while isWanted: () -> Bool = { true }
    ) throws(WorldError) -> String? {
        var stories: [RunStory] = []
        for side in [self, other] {
            guard isWanted() else { return nil }
            stories.append(
                try RunStory(
                    side.scenario.points[0].plan,
                    point: 0,
                    seed: seed,
                    reason: "",
                    material: material
                )
            )
        }
        var html = Markup()
        StoryView(stories, names: names, command: nil, recordCountMax: 0).draw(into: &html)
        let plans = [self, other].map { $0.scenario.points[0].plan }
        if plans.allSatisfy(\.makesSound) {
            var heard: [HeardRun] = []
            for side in [self, other] {
                guard isWanted() else { return nil }
                heard.append(try HeardRun(side.single(seed)))
            }
            HearingView(HeardPair(heard), names: names.map { $0.lowercased() }, seed: seed).draw(
                into: &html
            )
        }
        return html.text
    }

    /// A seed in sentences, as `explain` tells it.
    ///
    /// - Throws: What kept the world from being built or run.
    public func explanation(of seed: UInt64) throws(WorldError) -> String {
        try Explanation(of: single(seed), scenario: scenario.name).text
    }
}
