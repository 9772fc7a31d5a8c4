import SansIO

extension JitterBuffer {
    /// Beyond this many frames of 20 ms a capture index means nothing: 43 years.
    static let indexMax: Int64 = 1 << 36
    /// So many stale frames in a row, while nothing else comes, are a stream that started again
    /// (after RFC 3550 appendix A.1, which asks for two).
    static let restartFrames = 3
    /// So many are it where a slow path may have held them back: 5 s of speech.
    static let nearRestartFrames = 250
    /// Frames that are less than 30 s old may have been held back; an assumption.
    static let heldBackNanoseconds: Int64 = 30_000_000_000
    /// How many frames may be missing between two in a row.
    static let restartGapMax: Int64 = 5
    /// How long nothing else must have come.
    static let restartNanoseconds: Int64 = 1_000_000_000
    /// The least move of the target delay that is told.
    static let toldStepNanoseconds: Int64 = 5_000_000

    mutating func receive(_ received: ReceivedFrame, in turn: inout Turn<Effect>) {
        let index = received.captureIndex
        guard let refusal = refusal(of: received, at: turn.now) else {
            makeRoom(for: index, in: &turn)
            frames.insert(received)
            freshNanoseconds = turn.now.nanoseconds
            if state == .idle { state = .waiting(sinceNanoseconds: turn.now.nanoseconds) }
            observe(index, marks: received.marks, path: received.path, in: &turn)
            return
        }
        turn.order(.discard(received.frame, captureIndex: index, reason: refusal))
        guard refusal == .late else { return }
        observe(index, marks: received.marks, path: received.path, in: &turn)
        if state == .talking, !received.marks.contains(.burst) { fallBack() }
    }

    private mutating func refusal(of received: ReceivedFrame, at now: Instant) -> DiscardReason? {
        let index = received.captureIndex
        guard state != .stopped else { return .stopped }
        guard (-Self.indexMax...Self.indexMax).contains(index) else { return .stale }
        guard index >= next else {
            guard next - index > Int64(FrameRing.capacity) else { return .late }
            return startsAgain(with: index, at: now) ? nil : .stale
        }
        return frames.frame(at: index) == nil ? nil : .duplicate
    }

    /// Says whether a stale frame shows that the stream started again, and if so goes back to it.
    private mutating func startsAgain(with index: Int64, at now: Instant) -> Bool {
        let isNext = (1...Self.restartGapMax).contains(index &- staleIndex)
        staleCount = isNext ? staleCount + 1 : 1
        staleIndex = index
        let quietNanoseconds = now.nanoseconds - freshNanoseconds
        let age = (next - index) * VoiceClock.frameNanoseconds + quietNanoseconds
        let isNear = age < Self.heldBackNanoseconds
        guard staleCount >= (isNear ? Self.nearRestartFrames : Self.restartFrames),
            frames.count == 0, quietNanoseconds > Self.restartNanoseconds
        else { return false }
        finishSpurt(at: now.nanoseconds)
        spurtEnd = nil
        next = index
        target = PlayoutTarget(limits)
        return true
    }

    /// Throws out frames that lie a whole buffer before this one: the newest speech counts.
    ///
    /// Where these were not due yet, the lag is longer than the buffer: no frame would ever stay
    /// until its time. So the lag is given up, and what comes is played as a new spurt.
    private mutating func makeRoom(for index: Int64, in turn: inout Turn<Effect>) {
        let oldest = index - Int64(FrameRing.capacity) + 1
        guard next < oldest else { return }
        while let slot = frames.first(from: next), slot.captureIndex < oldest {
            discard(slot.captureIndex, reason: .overflow, in: &turn)
        }
        next = oldest
        madeUpHere = 0
        let due = oldest * VoiceClock.frameNanoseconds + lagNanoseconds
        if state == .talking, turn.now.nanoseconds < due { finishSpurt(at: turn.now.nanoseconds) }
    }

    mutating func observe(
        _ index: Int64,
        marks: FrameMarks,
        path: UInt8,
        in turn: inout Turn<Effect>
    ) {
        // A copy beyond the buffer is of frames from before the stream started again.
        guard state != .stopped, (-Self.indexMax...Self.indexMax).contains(index),
            next == .min || index - next < Int64(FrameRing.capacity)
        else { return }
        target.observe(index, marks: marks, path: path, at: turn.now, limits: limits)
        guard abs(target.delayNanoseconds - toldNanoseconds) >= Self.toldStepNanoseconds else {
            return
        }
        toldNanoseconds = target.delayNanoseconds
        turn.order(.targetChanged(.nanoseconds(toldNanoseconds)))
    }

    /// Notes the end of a spurt, or ends it now if all of it has been played.
    mutating func endSpurt(after last: Int64) {
        guard state != .stopped, (-Self.indexMax...Self.indexMax).contains(last),
            !frames.add(.talkEnd, at: last)
        else { return }
        guard last < next else {
            spurtEnd = min(spurtEnd ?? last, last)
            return
        }
        if state == .talking, frames.count == 0 { finishSpurt(at: 0) }
    }

    mutating func stop(in turn: inout Turn<Effect>) {
        while let slot = frames.first(from: next) {
            discard(slot.captureIndex, reason: .stopped, in: &turn)
        }
        state = .stopped
    }

    mutating func discard(_ index: Int64, reason: DiscardReason, in turn: inout Turn<Effect>) {
        guard let slot = frames.remove(at: index) else { return }
        turn.order(.discard(slot.frame, captureIndex: index, reason: reason))
    }
}
