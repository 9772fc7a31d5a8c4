import SansIO

/// What a detector and a talk gate make of a stretch of recorded sound, frame by frame.
public struct VoiceActivityReport: Sendable, Equatable {
    /// What was decided on one 20 ms frame.
    @frozen
    public struct Frame: Sendable, Hashable, BitwiseCopyable {
        /// Where the frame begins, in milliseconds from the start of the sound.
        public var startMilliseconds: Int
        /// The detector's decision.
        public var decision: SpeechDecision
        /// The gate's state after the frame.
        public var state: TalkGate.State
    }

    /// One entry for each whole frame, in order.
    public let frames: [Frame]

    /// Runs a detector and a gate over recorded sound; a last frame that is not whole is left out.
    ///
    /// - Parameters:
    ///   - pcm: The samples, mono.
    ///   - sampleRate: Their rate.
    ///   - detector: The detector's operating point.
    ///   - gate: The gate's times.
    /// - Complexity: O(*n*) in the number of samples.
    public init(
        pcm: UnsafeBufferPointer<Int16>,
        sampleRate: SampleRate,
        detector: SpeechDetectorConfiguration = SpeechDetectorConfiguration(),
        gate: TalkGate.Configuration = TalkGate.Configuration()
    ) {
        var detector = SpeechDetector(configuration: detector, sampleRate: sampleRate)
        var gate = MachineDriver(TalkGate(configuration: gate))
        let length = sampleRate.samplesPerFrame
        frames = (0..<pcm.count / length).map { index in
            let samples = UnsafeBufferPointer(rebasing: pcm[index * length..<(index + 1) * length])
            let captured = CapturedFrame(
                captureIndex: Int64(index),
                frame: FrameHandle(slot: 0),
                decision: detector.decide(samples)
            )
            gate.send(.frameCaptured(captured), at: .zero) { _ in }
            return Frame(
                startMilliseconds: 20 * index,
                decision: captured.decision,
                state: gate.machine.state
            )
        }
    }
}
