public import SansIO

/// Decides which captured frames are sent: whole talk spurts with a little before and after them.
///
/// Speech must last for the attack before sending starts; then the pre-roll goes out first, oldest
/// frame first, so that the listener misses nothing. Sending goes on for the release after the last
/// speech. No capture index is ever sent twice: what was sent never enters the pre-roll
/// (S-VAD-001, S-VAD-003, S-VAD-004).
public struct TalkGate: StateMachine {
    /// A fact for the gate.
    @frozen
    public enum Event: Sendable, Hashable {
        /// The microphone delivered a frame.
        ///
        /// A frame whose index isn't above every earlier one is discarded.
        case frameCaptured(CapturedFrame)
        /// Capturing ended for good.
        case stop
    }

    /// An order from the gate.
    @frozen
    public enum Effect: Sendable, Hashable {
        /// Encode and send this frame.
        case send(FrameHandle, captureIndex: Int64, marks: FrameMarks)
        /// Free this frame; it will not be sent.
        case discard(FrameHandle)
        /// Tell the receiver that the spurt ended with this frame, which has gone out unmarked.
        ///
        /// Ordered only where no frame could carry `talkEnd`: at a gap in the capture index and at
        /// the stop.
        case sendEndMark(captureIndex: Int64)
        /// The gate is now in another state than before this call.
        case stateChanged(State)
    }

    /// A whole pre-roll of sends or discards, one more frame, an end mark and two changes of state.
    public static var effectsPerCallMax: Int { PreRoll.framesMax + 4 }

    /// The present state.
    public private(set) var state = State.idle
    /// Whether the gate was stopped.
    public private(set) var isFinished = false

    private let attackFrames: Int32
    private let releaseFrames: Int32
    private let preRollFrames: Int
    private var preRoll = PreRoll()
    private var latestIndex: Int64?

    /// Makes an idle gate.
    ///
    /// - Parameter configuration: The times; each MUST be a whole number of 20 ms frames within the
    ///   range that `Configuration` gives.
    public init(configuration: Configuration = Configuration()) {
        attackFrames = Self.frames(configuration.attack, 40...60, "attack")
        releaseFrames = Self.frames(configuration.release, 200...400, "release")
        preRollFrames = Int(Self.frames(configuration.preRoll, 0...500, "pre-roll"))
    }

    /// Nothing moves the gate but frames: it counts time in capture indices.
    public var deadline: Deadline? { nil }

    /// Takes a frame or the stop; every frame that enters leaves by a later `send` or `discard`.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .frameCaptured(let captured):
            frameCaptured(captured, in: &turn)
        case .stop:
            stop(in: &turn)
        }
    }

    /// Does nothing: the gate has no deadline.
    public mutating func wake(in turn: inout Turn<Effect>) {}

    private static func frames(
        _ duration: Duration,
        _ range: ClosedRange<Int64>,
        _ name: StaticString
    ) -> Int32 {
        let (milliseconds, rest) = duration.wholeNanoseconds.quotientAndRemainder(
            dividingBy: 1_000_000
        )
        precondition(
            rest == 0 && milliseconds % 20 == 0 && range.contains(milliseconds),
            "the \(name) lasts \(duration), not \(range) ms in whole 20 ms frames"
        )
        return Int32(milliseconds / 20)
    }
}

// MARK: Events

extension TalkGate {
    private mutating func frameCaptured(_ captured: CapturedFrame, in turn: inout Turn<Effect>) {
        guard !isFinished, latestIndex.map({ captured.captureIndex > $0 }) ?? true else {
            return turn.order(.discard(captured.frame))
        }
        if let latestIndex, captured.captureIndex != latestIndex + 1 {
            breakOff(in: &turn)
        }
        latestIndex = captured.captureIndex
        let next = state(after: captured.decision.isSpeech)
        deliver(captured, next: next, in: &turn)
        move(to: next, in: &turn)
    }

    private mutating func stop(in turn: inout Turn<Effect>) {
        guard !isFinished else { return }
        breakOff(in: &turn)
        isFinished = true
    }

    /// Ends what was going on where no next frame can: at a gap and at the stop.
    private mutating func breakOff(in turn: inout Turn<Effect>) {
        if state.isSending, state != .release(quietFrames: releaseFrames), let latestIndex {
            turn.order(.sendEndMark(captureIndex: latestIndex))
        }
        while let (frame, _) = preRoll.popFirst() {
            turn.order(.discard(frame))
        }
        move(to: .idle, in: &turn)
    }
}

// MARK: States

extension TalkGate {
    /// The state that a frame leads to; the frame after a whole release always leads to idle.
    private func state(after isSpeech: Bool) -> State {
        switch state {
        case .idle:
            isSpeech ? .attack(speechFrames: 1) : .idle
        case .attack(let speechFrames):
            if !isSpeech {
                .idle
            } else if speechFrames + 1 >= attackFrames {
                .talking
            } else {
                .attack(speechFrames: speechFrames + 1)
            }
        case .talking:
            isSpeech ? .talking : .release(quietFrames: 1)
        case .release(releaseFrames):
            .idle
        case .release(let quietFrames):
            isSpeech ? .talking : .release(quietFrames: quietFrames + 1)
        }
    }

    private mutating func deliver(
        _ captured: CapturedFrame,
        next: State,
        in turn: inout Turn<Effect>
    ) {
        guard next.isSending else {
            return hold(captured, in: &turn)
        }
        var marks: FrameMarks = next == .release(quietFrames: releaseFrames) ? .talkEnd : []
        if !state.isSending {
            marks.formUnion(sendPreRoll(in: &turn))
        }
        turn.order(.send(captured.frame, captureIndex: captured.captureIndex, marks: marks))
    }

    /// Keeps the frame for the pre-roll, in which the frame that opens a spurt has a place too.
    private mutating func hold(_ captured: CapturedFrame, in turn: inout Turn<Effect>) {
        guard preRollFrames > 1 else {
            return turn.order(.discard(captured.frame))
        }
        if preRoll.count == preRollFrames - 1, let (frame, _) = preRoll.popFirst() {
            turn.order(.discard(frame))
        }
        preRoll.append(captured.frame, captureIndex: captured.captureIndex)
    }

    /// Sends what waits and returns the marks for the frame that opened the spurt.
    private mutating func sendPreRoll(in turn: inout Turn<Effect>) -> FrameMarks {
        var marks: FrameMarks = .talkStart
        while let (frame, captureIndex) = preRoll.popFirst() {
            turn.order(
                .send(frame, captureIndex: captureIndex, marks: marks.union(.burst))
            )
            marks = []
        }
        return marks
    }

    private mutating func move(to next: State, in turn: inout Turn<Effect>) {
        if next.phase != state.phase {
            turn.order(.stateChanged(next))
        }
        state = next
    }
}
