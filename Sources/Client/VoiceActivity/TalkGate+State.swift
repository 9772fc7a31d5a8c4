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
        /// Nobody talks; the newest frames wait in the pre-roll.
        case idle
        /// Speech began, perhaps; `speechFrames` frames so far, from 1.
        case attack(speechFrames: Int32)
        /// Somebody talks, and every frame is sent.
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

        /// The state's number in a trace: idle 0, attack 1, talking 2, release 3.
        public var number: Int {
            switch self {
            case .idle: 0
            case .attack: 1
            case .talking: 2
            case .release: 3
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
}
