extension TalkGate {
    /// Where the gate stands after a frame (S-VAD-003).
    ///
    /// | From | To | When |
    /// |---|---|---|
    /// | idle | attack | speech |
    /// | attack | talking | speech for the whole attack |
    /// | attack | idle | a frame without speech |
    /// | talking | release | a frame without speech |
    /// | release | talking | speech |
    /// | release | idle | the first frame after the whole release, which is not sent |
    /// | any | idle | a gap in the capture index, or the stop |
    ///
    /// Frames are sent in talking and release and held back in idle and attack.
    @frozen
    public enum State: Sendable, Hashable, BitwiseCopyable {
        /// Silence; the newest frames wait in the pre-roll.
        case idle
        /// Speech began, perhaps; `speechFrames` frames so far, from 1.
        case attack(speechFrames: Int32)
        /// Speech; every frame is sent.
        case talking
        /// Speech ceased, perhaps; `quietFrames` frames so far, from 1, all of them sent.
        case release(quietFrames: Int32)

        /// The state's name in the words of ITU and field: `Idle`, `Attack`, `Talking`, `Release`.
        public var name: StaticString {
            switch self {
            case .idle: "Idle"
            case .attack: "Attack"
            case .talking: "Talking"
            case .release: "Release"
            }
        }

        /// The state without its count.
        public var phase: Phase {
            switch self {
            case .idle: .idle
            case .attack: .attack
            case .talking: .talking
            case .release: .release
            }
        }

        /// Whether a frame that leaves the gate in this state was sent.
        public var isSending: Bool {
            switch self {
            case .idle, .attack: false
            case .talking, .release: true
            }
        }
    }

    /// The states of the gate without their counts; the raw value is the state's number in a trace.
    public enum Phase: Int64, Sendable, CaseIterable {
        /// Nothing is sent.
        case idle
        /// Speech may have begun; what is captured waits.
        case attack
        /// Frames are sent.
        case talking
        /// Speech may have ended; frames are still sent.
        case release
    }
}
