import KodamaEvidence
import KodamaHarness
import KodamaLanguage
import KodamaSession
import KodamaWorld
import Testing

@testable import KodamaGuest

/// A run with guests on two phones, mika and bo, with a link between them.
struct GuestStory {
    static let registry = SystemRegistry([.session, .guest])

    let trace: RecordedTrace
    let outcome: RunOutcome

    /// The folder of the tests' guests.
    static let guests = folder("Guests")
    /// The folder of the guests that are shipped as examples.
    static let examples = folder("../../../Sources/Systems/Guest/Examples")

    private static func folder(_ path: String) -> String {
        let here = #filePath.split(separator: "/").dropLast().joined(separator: "/")
        return "/\(here)/\(path)"
    }

    /// The command of one of the tests' guests, which does what the word says.
    static func odd(_ word: String) -> String { "python3 '\(guests)/odd.py' \(word)" }

    /// The command of a guest that gives these orders once, at its first launch.
    static func once(_ orders: String...) -> String {
        odd("once") + " '[\(orders.joined(separator: ","))]'"
    }

    static let pigeon = "python3 '\(examples)/pigeon.py'"

    /// Runs `command` on mika and `other` on bo; throws what is wrong with the text, and the fault of a guest.
    init(
        _ command: String,
        and other: String = GuestStory.odd("mute"),
        settings: [String] = [],
        notifications: String = "granted",
        link: String = "loss: 20%",
        timeline: [String] = [],
        duration: String = "20s",
        seed: UInt64 = 1,
        programs: Programs? = nil
    ) throws {
        let orders = timeline.map { "  - \($0)\n" }.joined()
        let text = """
            version: 2
            scenario: story
            duration: \(duration)
            phones:
              - name: mika
                radios: { wifi: { profile: local-clean } }
                apps:
                  guest:
                    { program: one, opens: already, settings: \(settings), notifications: \(notifications) }
              - name: bo
                radios: { wifi: { profile: local-clean } }
                apps: { guest: { program: other, opens: already } }
            links:
              - { between: [mika, bo], profile: local-clean, \(link) }
            \(orders.isEmpty ? "" : "timeline:\n" + orders)
            """
        let loader = ScenarioLoader(vocabulary: ScenarioVocabulary(systems: Self.registry))
        var plan = try loader.load(text: text, file: "story.yaml").points[0].plan
        plan.systems = Self.registry.with(
            programs ?? Programs(commands: ["one": command, "other": other])
        )
        let run = SingleRun(plan: plan, seed: seed, material: nil)
        (outcome, trace) = try run.measure(keepingTraceOf: "story", level: .media)
    }

    /// The records of a form.
    func records<Form: TraceForm>(_ form: Form.Type) -> [Form] {
        trace.records.filter { $0.kind == Form.kind }.map { Form($0) }
    }

    /// What was said to and by mika's guest.
    var lines: [String] { outcome.transcripts["mika.guest"] ?? [] }

    /// What mika's guest was told of this kind, the lines' rest behind it.
    func told(_ event: String) -> [String] {
        let head = "\"event\":\"\(event)\""
        return lines.filter { $0.hasPrefix("> ") }
            .compactMap { line in line.firstRange(of: head).map { String(line[$0.upperBound...]) } }
    }

    /// A sum of things.
    func count(_ name: String) throws -> Int64 {
        let metric = try #require(outcome.evidence.metrics.first { $0.name == name })
        guard case .count(let tally) = metric.value else { return -1 }
        return tally.total
    }

    /// What a fault of a run with this guest says; a run without one is a failure of the test.
    static func fault(
        of command: String,
        patienceMilliseconds: Int = 10_000,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) -> String {
        var programs = Programs(commands: ["one": command, "other": odd("mute")])
        programs.patienceMilliseconds = patienceMilliseconds
        do {
            _ = try GuestStory(command, programs: programs)
        } catch WorldError.program(let text) {
            return text
        } catch {
            Issue.record("another error: \(error)", sourceLocation: sourceLocation)
            return ""
        }
        Issue.record("the run has no fault", sourceLocation: sourceLocation)
        return ""
    }
}
