import KodamaEvidence
public import KodamaLanguage
public import KodamaSpeech
import KodamaWorld
import SansIO

extension RunReport {
    /// Runs again what is worth looking at closely: of each scenario the worst run of each missed gate or
    /// invariant, or one run where nothing is missed; at most three.
    ///
    /// - Parameters:
    ///   - scenarios: The scenarios that were run, in the report's order.
    ///   - material: The voices, for real audio.
    ///   - tieShuffleSeed: Shuffles simultaneous deliveries as the runs did.
    ///   - jobs: How many runs go on at a time; the stories do not depend on it.
    ///   - progress: Told how many runs are done, and how many there are in all.
    /// - Throws: What kept a world from being built or run.
    public mutating func addStories(
        of scenarios: [Scenario],
        material: SpeechMaterial?,
        tieShuffleSeed: UInt64? = nil,
        jobs: Int,
        progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
    ) async throws {
        var looks: [(scenario: Int, look: ScenarioReport.CloserLook)] = []
        for (index, report) in self.scenarios.enumerated() {
            looks += report.closerLooks.map { (index, $0) }
        }
        let wanted = looks
        var stories = Array(repeating: [RunStory](), count: scenarios.count)
        try await inParallel(wanted.count, width: jobs) { index in
            let (scenario, look) = wanted[index]
            let point = scenarios[scenario].points[look.point]
            var story = try RunStory(
                point.plan,
                point: look.point,
                seed: look.seed,
                reason: look.reason,
                gate: look.gate.map { point.expectations.gates[$0] },
                miss: look.isMiss ? look.moment : nil,
                material: material,
                tieShuffleSeed: tieShuffleSeed
            )
            story.opening = look.moment.flatMap { story.opening(at: $0) }
            return story
        } deliver: { index, story in
            stories[wanted[index].scenario].append(story)
            progress(index + 1, wanted.count)
        }
        for (index, told) in stories.enumerated() {
            self.scenarios[index].stories = told
            self.scenarios[index].explainMisses(of: scenarios[index])
        }
    }
}

extension ScenarioReport {
    fileprivate struct CloserLook {
        var point: Int
        var seed: UInt64
        var reason: String
        /// The gate that it is shown for, if there is one.
        var gate: Int?
        /// When what it is shown for happened, if that is known.
        var moment: Moment?
        /// Whether it is shown because something is wrong.
        var isMiss = false
    }

    /// Says of missed gates what their metrics mean.
    fileprivate mutating func explainMisses(of scenario: Scenario) {
        for miss in misses {
            guard let gate = miss.gate else { continue }
            let known = scenario.points[miss.point].plan.systems.evidence.metrics
            points[miss.point].gates[gate].meaning =
                known.first { $0.name == points[miss.point].gates[gate].metric }?.meaning
        }
    }

    private static let closerLookCountMax = 3

    /// The runs to look at, worst first.
    fileprivate var closerLooks: [CloserLook] {
        var looks: [CloserLook] = []
        for miss in misses where looks.count < Self.closerLookCountMax {
            guard let seed = miss.seed,
                !looks.contains(where: { $0.point == miss.point && $0.seed == seed })
            else { continue }
            let rule = miss.gate.map { " " + points[miss.point].gates[$0].rule } ?? ""
            looks.append(
                CloserLook(
                    point: miss.point,
                    seed: seed,
                    reason: "worst of \(miss.name)\(rule)",
                    gate: miss.gate,
                    moment: miss.moment,
                    isMiss: true
                )
            )
        }
        guard looks.isEmpty else { return looks }
        for (index, point) in points.enumerated() {
            for (number, gate) in point.gates.enumerated() {
                guard let worst = gate.worst else { continue }
                return [
                    CloserLook(
                        point: index,
                        seed: worst.seed,
                        reason: "worst of \(gate.metric) \(gate.rule), which holds",
                        gate: number,
                        moment: worst.sample.map { Moment($0) }
                    )
                ]
            }
        }
        let first = points.firstIndex { !$0.runs.isEmpty }
        guard let first, let seed = points[first].runs.first?.seed else { return [] }
        return [CloserLook(point: first, seed: seed, reason: "the first run")]
    }
}

extension RunStory {
    /// Runs a seed of a plan once more and follows it, with the samples of a gate if it is shown for one.
    ///
    /// Of the moment of a miss sentences tell.
    ///
    /// - Throws: What kept the world from being built or run.
    init(
        _ plan: WorldPlan,
        point: Int,
        seed: UInt64,
        reason: String,
        gate: Gate? = nil,
        miss moment: Moment? = nil,
        material: SpeechMaterial?,
        tieShuffleSeed: UInt64? = nil
    ) throws(WorldError) {
        let componentCount = plan.phones.count + plan.people.count
        let teller = StoryTeller(
            durationNanoseconds: plan.duration.wholeNanoseconds,
            seed: seed,
            componentCount: componentCount
        )
        let run = SingleRun(
            plan: plan,
            seed: seed,
            material: material,
            tieShuffleSeed: tieShuffleSeed
        )
        let scoped = gate.map { [ScopedMetric(metric: $0.metric, scope: $0.scope ?? GateScope())] }
        let narrator = moment.map { _ in RunNarrator() }
        var sinks = SinkPair(teller, SinkPair(scoped.map { RunMeter($0) }, narrator))
        try run.run(into: &sinks)
        self = sinks.first.story(point: point, seed: seed, reason: reason)
        if let moment, let narrator = sinks.second.second {
            let sentences = narrator.sentences.map { plan.completed($0) }
            account = Account(of: moment, sentences)
        }
        guard let gate, let meter = sinks.second.first else { return }
        guard let metric = meter.metrics.first(where: { $0.name == gate.metric }) else { return }
        samples = SampleList(gate.metric, meter.samples(of: gate.metric), meter.stretches)
            .lane(of: gate, in: metric.unit, metric.value.form)
    }

    /// What lies around a moment; `nil` where that is the whole run.
    func opening(at moment: Moment) -> Opening? {
        let margin = max(2_000_000_000, moment.until.minus(moment.from))
        let from = max(0, moment.from.minus(margin))
        let until = min(durationNanoseconds, moment.until.minus(-margin))
        // Of a short run all is seen at once.
        guard from < until, until - from < durationNanoseconds / 2 else { return nil }
        return Opening(from: from, until: until)
    }
}
