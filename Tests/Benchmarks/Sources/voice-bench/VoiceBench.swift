import Evidence
import Glibc
import Harness
import SansIO
import Scenarios
import Simulation
import Speech
import VoiceActivity

/// Two phones for a while: with real voice against libopus and the detector alone, and sized.
@main
struct VoiceBench {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 1, let text = arguments.first, let seconds = Int(text),
            seconds >= TwoPhones.sliceSeconds, seconds % TwoPhones.sliceSeconds == 0
        else {
            let usage = """
                usage: voice-bench SECONDS

                SECONDS of simulated time, a multiple of \(TwoPhones.sliceSeconds). Prints processor
                seconds of two phones with real voice, of libopus and detector alone on the same
                frames in the same process, their ratio, and how fast sized voice goes; first of all
                what the detector alone takes for a frame.

                """
            complain(usage)
            exit(arguments.first == "--help" ? 0 : 64)
        }
        do {
            timeDetector()
            try compare(seconds: seconds)
            try time(sizedSeconds: seconds)
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
    private static func compare(seconds: Int) throws {
        guard let material = try Voices(needsSound: true, isSynthetic: false).material else {
            return
        }
        var world = 0.0
        var bare = 0.0
        for slice in 1...seconds / TwoPhones.sliceSeconds {
            let phones = TwoPhones(
                voice: .real,
                seed: UInt64(slice),
                seconds: TwoPhones.sliceSeconds
            )
            let run = SingleRun(plan: phones.plan, seed: phones.seed, material: material)
            world += try run.measure().processorSeconds
            bare += try repeatBare(phones, run, material)
        }
        row("two phones, real voice", seconds, world)
        row("libopus and detector alone", seconds, bare)
        print("ratio\t\(hundredths(world / bare))")
    }

    /// Does to the run's frames what detector and libopus did, and nothing else.
    private static func repeatBare(
        _ phones: TwoPhones,
        _ run: SingleRun,
        _ material: SpeechMaterial
    ) throws -> Double {
        var recorder = TraceRecorder(scenario: "two-phones", seed: phones.seed, level: .media)
        try run.run(into: &recorder)
        let tracks = phones.tracks(material)
        var total = 0.0
        for (index, track) in tracks.enumerated() {
            var bare = try BareCodec(track)
            var starts: [Int64: Int64] = [:]
            for record in recorder.trace.records {
                let speaks = Int(record.component.index) == index
                let isHeard = Int(record.subject.index) == index
                switch record.kind {
                case FrameCaptured.kind where speaks:
                    let frame = FrameCaptured(record)
                    starts[frame.index] = frame.start.nanoseconds
                    starts[frame.index - 64] = nil
                    bare.judge(startingAt: frame.start.nanoseconds)
                case PacketSent.kind where speaks && PacketSent(record).content.value == .voice:
                    let frame = PacketSent(record).index
                    guard let start = starts[frame] else { continue }
                    try bare.encode(frame, startingAt: start)
                case FramePlayed.kind where isHeard:
                    try bare.decode(FramePlayed(record).index)
                case FrameConcealed.kind where isHeard:
                    try bare.conceal(Int(FrameConcealed(record).samples))
                default:
                    continue
                }
            }
            total += bare.processorSeconds
        }
        return withExtendedLifetime(tracks) { total }
    }

    private static func time(sizedSeconds seconds: Int) throws {
        let phones = TwoPhones(voice: .sized, seed: 1, seconds: seconds)
        let run = try SingleRun(plan: phones.plan, seed: 1, material: nil).measure()
        row("two phones, sized voice", seconds, run.processorSeconds)
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
