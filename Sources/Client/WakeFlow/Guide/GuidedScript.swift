public import SansIO

/// What a guide says and how patient it is.
public struct GuidedScriptConfiguration: Sendable, Equatable {
    /// The steps, in order; without any the script is done at once.
    public var steps = Self.asSpecified
    /// How often a step that was not answered in time is said again, 0 to 5; an assumption.
    public var repetitionsMax = 1

    /// The default preset.
    public init() {}

    /// The source design's script: its words and time-outs, with lines of our own.
    public static let asSpecified = [
        ScriptStep(
            text: "おはようございます。ベッドから出て、顔を洗ったら、OK と言ってください。",
            expectedWord: "OK",
            timeout: .seconds(60)
        ),
        ScriptStep(
            text: "背筋を伸ばして、ゆっくり呼吸します。心が静かになったら、澄む、と言ってください。",
            expectedWord: "澄む",
            timeout: .seconds(120)
        ),
        ScriptStep(
            text: "そのまま瞑想を続けます。終わったら、完了、と言ってください。",
            expectedWord: "完了",
            timeout: .seconds(90)
        ),
    ]
}

/// Leads a user through steps that each end with an expected word (AN-02).
public struct GuidedScript: StateMachine {
    /// A fact for the script.
    public enum Event: Sendable, Equatable {
        /// Begin.
        case begun
        /// The user was heard saying this.
        case heard(String)
        /// The user gave up.
        case gaveUp
        /// A call took the audio.
        case callBegan
    }

    /// An order from the script.
    public enum Effect: Sendable, Equatable {
        /// Say a line.
        case say(ScriptLine)
        /// It is over.
        case ended(Outcome)
    }

    /// How a script ends.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// Every word was said.
        case done
        /// A step was not answered, however often it was said.
        case notDone
        /// The user gave up.
        case gaveUp
        /// A call took the audio.
        case cutOff
    }

    private enum State: Equatable, Sendable {
        case idle
        case waiting(step: Int, repetitions: Int, until: Instant)
        case ended
    }

    /// A line or the end.
    public static var effectsPerCallMax: Int { 1 }

    private let configuration: GuidedScriptConfiguration
    private var state = State.idle
    private var lines = 0

    /// Makes a script that has not begun.
    public init(configuration: GuidedScriptConfiguration = GuidedScriptConfiguration()) {
        self.configuration = configuration
    }

    /// Whether it has ended.
    public var isFinished: Bool { state == .ended }

    /// When the present step has taken too long.
    public var deadline: Deadline? {
        guard case .waiting(_, _, let until) = state else { return nil }
        return Deadline(until, "step timeout")
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch (event, state) {
        case (.begun, .idle): say(step: 0, repetitions: 0, in: &turn)
        case (.heard(let text), .waiting(let step, _, _)):
            guard SpokenWord.occurs(configuration.steps[step].expectedWord, in: text) else {
                return
            }
            say(step: step + 1, repetitions: 0, in: &turn)
        case (.gaveUp, .waiting): end(.gaveUp, in: &turn)
        case (.callBegan, .waiting): end(.cutOff, in: &turn)
        default: return
        }
    }

    /// Says the present step again, or ends.
    public mutating func wake(in turn: inout Turn<Effect>) {
        guard case .waiting(let step, let repetitions, let until) = state, until <= turn.now
        else { return }
        guard repetitions < configuration.repetitionsMax else { return end(.notDone, in: &turn) }
        say(step: step, repetitions: repetitions + 1, in: &turn)
    }

    private mutating func say(step: Int, repetitions: Int, in turn: inout Turn<Effect>) {
        guard step < configuration.steps.count else { return end(.done, in: &turn) }
        let next = configuration.steps[step]
        let until = turn.now.advanced(by: next.timeout)
        state = .waiting(step: step, repetitions: repetitions, until: until)
        turn.order(
            .say(
                ScriptLine(
                    number: lines,
                    step: step,
                    isRepetition: repetitions > 0,
                    text: next.text
                )
            )
        )
        lines += 1
    }

    private mutating func end(_ outcome: Outcome, in turn: inout Turn<Effect>) {
        state = .ended
        turn.order(.ended(outcome))
    }
}

/// Finds an expected word in what a recogniser heard.
public enum SpokenWord {
    /// Whether a word was said.
    ///
    /// Case and punctuation don't count. A word of letters from ASCII has to stand alone, so that `OK` is
    /// not heard in `token`; others are found anywhere, as Japanese is written without spaces.
    ///
    /// - Parameters:
    ///   - word: The expected word; an empty one is never said.
    ///   - text: What was heard.
    /// - Returns: Whether it was.
    public static func occurs(_ word: String, in text: String) -> Bool {
        let wanted = words(of: word)
        guard !wanted.isEmpty else { return false }
        let heard = words(of: text)
        guard wanted.allSatisfy({ $0.allSatisfy(\.isASCII) }) else {
            return heard.joined().contains(wanted.joined())
        }
        guard heard.count >= wanted.count else { return false }
        return (0...heard.count - wanted.count).contains {
            Array(heard[$0..<$0 + wanted.count]) == wanted
        }
    }

    /// Runs of letters and digits, in lower case; ASCII apart from other scripts.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var previous: Bool?
        for character in text.lowercased() {
            let kind = character.isLetter || character.isNumber ? character.isASCII : nil
            if let kind {
                if previous == kind {
                    words[words.count - 1].append(character)
                } else {
                    words.append(String(character))
                }
            }
            previous = kind
        }
        return words
    }
}
