import KodamaShipped
@testable import KodamaEvidence
@testable import KodamaHarness
@testable import KodamaLanguage

/// Reports of runs that nobody ran, with something of everything that renderings show.
enum Reports {
    /// A green sweep with a documented failure, a scenario that fails in several ways, one that passes
    /// although it is documented to fail, and one of which nothing is expected.
    static func ofEverything(isStrict: Bool = false) throws -> RunReport {
        RunReport(
            [try documented(), try failing(), try surprising(), try ungated()],
            material: "Recorded <speech> & libopus 1.3.1",
            options: ["--set", "session.retry_timeout=4s"],
            isStrict: isStrict
        )
    }

    /// A sweep over two names that fails where it says.
    static func documented() throws -> ScenarioOutcome {
        try Outcomes.scenario(
            lengths: ["1s", "15s"],
            presets: ["default", "as-specified"],
            fails: "The waits alone sum to 40 s.",
            fragment: "where: { preset: as-specified }"
        ) { length, preset in
            (length == "1s" ? 2 : 9) * (preset == "default" ? 1 : 4)
        }
    }

    /// Forty runs with reconnects, some of them too long, and two broken invariants.
    static func failing(seeds: ClosedRange<UInt64> = 1...40) throws -> ScenarioOutcome {
        var outcome = try Outcomes.scenario { _, _ in 8 }
        outcome.about.name = "too-slow"
        outcome.about.file = "Scenarios/too slow.yaml"
        outcome.about.warnings = ["Scenarios/too slow.yaml:3:1: warning: hardly what was meant"]
        outcome.about.summary = "Waits & tokens, \"both\" too long."
        Outcomes.judge(&outcome.points[0], seeds.map(reconnects), digest: 100)
        return outcome
    }

    /// A run with two reconnects whose parts add up.
    static func reconnects(seed: UInt64) -> RunEvidence {
        let detection = Int64(3_000 + seed * 50)
        let waiting = Int64(seed.isMultiple(of: 9) ? 30_000 : 1_000 + seed * 7)
        let token = Int64(seed == 13 ? 33_000 : 200)
        let whole = detection + waiting + token
        var rate = Distribution(resolution: 1)
        for count in [1, 2, Int64(seed % 5)] { rate.add(count) }
        let rateResult = MetricResult(
            name: "session.attempts.rate",
            unit: .count,
            value: .distribution(rate)
        )
        let late = Proportion(numerator: Int64(seed), denominator: 1_000, samples: 1)
        return Outcomes.evidence(
            seed: seed,
            seconds: whole / 1_000,
            violations: seed == 27 || seed == 31 ? 2 : 0,
            more: [
                MetricResult(name: "voice.late", unit: .partsPerMillion, value: .proportion(late)),
                Outcomes.time("session.reconnect.whole.time", milliseconds: [whole, whole / 2]),
                Outcomes.time(
                    "session.reconnect.detection.time",
                    milliseconds: [detection, detection / 2]
                ),
                Outcomes.time(
                    "session.reconnect.waiting.time",
                    milliseconds: [waiting, waiting / 2]
                ),
                Outcomes.time("session.reconnect.token.time", milliseconds: [token, token / 2]),
                rateResult,
            ]
        )
    }

    private static func surprising() throws -> ScenarioOutcome {
        var outcome = try Outcomes.scenario(fails: "It waits | long.") { _, _ in 8 }
        outcome.about.name = "mended"
        return outcome
    }

    private static func ungated() throws -> ScenarioOutcome {
        let text = """
            version: 2
            scenario: ungated
            duration: 10s
            parameters: { vad.attack: 60ms }
            phones:
              - { name: left, apps: { intercom: { group: hill } } }
              - { name: right, apps: { intercom: { group: hill } } }
            links:
              - { between: [left, right], profile: local-clean }
            """
        let loader = ScenarioLoader(vocabulary: ScenarioVocabulary(systems: .shipped))
        let scenario = try loader.load(text: text, file: "ungated.yaml")
        var outcome = ScenarioOutcome(scenario: scenario, file: "ungated.yaml")
        Outcomes.judge(&outcome.points[0], [Outcomes.evidence(seconds: 1)], digest: 900)
        return outcome
    }
}
