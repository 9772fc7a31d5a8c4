@testable import KodamaLanguage
@testable import KodamaSimulation
import SansIO
import Testing

@Suite("Directions of links")
struct DirectionTests {
    @Test("Forward is from the phone that an order names first, in whatever order (HN-02)")
    func phones() throws {
        let link = "mika-phone/taro-phone"
        let turned = "taro-phone/mika-phone"
        let scenario = try Fixture.load(
            replacing: "expect:",
            with: """
                timeline:
                  - { at: 20s, do: { stop: { link: \(link), for: 2s, ways: forward } } }
                  - { at: 30s, do: { stop: { link: \(turned), for: 2s, ways: forward } } }
                  - { at: 40s, do: { jam: { link: \(turned), for: 2s, ways: backward } } }
                  - { at: 45s, do: { jam: { link: \(turned), for: 2s } } }
                  - at: 50s
                    do:
                      change:
                        link: \(turned)
                        profile: local-clean
                        forward: { loss: 100% }
                expect:
                """
        )
        let timeline = scenario.plan.timeline
        #expect(timeline.map(\.target) == Array(repeating: link, count: 5))
        let acts = timeline.map { $0.act as? LinkAct }
        #expect(acts[0] == .disrupt(.stopped, .forward, lasting: .seconds(2)))
        #expect(acts[1] == .disrupt(.stopped, .backward, lasting: .seconds(2)))
        #expect(acts[2] == .disrupt(.jammed, .forward, lasting: .seconds(2)))
        #expect(acts[3] == .disrupt(.jammed, .both, lasting: .seconds(2)))
        guard case .change(let profile) = acts[4] else {
            Issue.record("the fifth act is no change")
            return
        }
        let all = LossModel.independent(Probability(partsPerMillion: 1_000_000))
        #expect(profile.backward.loss == all)
        #expect(profile.forward.loss != all)
        let again = try Fixture.loader.load(text: scenario.resolved.yaml, file: "story.yaml")
        #expect(again.plan.timeline == timeline)
    }

    @Test("Forward is up from the phone, however an order names the link of its radio (HN-02)")
    func radios() throws {
        for link in ["mika-phone/wifi", "wifi/mika-phone"] {
            let order = "{ stop: { link: \(link), for: 2s, ways: forward } }"
            let scenario = try Fixture.loadSession(
                replacing: "timeline:\n",
                with: "timeline:\n  - { at: 10s, do: \(order) }\n"
            )
            let entry = scenario.plan.timeline[0]
            #expect(entry.target == "mika-phone/wifi")
            let act = entry.act as? LinkAct
            #expect(act == .disrupt(.stopped, .forward, lasting: .seconds(2)))
        }
    }
}
