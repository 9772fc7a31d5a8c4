import ArgumentParser
import Foundation
import KodamaCommand
import KodamaHarness
import KodamaLanguage
import KodamaRecordings
import KodamaSpeech

/// Writes labelled recordings to judge speech detectors by.
struct ScenesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenes",
        abstract: "Writes recordings in noise whose truth is known, to judge speech detectors by.",
        discussion: """
            Recorded speech in clean, and in each noise at 20, 10, 5 and 0 dB from 0 to 8 kHz. For \
            each scene: NAME.48k.wav, NAME.16k.wav and NAME.truth.json, as kodama-lab vad --plot and \
            Scripts/vad-report read them. The same seed and packages give the same bytes.
            """
    )

    @Option(
        name: [.customShort("o"), .customLong("output"), .customLong("out")],
        help: .init("The folder for the scenes; created if missing.", valueName: "folder"),
        completion: .directory
    )
    var folder: String

    @Option(parsing: .unconditional, help: "How long each scene is.")
    var seconds = 150

    @Option(parsing: .unconditional, help: "The draw of speech and noise.")
    var seed: UInt64 = 1

    @Option(
        help: .init(
            "Only the scenes whose names begin so, such as wind or rain_05; may be repeated.",
            valueName: "name"
        )
    )
    var only: [String] = []

    @Flag(help: "Use the built-in synthetic voices instead of recordings.")
    var synthetic = false

    func validate() throws {
        guard (4...3_600).contains(seconds) else {
            throw ValidationError("--seconds \(seconds): from 4 to 3600")
        }
        let names = LabelledScenes.conditions.map(\.name)
        for word in only where !names.contains(where: { $0.hasPrefix(word) }) {
            let hint = Suggestion.nearest(to: word, among: names).map { "; did you mean '\($0)'?" }
            throw ValidationError("--only: no scene's name begins with '\(word)'\(hint ?? "")")
        }
    }

    func run() throws {
        try Outputs.makeFolder(folder, option: "--out")
        let voices: Voices
        do throws(SpeechCorpusError) {
            voices = try Voices(needsSound: true, isSynthetic: synthetic, decoder: G722.decode)
        } catch {
            throw Failure(.inputMissing, "\(error)")
        }
        guard let material = voices.material else { return }
        Terminal.remark(material.description)
        let scenes = LabelledScenes(material: material, seconds: seconds, seed: seed)
        for (number, condition) in LabelledScenes.conditions.enumerated()
        where only.isEmpty || only.contains(where: { condition.name.hasPrefix($0) }) {
            let (sound, speech) = scenes.scene(number)
            let path = Outputs.path(condition.name, in: folder)
            try Outputs.write(sound.data, to: "\(path).48k.wav")
            try Outputs.write(LabelledScenes.narrowed(sound).data, to: "\(path).16k.wav")
            try Outputs.write(scenes.truth(number, speech), to: "\(path).truth.json")
            try Terminal.say(path)
        }
    }
}
