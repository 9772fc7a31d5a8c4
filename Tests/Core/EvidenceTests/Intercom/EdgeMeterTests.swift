@testable import KodamaEvidence
@testable import KodamaIntercom
import Testing

@Suite("The edges of talk spurts at a speaker")
struct EdgeMeterTests {
    @Test("Steps and levels are samples, and those steeper than speech are audible (D-14)")
    func edges() throws {
        var builder = TraceBuilder(Timeline.names)
        for (place, (step, speech, before, after)) in [
            (40, 0, 0, 10_000), (900, 800, 10_000, 0), (800, 800, 10_000, 5_012),
            (30, 800, 100, 100),
        ].enumerated() {
            builder.add(
                EdgeSounded(
                    step: Int64(step),
                    usualStep: Int64(speech),
                    levelBefore: Int64(before),
                    levelAfter: Int64(after)
                ),
                at: Int64(place) * 1_000,
                "ren-phone",
                "aoi-phone"
            )
        }
        builder.end(at: 10_000)
        let findings = Findings(builder.trace)
        let steps = try #require(findings.distribution("voice.edge.step.pcm16"))
        #expect((steps.count, steps.minimum, steps.maximum) == (4, 30, 900))
        // The first came before it was known how steep speech is.
        #expect(findings.proportion("voice.edge.audible") == [1, 3])
        let levels = try #require(findings.distribution("voice.edge.level.db"))
        #expect((levels.count, levels.minimum, levels.maximum) == (4, 0, 40))
        #expect(levels.quantile(perMille: 500) == 3)
        let worst = RunMeter.of(builder.trace).metrics.first { $0.name == "voice.edge.step.pcm16" }?
            .worst
        #expect(worst?.value == 900 && worst?.component == "ren-phone")
    }
}
