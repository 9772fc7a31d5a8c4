public import SansIO

/// Where the phone's sound goes: heard by the user alone, or by others too.
public enum AudioOutput: Sendable, Equatable {
    /// Headphones on a wire (`AVAudioSession.Port.headphones`).
    case wiredHeadphones
    /// A Bluetooth device, which may be a loudspeaker (`.bluetoothA2DP`, `.bluetoothLE`); its UID.
    case bluetooth(String)
    /// Anything that others hear: the phone itself, a car, AirPlay.
    case loudspeaker
}

/// Plays a phrase of the evening's reflection, in the user's own voice, when the phone sees the
/// trigger: in headphones only (AN-16).
///
/// iOS does not say whether a Bluetooth device is worn; one counts as headphones if the user has
/// said so once. A phrase stops in the call that tells of another output.
public struct SelfTalk: StateMachine {
    /// A fact for self-talk.
    public enum Event: Sendable, Equatable {
        /// The phrases that can be played, the best first; none without a voice, or when it is
        /// deleted.
        case phrasesChanged([String])
        /// The sound goes somewhere else.
        case outputChanged(AudioOutput)
        /// The user said of a Bluetooth device whether it is headphones.
        case headphonesConfirmed(String, Bool)
        /// The user's conversation or a call began, or ended.
        case conversationChanged(isActive: Bool)
        /// The phone has seen the trigger.
        case triggerSeen
        /// The phrase has ended, or could not be opened.
        case phraseEnded(OperationID)
    }

    /// An order from self-talk.
    public enum Effect: Sendable, Equatable {
        /// Opens the sealed phrase of this id and plays it.
        case play(OperationID, phrase: String)
        /// Stops it at once.
        case stop(OperationID)
    }

    /// The least time between two phrases: 5 min, an assumption.
    public static let pause = Duration.seconds(300)
    /// How many Bluetooth devices are remembered: 16; the oldest is forgotten.
    private static let confirmedMax = 16

    /// One order.
    public static var effectsPerCallMax: Int { 1 }
    /// There may always be another trigger.
    public var isFinished: Bool { false }
    /// Nothing is waited for by time.
    public var deadline: Deadline? { nil }

    private var operations: OperationCounter
    private var phrases: [String] = []
    private var output = AudioOutput.loudspeaker
    private var confirmed: [String] = []
    private var isInConversation = false
    private var playing: OperationID?
    private var latest: Instant?
    private var turnOf = 0

    /// Makes one that knows of no headphones.
    ///
    /// - Parameters:
    ///   - headphones: The Bluetooth devices that the user has confirmed before.
    ///   - operations: The numbers its operations get.
    public init(headphones: [String] = [], operations: OperationCounter = OperationCounter()) {
        confirmed = Array(headphones.suffix(Self.confirmedMax))
        self.operations = operations
    }

    /// The Bluetooth devices that count as headphones, to be kept by the app.
    public var headphones: [String] { confirmed }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .phrasesChanged(let phrases):
            // What plays may be the voice that was just deleted.
            if phrases != self.phrases { stop(in: &turn) }
            self.phrases = phrases
        case .outputChanged(let output):
            self.output = output
            if !isPrivate { stop(in: &turn) }
        case .headphonesConfirmed(let device, let isHeadphones):
            confirmed.removeAll { $0 == device }
            if isHeadphones { confirmed.append(device) }
            if confirmed.count > Self.confirmedMax { confirmed.removeFirst() }
            if !isPrivate { stop(in: &turn) }
        case .conversationChanged(let isActive):
            isInConversation = isActive
            if isActive { stop(in: &turn) }
        case .triggerSeen: play(in: &turn)
        case .phraseEnded(let operation):
            if playing == operation { playing = nil }
        }
    }

    /// Does nothing: there is no deadline.
    public mutating func wake(in turn: inout Turn<Effect>) {}

    private var isPrivate: Bool {
        switch output {
        case .wiredHeadphones: true
        case .bluetooth(let device): confirmed.contains(device)
        case .loudspeaker: false
        }
    }

    private mutating func play(in turn: inout Turn<Effect>) {
        guard isPrivate, !isInConversation, playing == nil, !phrases.isEmpty else { return }
        if let latest, latest.duration(to: turn.now) < Self.pause { return }
        let operation = operations.next()
        turn.order(.play(operation, phrase: phrases[turnOf % phrases.count]))
        turnOf = (turnOf + 1) % phrases.count
        playing = operation
        latest = turn.now
    }

    private mutating func stop(in turn: inout Turn<Effect>) {
        guard let operation = playing else { return }
        turn.order(.stop(operation))
        playing = nil
    }
}
