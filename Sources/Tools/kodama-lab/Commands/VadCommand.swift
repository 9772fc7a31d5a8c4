import AppCoordination
import ArgumentParser
import Foundation
import KodamaCommand
import KodamaHarness
import SansIO
import VoiceActivity

/// Shows what the detector and the talk gate make of recordings.
struct VadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vad",
        abstract: "Judges WAV files frame by frame; writes one CSV each, or draws one.",
        discussion: """
            NAME.wav, NAME.16k.wav and NAME.48k.wav become NAME.csv with a line for each whole 20 ms \
            frame: start_ms, speech (the detector alone), state (the talk gate after the frame) and \
            score (how much it resembles speech, 0 to 1), which is held against a threshold that moves \
            with the scores before it. A line depends on nothing after the end of its frame. Without \
            --out and --plot, the CSV of a single recording goes to stdout.

            --plot draws one recording: waveform, score, threshold and states, and the truth where \
            NAME.truth.json lies beside it, a JSON object whose speech_ms lists pairs of milliseconds.
            """
    )

    @Argument(help: "16-bit PCM mono WAV files of 16 or 48 kHz; - for stdin.", completion: .file())
    var files: [String]

    @Option(
        name: [.customShort("o"), .customLong("output"), .customLong("out")],
        help: .init("The folder for the CSV files; created if missing.", valueName: "folder"),
        completion: .directory
    )
    var folder: String?

    @Option(
        help: .init("Draw the one recording into this SVG file; - for stdout.", valueName: "file"),
        completion: .file(extensions: ["svg"])
    )
    var plot: String?

    @Flag(help: "Say on stderr how much processor time a frame took.")
    var speed = false

    @OptionGroup var parameters: ParameterOptions

    func validate() throws {
        if folder == nil, plot == nil, files.count > 1 {
            throw ValidationError("--out FOLDER is needed: stdout takes one CSV, not several")
        }
        if plot != nil, Set(files).count > 1 {
            throw ValidationError("--plot draws one recording, and \(files.count) are named")
        }
    }

    func run() throws {
        let truths = files.map { SceneTruth.path(beside: $0) }
        try Outputs.refuse(plot, option: "--plot", over: files + truths)
        let configuration = try IntercomConfiguration(parameters.settings, of: "vad")
        let outputs =
            try folder.map { try plannedOutputs(in: $0) } ?? (plot == nil ? [(files[0], "-")] : [])
        let places = outputs.filter { $0.output != "-" }.map { Outputs.place($0.output) }
        if let plot, places.contains(Outputs.place(plot)) {
            throw Failure(.usage, "--plot \(plot): --out would write there too")
        }
        if let folder { try Outputs.makeFolder(folder, option: "--out") }
        var results: [(path: String, text: String)] = []
        if let plot {
            let judged = try judge(files[0], configuration)
            results += outputs.map { ($0.output, Self.csv(of: judged.report)) }
            results.append((plot, picture(of: judged, configuration)))
        } else {
            for (input, output) in outputs {
                results.append((output, Self.csv(of: try judge(input, configuration).report)))
            }
        }
        // Only when all inputs have been read: a mistake in the last loses nothing.
        for (path, text) in results { try Outputs.deliver(Data(text.utf8), to: path) }
        for (path, _) in results where path != "-" { try Terminal.say(path) }
    }

    /// The CSV of each input; two inputs must not share one, but one may be named twice.
    private func plannedOutputs(in folder: String) throws -> [(input: String, output: String)] {
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
}

// MARK: - One recording

extension VadCommand {
    /// A recording and what was made of it.
    private struct Judged {
        var input: String
        var sound: WaveFile
        var report: VoiceActivityReport
    }

    private func judge(_ input: String, _ configuration: IntercomConfiguration) throws -> Judged {
        let wave = try WaveFiles.read(input)
        guard let rate = SampleRate(rawValue: wave.sampleRateHertz) else {
            throw Failure(
                .inputMissing,
                "\(input): it has \(wave.sampleRateHertz) samples a second; 16000 or 48000 are needed"
            )
        }
        let watch = Stopwatch()
        let report = wave.samples.withUnsafeBufferPointer { samples in
            VoiceActivityReport(
                pcm: samples,
                sampleRate: rate,
                detector: configuration.detector,
                gate: configuration.gate
            )
        }
        if speed, !report.frames.isEmpty {
            let nanoseconds = watch.elapsedSeconds * 1e9 / Double(report.frames.count)
            let microseconds = Decimals.text(Int64(nanoseconds), over: 1_000)
            Terminal.remark("\(input): \(microseconds) us of processor time per 20 ms frame")
        }
        return Judged(input: input, sound: wave, report: report)
    }

    private static func csv(of report: VoiceActivityReport) -> String {
        report.frames.reduce(into: "start_ms,speech,state,score\n") { text, frame in
            text += "\(frame.startMilliseconds),\(frame.decision.isSpeech ? 1 : 0),"
            text += "\(frame.state.name),"
            text += "\(Decimals.text(Int64(frame.decision.score), over: 1_000))\n"
        }
    }

    private func picture(of judged: Judged, _ configuration: IntercomConfiguration) -> String {
        let name =
            judged.input == "-" ? "stdin" : URL(fileURLWithPath: judged.input).lastPathComponent
        return VoiceActivityPlot(
            title: name,
            sound: judged.sound,
            report: judged.report,
            threshold: configuration.detector.threshold,
            truth: truth(of: judged)
        ).svg
    }

    /// The truth beside the recording; a warning, and none, if it cannot be used.
    private func truth(of judged: Judged) -> SceneTruth? {
        let path = SceneTruth.path(beside: judged.input)
        guard judged.input != "-", let data = try? Inputs.read(path) else { return nil }
        do throws(SceneTruthError) {
            return try SceneTruth(data, file: path, lasting: judged.sound.microseconds)
        } catch {
            Terminal.remark("warning: \(error); drawn without the truth")
            return nil
        }
    }
}
