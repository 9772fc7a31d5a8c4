import SansIO
import VoiceActivity

/// What a gate does with a line of frames, one character for each 20 ms frame.
///
/// Heard: `x` speech, `.` none, ` ` a frame that the microphone never delivered.
struct GateTimeline {
    /// After each delivered frame: `I`, `A`, `T` or `R`; a blank where none was delivered.
    var states = ""
    /// For each frame: `.` held back or discarded; sent: `S` talk start in a burst, `s` talk start,
    /// `b` burst, `o` at once, `E` at once as talk end.
    var sent = ""
    /// The names of the states entered, in order.
    var moves: [String] = []
    /// The indices of the end marks, in order.
    var endMarks: [Int64] = []
    /// The indices sent, in the order in which they were sent.
    var order: [Int64] = []

    init(
        heard: String,
        configuration: TalkGate.Configuration = .init(),
        stopsAtEnd: Bool = false
    ) {
        var gate = MachineDriver(TalkGate(configuration: configuration))
        var places = [Character](repeating: ".", count: heard.count)
        for (index, character) in heard.enumerated() {
            guard character != " " else {
                states.append(" ")
                places[index] = " "
                continue
            }
            gate.send(.frameCaptured(.at(index, isSpeech: character == "x")), at: .zero) { effect in
                record(effect, in: &places)
            }
            states.append(contentsOf: "\(gate.machine.state.name)".prefix(1))
        }
        if stopsAtEnd {
            gate.send(.stop, at: .zero) { effect in
                record(effect, in: &places)
            }
        }
        sent = String(places)
    }

    private mutating func record(_ effect: TalkGate.Effect, in places: inout [Character]) {
        switch effect {
        case .send(_, let captureIndex, let marks):
            order.append(captureIndex)
            places[Int(captureIndex)] = Self.character(marks)
        case .discard:
            break
        case .sendEndMark(let captureIndex):
            endMarks.append(captureIndex)
        case .stateChanged(let state):
            moves.append("\(state.name)")
        }
    }

    private static func character(_ marks: FrameMarks) -> Character {
        switch marks {
        case [.talkStart, .burst]: "S"
        case .talkStart: "s"
        case .burst: "b"
        case .talkEnd: "E"
        case []: "o"
        default: "?"
        }
    }
}

extension CapturedFrame {
    /// A frame whose handle names its index.
    static func at(_ index: Int, isSpeech: Bool) -> CapturedFrame {
        CapturedFrame(
            captureIndex: Int64(index),
            frame: FrameHandle(slot: UInt32(index)),
            decision: SpeechDecision(
                isSpeech: isSpeech,
                score: isSpeech ? 1000 : 0,
                threshold: 500,
                level: .silence
            )
        )
    }
}
