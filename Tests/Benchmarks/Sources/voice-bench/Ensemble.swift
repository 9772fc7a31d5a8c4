import Evidence
import Harness
import SansIO
import Scenarios
import Simulation
import Speech

/// Phones whose people converse two by two, all at once and all within hearing.
struct Ensemble {
    /// What the rows are called.
    let name: String
    /// The people, two by two in conversation.
    let people: [String]
    /// Whether they are a group with keys, probes and a second path.
    let isSecured: Bool
    let radios: String
    let link: String

    static let sliceSeconds = 600

    /// Two phones over the clean local link.
    static let two = Ensemble(
        name: "two phones",
        people: ["mika", "taro"],
        isSecured: false,
        radios: "",
        link: "local-clean"
    )

    /// Six phones that are everything a group of the intercom is.
    static let six = Ensemble(
        name: "six phones",
        people: ["mika", "taro", "jun", "nao", "rin", "sora"],
        isSecured: true,
        radios: "radios: { cellular: { profile: lte-good } }, ",
        link: "awdl-near"
    )

    /// What its runs are made of.
    func plan(voice: VoiceMode, seconds: Int) throws -> WorldPlan {
        let loader = ScenarioLoader(vocabulary: .standard(requirements: [], voices: []))
        let text = text(voice: voice, seconds: seconds)
        let scenario = try loader.load(text: text, file: "\(name).yaml")
        guard let plan = scenario.points.first?.plan else {
            preconditionFailure("a scenario without a sweep has a point")
        }
        return plan
    }

    private func text(voice: VoiceMode, seconds: Int) -> String {
        var lines = [
            "version: 2", "scenario: ensemble", "duration: \(seconds)s",
            "voice: \(voice == .real ? "real" : "sized")", "phones:",
        ]
        let app = "group: ridge\(isSecured ? ", secured: true" : "")"
        for person in people {
            lines.append("  - { name: \(person)-phone, \(radios)apps: { intercom: { \(app) } } }")
        }
        lines.append("links:")
        for (place, first) in people.enumerated() {
            for second in people.dropFirst(place + 1) {
                lines.append(
                    "  - { between: [\(first)-phone, \(second)-phone], profile: \(link) }"
                )
            }
        }
        lines.append("people:")
        for person in people { lines.append("  - { name: \(person), holds: \(person)-phone }") }
        lines.append("talk:")
        for pair in pairs {
            lines.append(
                "  - { conversation: p59, between: [\(pair.0), \(pair.1)], from: 1s, "
                    + "until: \(seconds - 1)s }"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var pairs: [(String, String)] {
        stride(from: 0, to: people.count, by: 2).map { (people[$0], people[$0 + 1]) }
    }

    /// The people's sound, as the world makes it of the same plan and seed.
    func tracks(_ material: SpeechMaterial, seed: UInt64, seconds: Int) -> [TalkTrack] {
        let until = Instant.zero.advanced(by: .seconds(seconds - 1))
        let turns = pairs.flatMap { pair in
            let turns = Conversation.turns(
                between: pair.0,
                and: pair.1,
                seed: seed,
                from: Instant.zero.advanced(by: .seconds(1)),
                until: until
            )
            return [turns.first, turns.second]
        }
        return zip(people, turns).enumerated().map { place, said in
            let pieces = Conversation.fill(
                said.1,
                with: material.voice(forPlace: place),
                person: said.0,
                seed: seed,
                until: until
            )
            return TalkTrack(person: said.0, material: material, pieces: pieces)
        }
    }
}
