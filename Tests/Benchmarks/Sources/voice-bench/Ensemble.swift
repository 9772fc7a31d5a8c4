import KodamaEvidence
import KodamaHarness
import KodamaIntercom
import KodamaLanguage
import KodamaSimulation
import KodamaSpeech
import SansIO

/// Phones whose people converse two by two, all within hearing of each other.
struct Ensemble {
    /// What the rows are called.
    let name: String
    /// The people, two by two in conversation.
    let people: [String]
    /// Whether they are a group with keys, probes and a second path.
    let isSecured: Bool
    /// Whether the pairs converse one after the other, each for its part of the time, or all at once.
    let isInTurn: Bool
    let radios: String
    let link: String

    static let sliceSeconds = 600

    /// Two phones over the clean local link.
    static let two = Ensemble(
        name: "two phones",
        people: ["mika", "taro"],
        isSecured: false,
        isInTurn: false,
        radios: "",
        link: "local-clean"
    )

    /// Six phones that are everything a group of the intercom is, with three conversations at once.
    static let six = sixPhones("six phones, all talking", isInTurn: false)

    /// The same phones with one conversation at a time, as people in one group have it.
    static let sixInTurn = sixPhones("six phones, one conversation at a time", isInTurn: true)

    private static func sixPhones(_ name: String, isInTurn: Bool) -> Ensemble {
        Ensemble(
            name: name,
            people: ["mika", "taro", "jun", "nao", "rin", "sora"],
            isSecured: true,
            isInTurn: isInTurn,
            radios: "radios: { cellular: { profile: lte-good } }, ",
            link: "awdl-near"
        )
    }

    /// What its runs are made of.
    func plan(voice: VoiceMode, seconds: Int) throws -> WorldPlan {
        let loader = ScenarioLoader(
            vocabulary: ScenarioVocabulary(systems: SystemRegistry([.intercom]))
        )
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
        for talk in conversations(seconds: seconds) {
            lines.append(
                "  - { conversation: p59, between: [\(talk.pair.0), \(talk.pair.1)], "
                    + "from: \(talk.from)s, until: \(talk.until)s }"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Who converses from when until when.
    private func conversations(
        seconds: Int
    ) -> [(pair: (String, String), from: Int, until: Int)] {
        let pairs = stride(from: 0, to: people.count, by: 2).map {
            (people[$0], people[$0 + 1])
        }
        guard isInTurn else { return pairs.map { ($0, 1, seconds - 1) } }
        let part = (seconds - 2) / pairs.count
        return pairs.enumerated().map { place, pair in
            (pair, 1 + place * part, (place + 1) * part)
        }
    }

    /// The people's sound, as the world makes it of the same plan and seed.
    func tracks(_ material: SpeechMaterial, seed: UInt64, seconds: Int) -> [TalkTrack] {
        let said = conversations(seconds: seconds).flatMap { talk in
            let until = Instant.zero.advanced(by: .seconds(talk.until))
            let turns = Conversation.turns(
                between: talk.pair.0,
                and: talk.pair.1,
                seed: seed,
                from: Instant.zero.advanced(by: .seconds(talk.from)),
                until: until
            )
            return [(talk.pair.0, turns.first, until), (talk.pair.1, turns.second, until)]
        }
        return said.enumerated().map { place, said in
            let pieces = Conversation.fill(
                said.1,
                with: material.voice(forPlace: place),
                person: said.0,
                seed: seed,
                until: said.2
            )
            return TalkTrack(person: said.0, material: material, pieces: pieces)
        }
    }
}
