public import SansIO

/// One step of a guided script (AN-02).
public struct ScriptStep: Sendable, Hashable {
    /// What is said.
    public var text: String
    /// The word that the user is to answer with.
    public var expectedWord: String
    /// How long an answer may take, from the moment the line is ordered.
    public var timeout: Duration

    /// Makes a step.
    ///
    /// - Parameters:
    ///   - text: What is said.
    ///   - expectedWord: The word that the user is to answer with.
    ///   - timeout: How long an answer may take; more than zero.
    public init(text: String, expectedWord: String, timeout: Duration) {
        precondition(timeout > .zero, "a step of \(timeout) cannot be answered")
        self.text = text
        self.expectedWord = expectedWord
        self.timeout = timeout
    }
}

/// A line of a script that is to be said, now.
public struct ScriptLine: Sendable, Hashable {
    /// Which line of the script's run, from 0; a repetition counts as a line.
    public var number: Int
    /// The step, from 0.
    public var step: Int
    /// Whether the step's line was said before.
    public var isRepetition: Bool
    /// What is said.
    public var text: String

    /// Makes a line.
    public init(number: Int, step: Int, isRepetition: Bool, text: String) {
        self.number = number
        self.step = step
        self.isRepetition = isRepetition
        self.text = text
    }
}

/// The voice that speaks (AN-04).
public enum VoiceMode: String, Sendable, Hashable, CaseIterable {
    /// The agent's standard voice.
    case standard
    /// The user's cloned voice.
    case clone
    /// The phone's system voice, without a network.
    case offline
}

extension OfflineGuide {
    /// A fact for the guide.
    public enum Event: Sendable, Equatable {
        /// A conversation begins; its name makes summaries of its offline stretches distinct.
        case conversationBegan(UniqueID)
        /// There is a sign that voice is lost: no network path, or the SDK reconnects.
        case voiceDoubted
        /// The agent's voice arrived after all, or the sign went away.
        case voiceConfirmed
        /// The session handed over (`handOverOffline`), or couldn't be had when the guide began.
        case handedOver
        /// The session takes voice back (`takeBackOnline`), or is connected after all.
        case takenBack
        /// The session ended while voice was lost (`endOffline`), or the conversation is over.
        case conversationEnded
        /// A line is to be said.
        case lineOrdered(ScriptLine)
        /// A line that the agent or the system voice was ordered to say has been heard to its end.
        case lineFinished(number: Int)
        /// The user was heard by the phone's own recogniser.
        case heard(String)
        /// So many packets of voice have come in (`inbound-rtp.packetsReceived` over all tracks, as
        /// `countAgentPackets` asked).
        case agentPackets(Int64)
        /// The user has a cloned voice, or has none any more.
        case cloneChanged(isAvailable: Bool)
        /// The server's flags changed.
        case flagsChanged(CoachFlags)
        /// This user has signed in, by the name in their session, perhaps in place of another.
        case userChanged(String)
        /// The phone's clock shows this now.
        case clockChanged(WallTime)
        /// The server has a summary, or did not take it.
        case summaryAnswered(OperationID, accepted: Bool)
    }

    /// An order from the guide.
    public enum Effect: Sendable, Equatable {
        /// Keeps the record and adds the facts to the analytics outbox, in one transaction.
        case store(OfflineRecord, [CoachFact])
        /// Keeps the agent from being heard until `unmuteAgent` or the conversation's end; what the microphone
        /// hears goes to the phone's recogniser.
        case muteAgent
        /// Lets the agent be heard again and tells it which line the conversation has reached.
        case unmuteAgent(atLine: Int?)
        /// Has the agent say a line.
        case askAgent(ScriptLine)
        /// Answers at once by `agentPackets`; the binding reads the peer connection's own statistics, since
        /// the SDK tells them once a second only.
        case countAgentPackets
        /// Has the system voice say a line.
        case speak(ScriptLine)
        /// Silences the system voice.
        case stopSpeaking
        /// Speaks by another voice from now on, without any UI (AN-04).
        case voiceModeChanged(VoiceMode)
        /// Sends a summary; the server keeps one of each key.
        case sendSummary(OperationID, OfflineSummary)
        /// Cancels an operation; its result is no longer needed.
        case cancel(OperationID)
    }
}
