import AppCoordination
@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaLanguage
@testable import KodamaSimulation
import OpusAudio
import SansIO
import Testing
import VoiceActivity

@Suite("From scenario to plan")
struct PlanTests {
    @Test("What is silent holds by default (HN-02)")
    func defaults() throws {
        let scenario = try Fixture.load()
        #expect(scenario.name == "story")
        #expect(scenario.seeds == 1)
        #expect(scenario.firstSeed == 1)
        #expect(scenario.plan.voice == .real)
        #expect(scenario.plan.duration == .seconds(60))
        #expect(scenario.plan.phones.map(\.name) == ["mika-phone", "taro-phone"])
        #expect(scenario.plan.phones[0].intercom?.configuration == IntercomConfiguration())
        #expect(
            scenario.plan.talk == [
                .conversation(people: ["mika", "taro"], from: .zero, until: .seconds(60))
            ]
        )
        #expect(scenario.gateLocations.map(\.line) == [16])
    }

    @Test("A link's own keys change both directions, a direction's only its own (HN-02)")
    func directions() throws {
        let scenario = try Fixture.load(
            replacing: "profile: local-clean",
            with: """
                profile: local-clean, rate: 2Mbps, loss: { gilbert_elliott: { p: 1.75%, r: 33.3% } },
                      queue: { codel: {} }, jitter: { half_normal: 3ms }, largest_packet: 1000B,
                      forward: { delay: 20ms, rate: unlimited }, backward: { loss: 5%, reordering: true }
                """
        )
        let profile = scenario.plan.links[0].profile
        #expect(scenario.plan.links[0].name == "mika-phone/taro-phone")
        #expect(profile.forward.capacity == .unlimited)
        #expect(profile.backward.capacity == .rate(DataRate(bitsPerSecond: 2_000_000)))
        #expect(profile.forward.delay == .milliseconds(20))
        #expect(profile.backward.delay == .milliseconds(8))
        #expect(
            profile.forward.loss
                == .gilbert(
                    p: Probability(partsPerMillion: 17_500),
                    r: Probability(partsPerMillion: 333_000)
                )
        )
        #expect(profile.backward.loss == .independent(Probability(partsPerMillion: 50_000)))
        #expect(profile.backward.allowsReordering)
        #expect(!profile.forward.allowsReordering)
        #expect(profile.forward.jitter == .halfNormal(deviation: .milliseconds(3)))
        #expect(profile.forward.maximumBytes == 1000)
        #expect(
            profile.forward.queue
                == .coDel(
                    target: .milliseconds(5),
                    interval: .milliseconds(100),
                    limitBytes: 64_000
                )
        )
    }

    @Test("A timeline names links in either order, and triggers of both kinds (HN-02)")
    func timeline() throws {
        let scenario = try Fixture.load(
            replacing: "expect:",
            with: """
                timeline:
                  - { at: 30s, do: { stop: { link: taro-phone/mika-phone, for: 2s } } }
                  - after: { event: speech.began, of: mika, count: 2, delay: 100ms }
                    do: { slow: { link: mika-phone/taro-phone, for: 3s, by: 80ms } }
                  - { at: 50s, do: { change: { link: mika-phone/taro-phone, profile: internet-60, loss: 1% } } }
                expect:
                """
        )
        let link = "mika-phone/taro-phone"
        #expect(scenario.plan.timeline.count == 3)
        #expect(
            scenario.plan.timeline[0]
                == TimelineEntry(
                    LinkAct.disrupt(.stopped, lasting: .seconds(2)),
                    to: link,
                    trigger: .at(.seconds(30))
                )
        )
        #expect(
            scenario.plan.timeline[1]
                == TimelineEntry(
                    LinkAct.disrupt(.slowed(by: .milliseconds(80)), lasting: .seconds(3)),
                    to: link,
                    trigger: .after(
                        event: "speech.began",
                        of: "mika",
                        count: 2,
                        delay: .milliseconds(100)
                    )
                )
        )
        let trigger = try #require(scenario.points[0].triggers.first)
        #expect(scenario.points[0].triggers.count == 1)
        #expect([trigger.event, trigger.component] == ["speech.began", "mika"])
        #expect([trigger.count, trigger.entry, trigger.location.line] == [2, 1, 16])
        guard case .change(let profile) = scenario.plan.timeline[2].act as? LinkAct else {
            Issue.record("the third act is no change")
            return
        }
        #expect(scenario.plan.timeline[2].target == link)
        #expect(profile.name == "internet-60")
        #expect(profile.forward.loss == .independent(Probability(partsPerMillion: 10_000)))
    }

    @Test("Each statistic of an entry becomes a gate in the metric's unit (HN-03)")
    func gates() throws {
        let scenario = try Fixture.load(
            replacing: "    p95: \"<= 120ms\"\n",
            with: """
                    p50: "< 90ms"
                    p99.9: "<= 0.4s"
                    share_above 20ms: "<= 1.5%"
                    count: ">= 1000"
                    warn: { p50: "< 80ms" }
                    samples: 1000
                    covers: [K-12]
                  - { metric: voice.late, value: "<= 0.1%", allow_no_data: true }
                  - { metric: voice.bytes, value: "<= 64kB" }
                  - { metric: voice.mos.estimated, min: ">= 3.6" }
                  - { metric: voice.duplicates.played, value: "== 0" }
                  - { invariant: voice.order-kept, covers: [K-14] }

                """
        )
        let gates = scenario.expectations.gates
        #expect(
            gates.map(\.statistic) == [
                .quantile(perMille: 500), .quantile(perMille: 999), .shareAbove(20_000_000),
                .count, .value, .value, .minimum, .value,
            ]
        )
        #expect(
            gates.map(\.limit) == [90_000_000, 400_000_000, 15_000, 1000, 1000, 64_000, 3600, 0]
        )
        #expect(
            gates.map(\.comparison) == [
                .below, .atMost, .atMost, .atLeast, .atMost, .atMost, .atLeast, .equal,
            ]
        )
        #expect(gates.map(\.warningLimit) == [80_000_000] + Array(repeating: nil, count: 7))
        #expect(gates[..<4].allSatisfy { $0.minimumSamples == 1000 && $0.covers == ["K-12"] })
        #expect(
            gates.map(\.allowsNoData) == [false, false, false, false, true, false, false, false]
        )
        #expect(scenario.expectations.invariants == ["voice.order-kept"])
        #expect(scenario.expectations.covers == ["K-12", "K-14"])
    }

    @Test("Parameters win in this order: command line, phone, scenario, default (HN-05)")
    func parameterOrder() throws {
        let scenario = try Fixture.loader.load(
            text: Fixture.valid.replacing(
                "phones:\n  - { name: mika-phone, apps: { intercom: {} } }",
                with: """
                    parameters: { vad.attack: 40ms, vad: { release: 200ms }, opus.fec: true }
                    phones:
                      - { name: mika-phone, parameters: { vad.release: 400ms, opus.bitrate: 16kbps }, apps: { intercom: {} } }
                    """
            ),
            file: "story.yaml",
            settings: ["opus.bitrate=32kbps", "opus.expected_loss=5%"]
        )
        let mika = try #require(scenario.plan.phones[0].intercom?.configuration)
        let taro = try #require(scenario.plan.phones[1].intercom?.configuration)
        #expect(mika.gate.attack == .milliseconds(40))
        #expect(mika.gate.release == .milliseconds(400))
        #expect(taro.gate.release == .milliseconds(200))
        #expect(mika.codec.bitrate == DataRate(bitsPerSecond: 32_000))
        #expect(taro.codec.bitrate == DataRate(bitsPerSecond: 32_000))
        #expect(taro.codec.expectedLossPercent == 5)
        #expect(taro.codec.usesInBandFEC)
        #expect(taro.jitterBuffer == IntercomConfiguration().jitterBuffer)
    }

    @Test("What a scenario extends holds where it is silent; parameters merge by name (HN-02)")
    func inheritance() throws {
        let base = Fixture.valid.replacing(
            "phones:",
            with: "seeds: 7\nparameters: { vad: { attack: 40ms, release: 200ms } }\nphones:"
        )
        let files = FileReader { path in
            path == "stories/base.yaml" ? .success(base) : .failure(FileReadError(.missing))
        }
        let loader = ScenarioLoader(vocabulary: Fixture.vocabulary, files: files)
        let scenario = try loader.load(
            text: """
                version: 2
                scenario: heir
                extends: ./more/../base.yaml
                duration: 30s
                parameters: { vad.release: 300ms }
                """,
            file: "stories/heir.yaml"
        )
        #expect(scenario.name == "heir")
        #expect(scenario.seeds == 7)
        #expect(scenario.plan.duration == .seconds(30))
        let gate = try #require(scenario.plan.phones[0].intercom?.configuration.gate)
        #expect(gate.attack == .milliseconds(40))
        #expect(gate.release == .milliseconds(300))
        #expect(scenario.gateLocations.map(\.file) == ["stories/base.yaml"])
    }

    @Test("A trace file becomes the link's capacity (HN-02)")
    func trace() throws {
        let files = FileReader { path in
            path == "traces/slow.up" ? .success("0\n5\n5\n12\n") : .failure(FileReadError(.missing))
        }
        let loader = ScenarioLoader(vocabulary: Fixture.vocabulary, files: files)
        let scenario = try loader.load(
            text: Fixture.valid.replacing(
                "profile: local-clean",
                with: "profile: local-clean, forward: { trace: traces/slow.up }"
            ),
            file: "story.yaml"
        )
        let trace = DeliveryTrace(name: "traces/slow.up", milliseconds: [0, 5, 5, 12])
        #expect(scenario.plan.links[0].profile.forward.capacity == .opportunities(trace))
        #expect(scenario.plan.links[0].profile.backward.capacity == .unlimited)
    }
}
