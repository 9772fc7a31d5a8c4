import Foundation
@testable import KodamaEvidence
@testable import KodamaLanguage
import Testing

@Suite("Shipped scenarios")
struct ShippedScenarioTests {
    @Test("Every shipped scenario loads without a warning (HN-02)")
    func load() throws {
        let loader = try Fixture.standardLoader()
        let files = try Fixture.shipped()
        #expect(files.count >= 9)
        for file in files {
            let scenario = try loader.load(file: file)
            #expect(scenario.warnings.isEmpty, "\(file)")
            #expect(file.hasSuffix("/\(scenario.name).yaml"), "a scenario is named like its file")
        }
    }

    @Test("Every shipped scenario begins with the modeline that gives editors the schema (HN-02)")
    func modeline() throws {
        for file in try Fixture.shipped() {
            let depth = file.split(separator: "/").count - 2
            let up = String(repeating: "../", count: depth)
            let text = try Fixture.files.read(file).get()
            #expect(
                text.hasPrefix("# yaml-language-server: $schema=\(up)scenario.schema.json\n"),
                "\(file)"
            )
        }
    }

    @Test("Mouth to ear is gated where K-12 says and nowhere else at p95 (K-12)")
    func mouthToEarGates() throws {
        let loader = try Fixture.standardLoader()
        let limits: [String: [Int64]] = [
            "local-clean": [90_000_000, 120_000_000],
            "local-clean-sized": [90_000_000, 120_000_000],
            "internet-60": [150_000_000, 200_000_000],
        ]
        for file in try Fixture.shipped() {
            let scenario = try loader.load(file: file)
            let gates = scenario.expectations.gates.filter { $0.covers.contains("K-12") }
            #expect(gates.map(\.limit) == limits[scenario.name] ?? [], "\(file)")
            #expect(gates.allSatisfy { $0.minimumSamples >= 1000 }, "\(file)")
        }
    }

    @Test("Cut onsets are gated at the sender with real sound only (K-15)")
    func onsetGates() throws {
        let loader = try Fixture.standardLoader()
        for file in try Fixture.shipped() {
            let scenario = try loader.load(file: file)
            let metrics = scenario.expectations.gates.map(\.metric)
            // Without an app that carries samples, no sound is made; the intercom's alone has a detector.
            let apps = scenario.plan.phones.flatMap(\.apps)
            let isReal =
                scenario.plan.voice == .real
                && apps.contains {
                    $0.settings.carriesSamples && type(of: $0.settings).system == "intercom"
                }
            #expect(metrics.contains("voice.onset.clipped.sender.time") == isReal, "\(file)")
            #expect(metrics.contains("voice.speech.not_sent") == isReal, "\(file)")
            let listens =
                ["local-clean", "loss-1", "loss-5"].contains(scenario.name)
                || scenario.name.hasSuffix("db") || file.hasSuffix("intercom/mute.yaml")
            #expect(metrics.contains("voice.onset.clipped.listener.time") == listens, "\(file)")
        }
    }

    @Test("Every scenario that gates mouth to ear holds two monologues of 10 s or more (K-12)")
    func monologues() throws {
        let loader = try Fixture.standardLoader()
        for file in try Fixture.shipped() {
            let scenario = try loader.load(file: file)
            guard scenario.expectations.gates.contains(where: { $0.covers.contains("K-12") }) else {
                continue
            }
            var talkers: Set<String> = []
            for case .monologue(let person, _, let lasting) in scenario.plan.talk
            where lasting >= .seconds(10) {
                talkers.insert(person)
            }
            #expect(talkers.count == 2, "\(file)")
        }
    }
}
