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

    /// One entry for each whole frame so far, in order.
    public private(set) var frames: [Frame] = []

    private let sampleRate: SampleRate
    private var detector: SpeechDetector
    private var gate: TalkGate
    /// The beginning of a frame whose rest has not come yet.
    private var started: [Int16] = []

    /// Makes the report of a sound of which nothing has been heard yet.
    ///
    /// - Parameters:
    ///   - sampleRate: The rate of the sound.
    ///   - detector: The detector's operating point.
    ///   - gate: The gate's times.
    public init(
        sampleRate: SampleRate,
        detector: SpeechDetectorConfiguration = SpeechDetectorConfiguration(),
        gate: TalkGate.Configuration = TalkGate.Configuration()
    ) {
        self.sampleRate = sampleRate
        self.detector = SpeechDetector(configuration: detector, sampleRate: sampleRate)
        self.gate = TalkGate(configuration: gate)
    }

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
        self.init(sampleRate: sampleRate, detector: detector, gate: gate)
        append(pcm)
    }

    /// Goes on with the sound; how it is split into blocks makes no difference.
    ///
    /// - Parameter pcm: The next samples, as many as there are.
    /// - Complexity: O(*n*) in the number of samples.
    public mutating func append(_ pcm: UnsafeBufferPointer<Int16>) {
        var driver = MachineDriver(gate)
        defer { gate = driver.machine }
        let length = sampleRate.samplesPerFrame
        var rest = pcm[...]
        if !started.isEmpty {
            let missing = rest.prefix(length - started.count)
            started.append(contentsOf: missing)
            rest = rest.dropFirst(missing.count)
            guard started.count == length else { return }
            started.withUnsafeBufferPointer { judge($0, by: &driver) }
            started.removeAll(keepingCapacity: true)
        }
        while rest.count >= length {
            judge(UnsafeBufferPointer(rebasing: rest.prefix(length)), by: &driver)
            rest = rest.dropFirst(length)
        }
        started.append(contentsOf: rest)
    }

    private mutating func judge(
        _ samples: UnsafeBufferPointer<Int16>,
        by driver: inout MachineDriver<TalkGate>
    ) {
        let captured = CapturedFrame(
            captureIndex: Int64(frames.count),
            frame: FrameHandle(slot: 0),
            decision: detector.decide(samples)
        )
        driver.send(.frameCaptured(captured), at: .zero) { _ in }
        frames.append(
            Frame(
                startMilliseconds: 20 * frames.count,
                decision: captured.decision,
                state: driver.machine.state
            )
        )
    }
}
