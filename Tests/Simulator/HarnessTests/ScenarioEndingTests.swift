@testable import KodamaEvidence
@testable import KodamaHarness
import Testing

@Suite("How scenarios end")
struct ScenarioEndingTests {
    private func plain(fails: String? = nil, seconds: Int64?) throws -> ScenarioOutcome {
        try Outcomes.scenario(fails: fails) { _, _ in seconds }
    }

    @Test("Without an expected failure the verdict decides (HN-03)")
    func plainEndings() throws {
        #expect(try plain(seconds: 8).ending(isStrict: false) == .passed)
        #expect(try plain(seconds: 41).ending(isStrict: false) == .failed)
        #expect(try plain(seconds: nil).ending(isStrict: false) == .failed)
    }

    @Test("A documented failure passes, a pass in its place does not (HN-03)")
    func documented() throws {
        #expect(
            try plain(fails: "It waits.", seconds: 41).ending(isStrict: false) == .failedAsExpected
        )
        let pass = try plain(fails: "It waits.", seconds: 8)
        #expect(pass.ending(isStrict: false) == .passedUnexpectedly)
        #expect(!pass.ending(isStrict: false).isGreen)
    }

    @Test("Neither a gate without data nor a broken invariant is ever expected (HN-03)")
    func neverExpected() throws {
        #expect(try plain(fails: "It waits.", seconds: nil).ending(isStrict: false) == .failed)
        var broken = try plain(fails: "It waits.", seconds: 41)
        Outcomes.judge(
            &broken.points[0],
            [Outcomes.evidence(seconds: 41, violations: 1)]
        )
        #expect(broken.ending(isStrict: false) == .failed)
        var unchecked = try plain(fails: "It waits.", seconds: 41)
        let evidence = Outcomes.evidence(seconds: 41)
        Outcomes.judge(
            &unchecked.points[0],
            [RunEvidence(seed: 7, metrics: evidence.metrics)]
        )
        #expect(unchecked.ending(isStrict: false) == .failed)
    }

    @Test("Every point of a sweep passes by itself, or the scenario fails (HN-03)")
    func sweeps() throws {
        func ending(_ fails: String?, _ seconds: [String: Int64]) throws -> ScenarioEnding {
            try Outcomes.scenario(lengths: ["1s", "5s"], fails: fails) { length, _ in
                seconds[length]
            }.ending(isStrict: false)
        }
        #expect(try ending(nil, ["1s": 3, "5s": 8]) == .passed)
        #expect(try ending(nil, ["1s": 3, "5s": 41]) == .failed)
        #expect(try ending("It waits.", ["1s": 3, "5s": 41]) == .failedAsExpected)
        #expect(try ending("It waits.", ["1s": 3, "5s": 8]) == .passedUnexpectedly)
        #expect(try ending("It waits.", ["5s": 41]) == .failed, "one point has no data")
    }

    @Test("Where swept values say which points fail, all others must pass (HN-03)")
    func conditions() throws {
        func ending(standard: Int64, specified: Int64, only: String? = nil) throws -> ScenarioEnding
        {
            var outcome = try Outcomes.scenario(
                lengths: ["1s"],
                presets: ["default", "as-specified"],
                fails: "It waits.",
                fragment: "where: { preset: as-specified }"
            ) { _, preset in
                preset == "default" ? standard : specified
            }
            if let only {
                outcome.points.removeAll { $0.about.values.last?.value != only }
            }
            return outcome.ending(isStrict: false)
        }
        #expect(try ending(standard: 8, specified: 41) == .failedAsExpected)
        #expect(try ending(standard: 41, specified: 41) == .failed)
        #expect(try ending(standard: 8, specified: 8) == .passedUnexpectedly)
        #expect(try ending(standard: 8, specified: 41, only: "default") == .passed)
        #expect(try ending(standard: 41, specified: 41, only: "default") == .failed)
    }
}
