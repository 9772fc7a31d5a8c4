import KodamaShipped
import Foundation
@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaLanguage
@testable import KodamaSession
@testable import KodamaSimulation
import SansIO

/// What a scenario without a sweep says, which is what most tests look at.
extension Scenario {
    var seeds: Int { points[0].seeds }
    var firstSeed: UInt64 { points[0].firstSeed }
    var plan: WorldPlan { points[0].plan }
    var expectations: Expectations { points[0].expectations }
    var gateLocations: [SourceLocation] { points[0].gateLocations }
    var resolved: ResolvedScenario { points[0].resolved }
}

extension PhonePlan {
    /// Its intercom app, if it has one.
    var intercom: IntercomAppPlan? { settings(of: IntercomAppPlan.self) }
    /// Its session app, if it has one.
    var session: SessionAppPlan? { settings(of: SessionAppPlan.self) }
}

/// Files and names that the tests share.
enum Fixture {
    /// This folder.
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// The root of the repository.
    static let repository = URL(fileURLWithPath: folder)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// Reads files by the path that messages show: relative to the repository or to this folder.
    static let files = FileReader { path in
        let inRepository = path.hasPrefix("Scenarios/")
        return FileReader.disk.read("\(inRepository ? repository : folder)/\(path)")
    }

    /// A vocabulary that no other part of the repository can change.
    static let vocabulary: ScenarioVocabulary = {
        var vocabulary = ScenarioVocabulary(
            systems: .shipped,
            requirements: ["K-12", "K-14", "S-VAD-001"],
            voices: ["en-f", "it-m", "synthetic"]
        )
        vocabulary.profiles = [
            profile("local-clean", delay: .milliseconds(8)),
            profile("internet-60", delay: .milliseconds(60)),
            profile("lte-good", delay: .milliseconds(25)),
        ]
        vocabulary.metrics = [
            metric("voice.mouth_to_ear.time", .nanoseconds, .distribution),
            metric("voice.late", .partsPerMillion, .proportion),
            metric("voice.duplicates.played", .count, .count),
            metric("voice.bytes", .bytes, .count),
            metric("voice.mos.estimated", .thousandthsMOS, .distribution),
        ]
        vocabulary.invariants = ["voice.order-kept", "voice.sent-once"]
        vocabulary.eventKinds = ["speech.began", "speech.ended"]
        return vocabulary
    }()

    /// A loader with that vocabulary.
    static let loader = ScenarioLoader(vocabulary: vocabulary, files: files)

    /// A loader with the simulator's own catalogues and the repository's requirements.
    static func standardLoader() throws -> ScenarioLoader {
        let file = "Scenarios/\(RequirementList.fileName)"
        let text = try files.read(file).get()
        let requirements = try RequirementList.load(text: text, file: file)
        return ScenarioLoader(
            vocabulary: ScenarioVocabulary(
                systems: .shipped,
                requirements: requirements.map(\.id),
                voices: ["en-f", "it-m", "synthetic"]
            ),
            files: files
        )
    }

    /// The scenarios of the repository, by the path that messages show.
    static func shipped() throws -> [String] {
        try ScenarioFiles.find(under: "\(repository)/Scenarios")
            .map { String($0.dropFirst(repository.count + 1)) }
    }

    /// A valid scenario to change.
    static let valid = """
        version: 2
        scenario: story
        duration: 60s
        phones:
          - { name: mika-phone, apps: { intercom: {} } }
          - { name: taro-phone, apps: { intercom: {} } }
        links:
          - { between: [mika-phone, taro-phone], profile: local-clean }
        people:
          - { name: mika, holds: mika-phone }
          - { name: taro, holds: taro-phone }
        talk:
          - { conversation: p59, between: [mika, taro] }
        expect:
          - metric: voice.mouth_to_ear.time
            p95: "<= 120ms"

        """

    /// A valid scenario of one phone with a session to change.
    static let session = """
        version: 2
        scenario: commute
        duration: 180s
        clock: 06:30:00
        phones:
          - name: mika-phone
            radios: { wifi: local-clean, cellular: lte-good }
            apps: { session: {} }
        people:
          - { name: mika, holds: mika-phone }
        talk:
          - { turns: mika, every: 15s, for: 3s, from: 5s, until: 60s }
        timeline:
          - { at: 20s, do: { outage: { of: mika-phone, for: 10s } } }
        faults:
          - { of: mika-phone, kinds: { outage: 4, handover: 2 }, every: 60s, from: 100s }
        expect:
          - metric: voice.late
            value: "<= 1%"

        """

    /// Loads the session's scenario with one piece of text replaced.
    static func loadSession(
        replacing piece: String = "",
        with other: String = "",
        settings: [String] = []
    ) throws(InvalidScenario) -> Scenario {
        let text = piece.isEmpty ? session : session.replacingOccurrences(of: piece, with: other)
        return try loader.load(text: text, file: "commute.yaml", settings: settings)
    }

    /// The timeline of the session's scenario with other entries.
    static func sessionTimeline(
        _ entries: String...
    ) throws(InvalidScenario) -> [TimelineEntry] {
        try loadSession(
            replacing: "  - { at: 20s, do: { outage: { of: mika-phone, for: 10s } } }",
            with: entries.map { "  - \($0)" }.joined(separator: "\n")
        ).plan.timeline
    }

    /// Loads the session's scenario with other keys of its phone, without what needs two radios.
    static func loadSession(phone keys: String) throws(InvalidScenario) -> Scenario {
        let text =
            session
            .replacing("radios: { wifi: local-clean, cellular: lte-good }", with: keys)
            .replacing("{ outage: 4, handover: 2 }", with: "{ mute: 1 }")
            .replacing(
                "outage: { of: mika-phone, for: 10s }",
                with: "api: { does: silent, for: 1s }"
            )
        return try loader.load(text: text, file: "commute.yaml")
    }

    /// Loads the valid scenario with one piece of text replaced.
    static func load(
        replacing piece: String = "",
        with other: String = "",
        settings: [String] = []
    ) throws(InvalidScenario) -> Scenario {
        let text = piece.isEmpty ? valid : valid.replacingOccurrences(of: piece, with: other)
        return try loader.load(text: text, file: "story.yaml", settings: settings)
    }

    /// The diagnostics of a load that must fail.
    static func diagnostics(
        replacing piece: String = "",
        with other: String = "",
        settings: [String] = []
    ) -> [Diagnostic] {
        do throws(InvalidScenario) {
            return try load(replacing: piece, with: other, settings: settings).warnings
        } catch {
            return error.diagnostics
        }
    }

    private static func profile(_ name: String, delay: Duration) -> LinkProfile {
        var direction = LinkDirection()
        direction.delay = delay
        return LinkProfile(name: name, summary: "", source: "", forward: direction)
    }

    private static func metric(
        _ name: String,
        _ unit: MetricUnit,
        _ form: MetricForm
    ) -> MetricDescription {
        MetricDescription(
            name: name,
            unit: unit,
            form: form,
            direction: .lower,
            meaning: "",
            source: ""
        )
    }
}
