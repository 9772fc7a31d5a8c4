import SansIO
import SansIOTesting
import Testing
import VoiceActivity

@Suite("Talk gate's laws")
struct TalkGateLawTests {
    @Test("The gate keeps the laws of its contract", arguments: 0..<50 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        var index: Int64 = 0
        var isSpeech = false
        try checkLaws(
            seed: seed,
            steps: 400,
            make: { TalkGate(configuration: .drawn(seed)) },
            frame: \.frame,
            finish: .stop
        ) { random, _ in
            index += random.chance(percent: 97) ? 1 : Int64(random.below(9)) - 4
            if random.chance(percent: 8) {
                isSpeech.toggle()
            }
            if random.below(3000) == 0 {
                return .stop
            }
            return .frameCaptured(
                CapturedFrame(
                    captureIndex: index,
                    frame: random.newFrame(),
                    decision: SpeechDecision(
                        isSpeech: isSpeech,
                        score: 500,
                        threshold: 500,
                        level: .silence
                    )
                )
            )
        }
    }

    @Test(
        "Whatever is heard, the states obey the rules and say what was sent (S-VAD-003)",
        arguments: 0..<50 as Range<UInt64>
    )
    func statesTellWhatIsSent(seed: UInt64) {
        var random = LawRandom(seed: seed)
        var heard = ""
        var isSpeech = false
        for _ in 0..<500 {
            if random.chance(percent: 10) {
                isSpeech.toggle()
            }
            heard.append(isSpeech ? "x" : ".")
        }
        let configuration = TalkGate.Configuration.drawn(seed)
        let timeline = GateTimeline(heard: heard, configuration: configuration)
        let audit = StateAudit(states: timeline.states, preRoll: configuration.preRoll)
        #expect(audit.breaks(attack: configuration.attack).isEmpty)
        #expect(timeline.sent.map { $0 != "." } == audit.sent)
        #expect(timeline.order == Array(Set(timeline.order)).sorted())
        expectMarks(timeline.sent)
    }

    /// Every run of sent frames is spurts: a start, then neither start nor end, then an end.
    private func expectMarks(_ sent: String) {
        var isOpen = false
        for character in sent {
            switch character {
            case "S", "s":
                #expect(!isOpen)
                isOpen = true
            case "E":
                #expect(isOpen)
                isOpen = false
            case "b", "o":
                #expect(isOpen)
            default:
                #expect(!isOpen && character == ".")
            }
        }
    }
}

extension TalkGate.Effect {
    /// The handle that leaves the gate.
    fileprivate var frame: FrameHandle? {
        switch self {
        case .send(let frame, _, _), .discard(let frame): frame
        case .sendEndMark, .stateChanged: nil
        }
    }
}

extension TalkGate.Configuration {
    /// One of the configurations that the requirement allows.
    fileprivate static func drawn(_ seed: UInt64) -> Self {
        var random = LawRandom(seed: seed &+ 1_000_000)
        var configuration = Self()
        configuration.attack = .milliseconds(40 + 20 * random.below(2))
        configuration.release = .milliseconds(200 + 20 * random.below(11))
        configuration.preRoll = .milliseconds(20 * random.below(26))
        return configuration
    }
}

/// A second reading of S-VAD-003, from the states after each frame alone.
private struct StateAudit {
    let states: [Character]
    /// Which frames were sent: those in talking and release, and the pre-roll of each beginning.
    let sent: [Bool]

    init(states: String, preRoll: Duration) {
        let states = Array(states)
        let preRollFrames = max(1, Int(preRoll / .milliseconds(20)))
        var sent = states.map { "TR".contains($0) }
        for index in states.indices where sent[index] && states[index] == "T" {
            guard index == 0 || !"TR".contains(states[index - 1]) else { continue }
            for earlier in max(0, index + 1 - preRollFrames)...index {
                sent[earlier] = true
            }
        }
        self.states = states
        self.sent = sent
    }

    /// Moves that the requirement does not know, and states that lasted too short or too long.
    func breaks(attack: Duration) -> [String] {
        let legal = ["I": "IA", "A": "AIT", "T": "TR", "R": "RTI"]
        var breaks: [String] = []
        var previous: Character = "I"
        var since = 0
        for (index, state) in states.enumerated() {
            if legal[String(previous)]?.contains(state) != true {
                breaks.append("\(previous) to \(state) at frame \(index)")
            }
            guard state != previous else { continue }
            let milliseconds = 20 * (index - since)
            // The first frame of an attack lies before the state that it leads to.
            if previous == "A", state == "T", .milliseconds(milliseconds + 20) != attack {
                breaks.append("attack of \(milliseconds) ms at frame \(index)")
            }
            if previous == "R", state == "I", !(200...400).contains(milliseconds) {
                breaks.append("release of \(milliseconds) ms at frame \(index)")
            }
            (previous, since) = (state, index)
        }
        return breaks
    }
}
