import AppCoordination
import ArgumentParser
import Foundation
import Harness
import SansIO
import VoiceActivity

/// Shows what the detector and the talk gate make of recordings.
struct VadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vad",
        abstract: "Judges WAV files frame by frame and writes one CSV each.",
        discussion: """
            NAME.wav, NAME.16k.wav and NAME.48k.wav become NAME.csv with a line for each whole 20 ms \
            frame: start_ms, speech (the detector alone), state (the talk gate after the frame) and \
            score (0 to 1). A line depends on nothing after the end of its frame.
            """
    )

    @Argument(help: "16-bit PCM mono WAV files of 16 or 48 kHz; - for stdin.", completion: .file())
    var files: [String]

    @Option(
        name: .customLong("out"),
        help: .init("The folder for the CSV files; made if need be.", valueName: "folder"),
        completion: .directory
    )
    var folder: String

    @OptionGroup var parameters: ParameterOptions

    func run() throws {
        let configuration = try Settings.intercom(parameters.settings)
        let outputs = try plannedOutputs()
        try Outputs.makeFolder(folder, option: "--out")
        var results: [(path: String, text: String)] = []
        for (input, output) in outputs {
            let wave = try WaveFiles.read(input)
            guard let rate = SampleRate(rawValue: wave.sampleRateHertz) else {
                throw Failure(
                    .inputMissing,
                    "\(input): it has \(wave.sampleRateHertz) samples a second; 16000 or 48000 are needed"
                )
            }
            results.append((output, csv(of: wave.samples, rate, configuration)))
        }
        // Only when all inputs have been read: a mistake in the last loses nothing.
        for (path, text) in results { try Outputs.write(text, to: path) }
        for (path, _) in results { try Terminal.say(path) }
    }

    /// The CSV of each input; two inputs must not share one, but one may be named twice.
    private func plannedOutputs() throws -> [(input: String, output: String)] {
        var planned: [(input: String, output: String)] = []
        for input in files {
            var name = input == "-" ? "stdin" : URL(fileURLWithPath: input).lastPathComponent
            for ending in [".wav", ".WAV", ".16k", ".48k"] where name.hasSuffix(ending) {
                name.removeLast(ending.count)
            }
            let output = Outputs.path(name + ".csv", in: folder)
            if planned.contains(where: { $0.input == input }) { continue }
            if let other = planned.first(where: { $0.output == output }) {
                throw Failure(.usage, "\(other.input) and \(input) would both become \(output)")
            }
            planned.append((input, output))
        }
        return planned
    }

    private func csv(
        of samples: [Int16],
        _ rate: SampleRate,
        _ configuration: IntercomConfiguration
    ) -> String {
        let report = samples.withUnsafeBufferPointer { samples in
            VoiceActivityReport(
                pcm: samples,
                sampleRate: rate,
                detector: configuration.detector,
                gate: configuration.gate
            )
        }
        return report.frames.reduce(into: "start_ms,speech,state,score\n") { text, frame in
            text += "\(frame.startMilliseconds),\(frame.decision.isSpeech ? 1 : 0),"
            text += "\(frame.state.name),"
            text += "\(Decimals.text(Int64(frame.decision.score), over: 1_000))\n"
        }
    }
}
