import KodamaShipped
@testable import KodamaEvidence
@testable import KodamaHarness
@testable import KodamaLanguage

/// Outcomes of runs that nobody ran, to see what is said of them.
enum Outcomes {
    /// A sweep over lengths of outages and presets, or a plain scenario without lengths.
    ///
    /// Gated are the reconnect's length, at most 30 s, and an invariant. `seconds` gives the figure
    /// of each point; without one there is no sample.
    static func scenario(
        lengths: [String] = [],
        presets: [String] = [],
        fails: String? = nil,
        fragment: String = "",
        when: String = "at: 20s",
        seconds: (_ length: String, _ preset: String) -> Int64?
    ) throws -> ScenarioOutcome {
        var sweep = lengths.isEmpty ? "" : "  outage: [\(lengths.joined(separator: ", "))]\n"
        sweep += presets.isEmpty ? "" : "  preset: [\(presets.joined(separator: ", "))]\n"
        let text = """
            version: 2
            scenario: total-outage
            \(sweep.isEmpty ? "" : "sweep:\n" + sweep)
            \(presets.isEmpty ? "" : "preset: $preset")
            \(fails.map { "outcome: fail\nbecause: \($0)" } ?? "")
            \(fragment)
            duration: 180s
            phones:
              - { name: phone, radios: { wifi: local-clean }, apps: { session: {} } }
            timeline:
              - { \(when), do: { outage: { of: phone, for: \(lengths.isEmpty ? "5s" : "$outage") } } }
            expect:
              - metric: voice.mouth_to_ear.time
                max: "<= 30s"
                covers: [K-01a]
              - invariant: voice.order-kept
            """
        let loader = ScenarioLoader(
            vocabulary: ScenarioVocabulary(systems: .shipped, requirements: ["K-01a"])
        )
        var scenario = try loader.load(text: text, file: "total-outage.yaml")
        // No phone makes the figures that are invented below, which the loader warns of.
        scenario.warnings = []
        var outcome = ScenarioOutcome(scenario: scenario, file: "total-outage.yaml")
        for (index, point) in scenario.points.enumerated() {
            let values = point.values.map(\.text)
            let length = lengths.isEmpty ? "" : values.first ?? ""
            let preset = presets.isEmpty ? "" : values.last ?? ""
            let evidence = evidence(seconds: seconds(length, preset))
            judge(&outcome.points[index], [evidence], digest: UInt64(index))
        }
        return outcome
    }

    /// Lets a point have other runs; in those with the seeds `waiting` the timeline's first entry
    /// waits in vain.
    static func judge(
        _ point: inout PointOutcome,
        _ evidence: [RunEvidence],
        digest: UInt64 = 0,
        waiting: [UInt64] = []
    ) {
        point.reset()
        for (index, run) in evidence.enumerated() {
            point.add(
                RunOutcome(
                    evidence: run,
                    digest: Digest64(bits: digest + UInt64(index)),
                    components: [],
                    eventCount: 0,
                    simulated: .zero,
                    processorSeconds: 0,
                    waitingEntries: waiting.contains(run.seed) ? [0, 1] : []
                )
            )
        }
        point.judge()
    }

    /// A run with one reconnect of so many seconds.
    static func evidence(
        seed: UInt64 = 7,
        seconds: Int64?,
        violations: Int = 0,
        more: [MetricResult] = []
    ) -> RunEvidence {
        var samples = Distribution()
        var extremes = SampleExtremes()
        if let seconds {
            samples.add(seconds * 1_000_000_000)
            let entry = SampleExtremes.Entry(
                rank: seconds * 1_000_000_000,
                sample: LocatedSample(
                    value: seconds * 1_000_000_000,
                    from: 20_000_000_000,
                    until: (20 + seconds) * 1_000_000_000,
                    component: "phone",
                    cause: "   20.000000000 s phone path.lost - cause=link"
                )
            )
            extremes = SampleExtremes(least: entry, greatest: entry)
        }
        var invariant = InvariantResult(name: "voice.order-kept")
        invariant.checkedCount = 100
        invariant.violationCount = violations
        if violations > 0 {
            let line = "   12.340000000 s phone frame.played - index=7"
            invariant.violations = [.init(position: 9, instant: 12_340_000_000, line: line)]
        }
        return RunEvidence(
            seed: seed,
            metrics: [time("voice.mouth_to_ear.time", samples, extremes)] + more,
            invariants: [invariant]
        )
    }

    /// Samples of a time.
    static func time(
        _ name: String,
        _ samples: Distribution,
        _ extremes: SampleExtremes = SampleExtremes()
    ) -> MetricResult {
        MetricResult(
            name: name,
            unit: .nanoseconds,
            value: .distribution(samples),
            extremes: extremes
        )
    }

    /// Samples of a time in milliseconds.
    static func time(_ name: String, milliseconds: [Int64]) -> MetricResult {
        var samples = Distribution()
        for sample in milliseconds { samples.add(sample * 1_000_000) }
        return time(name, samples)
    }
}
