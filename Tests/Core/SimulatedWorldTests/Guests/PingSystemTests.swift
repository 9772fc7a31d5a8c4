import Foundation
@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaShipped
@testable import KodamaSimulation
@testable import KodamaWorld
import SansIO
import Testing

@Suite("A system that the product does not have")
struct PingSystemTests {
    private static let systems = SystemRegistry(.shipped + [.ping])

    private static let text = """
        version: 2
        scenario: pings
        duration: 30s
        parameters: { ping.interval: 2s }
        phones:
          - name: mika-phone
            radios: { wifi: local-clean }
            apps: { ping: { partner: taro-phone } }
          - name: taro-phone
            radios: { cellular: lte-good }
            apps: { ping: { partner: mika-phone } }
        timeline:
          - { at: 20s, do: { burst: { of: mika-phone, count: 5 } } }
        expect:
          - { metric: ping.time, p95: "<= 100ms", samples: 20 }

        """

    private func load(_ text: String = text) throws -> Scenario {
        let loader = ScenarioLoader(
            vocabulary: ScenarioVocabulary(systems: Self.systems),
            files: FileReader { _ in .failure(FileReadError(.missing)) }
        )
        return try loader.load(text: text, file: "pings.yaml")
    }

    private func run(_ plan: WorldPlan) throws -> (trace: RecordedTrace, meter: RunMeter) {
        var world = try World(plan: plan, seed: 1, material: nil)
        var sink = SinkPair(TraceRecorder(scenario: plan.name, seed: 1), RunMeter())
        try world.run(into: &sink)
        return (sink.first.trace, sink.second)
    }

    @Test("Phones ping one another through a relay: a file, a run, a trace and a gate (HN-02)")
    func pings() throws {
        let scenario = try load()
        let (trace, meter) = try run(scenario.points[0].plan)
        let heard = trace.records.filter { $0.kind == PingHeard.kind }
        let names = Set(heard.map { trace.directory.name(of: $0.component) })
        #expect(names == ["mika-phone.ping", "taro-phone.ping"])
        let burst = heard.filter { $0.instant.nanoseconds / 100_000_000 == 200 }
        #expect(burst.count >= 5, "the timeline's verb")
        #expect((28...36).contains(heard.count), "the parameter's pace: \(heard.count)")
        let time = meter.metrics.first { $0.name == "ping.time" }
        guard case .distribution(let times) = try #require(time).value else {
            Issue.record("ping.time is no distribution")
            return
        }
        #expect(times.count == heard.count)
        // Up over one radio and down over the other.
        let profiles = scenario.points[0].plan.phones.flatMap(\.radios).map(\.profile)
        let least = profiles[0].forward.delay + profiles[1].backward.delay
        #expect(times.minimum ?? 0 >= least.wholeNanoseconds)
        #expect(scenario.points[0].expectations.gates.map(\.metric) == ["ping.time"])
    }

    @Test("A mistake in its part of a file is pointed at like any other (HN-02)")
    func mistakes() {
        let text = Self.text.replacingOccurrences(of: "count: 5", with: "count: 500")
        #expect(throws: InvalidScenario.self) { try load(text) }
    }
}
