import Glibc
import KodamaEvidence
import KodamaHarness
import KodamaLanguage
import KodamaRecordings
import KodamaSimulation
import KodamaSpeech
import SansIO
import VoiceActivity

/// Two phones for a while, and six: with real voice against libopus and the detector alone, and sized.
@main
struct VoiceBench {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 1, let text = arguments.first, let seconds = Int(text),
            seconds >= Ensemble.sliceSeconds, seconds % Ensemble.sliceSeconds == 0
        else {
            let usage = """
                usage: voice-bench SECONDS

                SECONDS of simulated time, a multiple of \(Ensemble.sliceSeconds). Prints processor
                seconds of two phones and of six with real voice, of libopus and detector alone on the
                same frames in the same process, their ratio, and how fast sized voice goes; first
                of all what the detector alone takes for a frame. The six talk all at once, in three
                conversations, and then with one conversation at a time.

                """
            complain(usage)
            exit(arguments.first == "--help" ? 0 : 64)
        }
        do {
            timeDetector()
            for ensemble in [Ensemble.two, .six, .sixInTurn] {
                try compare(ensemble, seconds: seconds)
                try time(ensemble, sizedSeconds: seconds)
            }
        } catch {
            complain("voice-bench: \(error)\n")
            exit(66)
        }
    }

    private static func complain(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private static func timeDetector() {
        for rate in SampleRate.allCases {
            let cost = DetectorCost.microsecondsPerFrame(rate)
            print(
                "speech detector, \(rate.rawValue / 1_000) kHz",
                "20 ms frame",
                "\(hundredths(cost.median)) µs of processor",
                "\(hundredths(cost.least)) µs at best",
                separator: "\t"
            )
        }
    }

    /// Slice by slice, the world and the bare codec in turn, so that a machine whose speed drifts
    /// drifts for both.
    private static func compare(_ ensemble: Ensemble, seconds: Int) throws {
        let voices = try Voices(needsSound: true, isSynthetic: false, decoder: G722.decode)
        guard let material = voices.material else { return }
        let length = Ensemble.sliceSeconds
        let plan = try ensemble.plan(voice: .real, seconds: length)
        var world = 0.0
        var bare = 0.0
        for seed in 1...UInt64(seconds / length) {
            let run = SingleRun(plan: plan, seed: seed, material: material)
            world += try run.measure().processorSeconds
            let tracks = ensemble.tracks(material, seed: seed, seconds: length)
            bare += try repeatBare(run, tracks)
        }
        row("\(ensemble.name), real voice", seconds, world)
        row("libopus and detector alone", seconds, bare)
        print("ratio\t\(hundredths(world / bare))")
    }

    /// Does to the run's frames what detector and libopus did, and nothing else.
    private static func repeatBare(_ run: SingleRun, _ tracks: [TalkTrack]) throws -> Double {
        var recorder = TraceRecorder(scenario: "ensemble", seed: run.seed, level: .media)
        try run.run(into: &recorder)
        let codecs = try tracks.map { try BareCodec($0, listeners: tracks.count) }
        // Phones are the first components, in the order of the plan.
        let phones = recorder.trace.directory.owners.map { Int($0.index) }
        let kinds = FrameKinds(recorder.trace.directory.systems.forms)
        var starts = Array(repeating: [Int64: Int64](), count: tracks.count)
        for record in recorder.trace.records where record.component != .none {
            let phone = phones[Int(record.component.index)]
            switch record.kind {
            case kinds.captured:
                let (index, start) = (record.values[0], record.values[1])
                starts[phone][index] = start
                starts[phone][index - 64] = nil
                codecs[phone].judge(startingAt: start)
            case PacketSent.kind where PacketSent(record).content.value == .voice:
                let frame = PacketSent(record).index
                guard let start = starts[phone][frame] else { continue }
                try codecs[phone].encode(frame, startingAt: start)
            case kinds.played:
                let talker = phones[Int(record.subject.index)]
                try codecs[talker].decode(record.values[0], by: phone)
            case kinds.concealed:
                let talker = phones[Int(record.subject.index)]
                try codecs[talker].conceal(Int(record.values[1]), by: phone)
            default:
                continue
            }
        }
        return withExtendedLifetime(tracks) { codecs.reduce(0) { $0 + $1.processorSeconds } }
    }

    private static func time(_ ensemble: Ensemble, sizedSeconds seconds: Int) throws {
        let plan = try ensemble.plan(voice: .sized, seconds: seconds)
        let run = try SingleRun(plan: plan, seed: 1, material: nil).measure()
        row("\(ensemble.name), sized voice", seconds, run.processorSeconds)
    }

    private static func row(_ name: String, _ simulated: Int, _ processorSeconds: Double) {
        let speed = Int(Double(simulated) / processorSeconds)
        print(
            name,
            "\(simulated) s",
            "\(hundredths(processorSeconds)) s of processor",
            "\(speed) times real time",
            separator: "\t"
        )
    }

    private static func hundredths(_ value: Double) -> String {
        let count = Int(value * 100 + 0.5)
        return "\(count / 100)." + (count % 100 < 10 ? "0" : "") + "\(count % 100)"
    }
}

/// The kinds of the intercom's records of frames, found by their names as any program finds them.
private struct FrameKinds {
    /// A microphone delivered a frame: its index and when its sound began.
    let captured: TraceKind
    /// A frame is heard: its index.
    let played: TraceKind
    /// Sound was made up for a frame: its index and how many samples.
    let concealed: TraceKind

    init(_ forms: RegisteredForms) {
        func kind(_ name: String) -> TraceKind {
            guard let kind = forms.kind(named: name) else {
                preconditionFailure("no record is called \(name)")
            }
            return kind
        }
        captured = kind("frame.captured")
        played = kind("frame.played")
        concealed = kind("frame.concealed")
    }
}
