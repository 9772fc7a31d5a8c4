import ArgumentParser
import Foundation
import KodamaLanguage

/// Writes a scenario to begin with.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes a commented scenario that runs as it is, to begin with.",
        discussion: """
            Two people talk over the intercom, or with --session one phone talks to an agent and loses \
            its network. Each line says what can stand there. 'kodama schema --output FILE' writes what \
            editors complete and check by.
            """
    )

    @Argument(help: "The file to write; - for stdout.", completion: .file(extensions: ["yaml"]))
    var file: String = "scenario.yaml"

    @Flag(help: "A phone with a voice session, instead of two with the intercom.")
    var session = false

    @Flag(help: "Write over a file that is there.")
    var force = false

    func run() throws {
        if file != "-" {
            guard force || !FileManager.default.fileExists(atPath: file) else {
                throw Failure(
                    .cannotWrite,
                    "'\(file)' is there already; name another file, or write over it with --force"
                )
            }
            try Outputs.prepare(file, option: "init")
        }
        let name = file == "-" ? "scenario" : Self.scenarioName(of: file)
        let text = (session ? ScenarioTemplate.session : ScenarioTemplate.intercom)(name)
        try Outputs.deliver(Data(text.utf8), to: file)
        if file != "-" { Terminal.remark("wrote \(file); now: kodama run \(file)") }
    }

    /// A name for the scenario in a file: what scenarios may be called, made from the file's name.
    private static func scenarioName(of file: String) -> String {
        let stem = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent.lowercased()
        let letters = stem.unicodeScalars.map { scalar -> Character in
            ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) ? Character(scalar) : "-"
        }
        let name = String(letters).split(separator: "-").joined(separator: "-")
        return name.first?.isLetter == true ? name : name.isEmpty ? "scenario" : "scenario-\(name)"
    }
}

/// The scenarios that 'init' writes.
private enum ScenarioTemplate {
    static func intercom(_ name: String) -> String {
        """
        # yaml-language-server: $schema=scenario.schema.json
        # Editors complete and check by that file; write it with: kodama schema --output scenario.schema.json
        version: 2
        scenario: \(name)
        summary: Two people talk over a good local link that is gone for two seconds.

        # How many runs, each with weather of its own; the same seed is the same run.
        seeds: 5
        # Every duration, rate and share carries its unit: 25s, 150ms, 2Mbps, 5%.
        duration: 40s
        # real: recorded speech, detector and codec. sized: no sound, some 80 times faster.
        voice: sized

        phones:
          - { name: left-phone, apps: { intercom: { group: ridge } } }
          - { name: right-phone, apps: { intercom: { group: ridge } } }

        # 'kodama list profiles' names all links; single values are changed here: forward: { loss: 2% }.
        links:
          - { between: [left-phone, right-phone], profile: local-clean }

        people:
          - { name: ann, holds: left-phone, voice: en-f }
          - { name: ben, holds: right-phone, voice: it-m }

        # A conversation after ITU-T P.59, then a story.
        talk:
          - { conversation: p59, between: [ann, ben], from: 1s, until: 20s }
          - { monologue: ann, at: 21s, for: 15s }

        # What is done to the world, and when.
        timeline:
          - at: 28s
            do: { stop: { link: left-phone/right-phone, for: 2s } }

        # Parameters of the app; 'kodama list parameters' names them, --set changes them for one run.
        # parameters: { vad.preroll: 100ms }

        # One run for each of several values: name them here, and write $loss where the value stands.
        # sweep: { loss: [0%, 2%, 5%] }

        # 'kodama list metrics' and 'kodama list invariants' name what can be expected.
        expect:
          - metric: voice.mouth_to_ear.time
            p95: "<= 120ms"
            # Fewer samples than this are no data, and no data is no pass.
            samples: 500
          - metric: voice.speech.gap.time
            max: "<= 2.2s"
          - invariant: voice.never-played-twice
          - invariant: voice.order-kept

        """
    }

    static func session(_ name: String) -> String {
        """
        # yaml-language-server: $schema=scenario.schema.json
        # Editors complete and check by that file; write it with: kodama schema --output scenario.schema.json
        version: 2
        scenario: \(name)
        summary: A phone in a voice session loses its network for a while, and both sides hear each other again.

        # How many runs, each with weather of its own; the same seed is the same run.
        seeds: 20
        # Every duration, rate and share carries its unit: 25s, 150ms, 2Mbps, 5%.
        duration: 120s
        # sized: frames of voice with sizes. reachability: whether voice is heard follows from the path, faster.
        voice: reachability

        # 'kodama list profiles' names all links.
        phones:
          - name: phone
            radios: { wifi: wifi-internet, cellular: lte-good }
            apps: { session: {} }

        # One run for each of these values; $outage stands for them below.
        sweep:
          outage: [2s, 10s]

        # What is done to the world, and when; at is counted from the start.
        timeline:
          - at: 30s
            do: { outage: { of: phone, for: $outage } }

        # Faults by chance, drawn anew for each seed.
        # faults:
        #   - { of: phone, every: 45s, from: 20s, until: 100s, kinds: { outage: 1, black-hole: 1 } }

        # Parameters of the app; 'kodama list parameters' names them, --set changes them for one run.
        # parameters: { session.retry_timeout: 4s }

        # 'kodama list metrics' and 'kodama list invariants' name what can be expected.
        expect:
          - metric: session.recovery.time
            p95: "<= 10s"
            # Fewer samples than this are no data, and no data is no pass.
            samples: 20
          - metric: session.unrecovered
            value: "== 0"
          - invariant: session.parts-sum
          - invariant: session.agent-survives

        """
    }
}
