import KodamaEvidence
import KodamaLanguage
import KodamaSession
import KodamaSpeech
import KodamaWorld
import SansIO
import Testing

@testable import KodamaCoach

/// A scenario with one coach and nothing else: its run, its records and what was measured.
struct CoachStory {
    static let registry = SystemRegistry([.session, .coach])

    let trace: RecordedTrace
    let metrics: [MetricResult]
    let invariants: [InvariantResult]

    /// Runs a night from 22:00 to 23:00 of the next day, with an app whose keys begin with `app`, on a phone
    /// with such radios.
    init(
        app: String = "",
        wakes: String = "06:30:00",
        radios: String = "",
        parameters: String = "sleeper.kind: light",
        timeline: String = "",
        duration: String = "25h",
        clock: String = "22:00:00",
        material: SpeechMaterial? = nil,
        phones: Int = 1,
        seed: UInt64 = 1
    ) throws {
        let orders = timeline.isEmpty ? "" : "timeline:\n" + timeline
        let text = """
            version: 2
            scenario: story
            duration: \(duration)
            clock: \(clock)
            voice: \(material == nil ? "reachability" : "real")
            parameters: { \(parameters) }
            phones:
              - name: mika-phone
                count: \(phones)
                \(radios.isEmpty ? "" : "radios: { \(radios) }")
                apps: { coach: { \(app) wakes: [\(wakes)] } }
            \(orders)

            """
        let loader = ScenarioLoader(vocabulary: ScenarioVocabulary(systems: Self.registry))
        let scenario = try loader.load(text: text, file: "story.yaml")
        var world = try World(plan: scenario.points[0].plan, seed: seed, material: material)
        var sink = SinkPair(TraceRecorder(scenario: "story", seed: seed), RunMeter())
        try world.run(into: &sink)
        trace = sink.first.trace
        metrics = sink.second.metrics
        invariants = sink.second.invariants
    }

    /// The records of a form, with when they were written.
    func records<Form: TraceForm>(_ form: Form.Type) -> [(at: Instant, Form)] {
        trace.records.filter { $0.kind == Form.kind }.map { ($0.instant, Form($0)) }
    }

    /// What the sleeper did, in order.
    var deeds: [SleeperDeed] { records(SleeperActed.self).compactMap { $0.1.deed.value } }

    /// A share: the part and the whole.
    func share(_ name: String) throws -> (part: Int64, whole: Int64) {
        let metric = try #require(metrics.first { $0.name == name })
        guard case .proportion(let share) = metric.value else {
            throw StoryError("\(name) is no share")
        }
        return (share.numerator, share.denominator)
    }

    /// A sum of things.
    func count(_ name: String) throws -> Tally {
        let metric = try #require(metrics.first { $0.name == name })
        guard case .count(let tally) = metric.value else { throw StoryError("\(name) is no count") }
        return tally
    }
}

/// A metric of another form than the test expects.
struct StoryError: Error {
    let text: String
    init(_ text: String) { self.text = text }
}

extension Instant {
    /// The instant at a time of the second day of a story, which begins at 22:00.
    static func nextDay(_ hour: Int, _ minute: Int) -> Instant {
        Instant.zero.advanced(by: .seconds(7_200 + hour * 3_600 + minute * 60))
    }
}
