import SansIO

extension JitterBuffer {
    /// So many frames after a hold playout is not compressed: what made it hold may go on.
    static let settledFrames = 10
    /// Frames further above the target than this are dropped: the speaker slept, or a queue burst.
    static let excessMaxNanoseconds: Int64 = 1_000_000_000

    /// Orders a frame at the pace that brings the lag to the target.
    mutating func play(
        _ slot: FrameRing.Slot,
        sounding sounds: Int64,
        in turn: inout Turn<Effect>
    ) -> Int {
        let index = slot.captureIndex
        let due = index * VoiceClock.frameNanoseconds + target.transitNanoseconds
        if sounds - due > Self.excessMaxNanoseconds, passes(over: slot) {
            discard(index, reason: .late, in: &turn)
            advance(to: index + 1, sounding: sounds)
            return 0
        }
        guard frames.remove(at: index) != nil else { return 0 }
        let samples = scaledSamples(of: index)
        turn.order(.play(slot.frame, captureIndex: index, samples: samples))
        advance(to: index + 1, sounding: sounds + VoiceClock.nanoseconds(samples))
        if slot.marks.contains(.talkEnd) { finishSpurt(at: sounds) }
        return samples
    }

    /// Orders the copy of frame `next` that `slot` carries.
    mutating func recover(
        from slot: FrameRing.Slot,
        sounding sounds: Int64,
        in turn: inout Turn<Effect>
    ) -> Int {
        let index = next
        let samples = scaledSamples(of: index)
        turn.order(.recover(captureIndex: index, from: slot.frame, samples: samples))
        advance(to: index + 1, sounding: sounds + VoiceClock.nanoseconds(samples))
        return samples
    }

    /// Whether a late frame may be dropped: its successor is here, and no mark forbids it.
    func passes(over slot: FrameRing.Slot) -> Bool {
        slot.marks.isEmpty && frames.frame(at: slot.captureIndex + 1) != nil
    }

    private mutating func advance(to index: Int64, sounding sounds: Int64) {
        next = index
        lagNanoseconds = sounds - index * VoiceClock.frameNanoseconds
        (madeUp, madeUpHere, isHolding) = (0, 0, false)
    }

    /// Where sound that is due at `due` should begin, in samples from the start of the request.
    ///
    /// A frame must be here when it is ordered, which is up to a request before it sounds. Where
    /// requests divide a frame, frames that begin with one begin with one ever after, and are
    /// ordered as they sound: so the next such beginning is taken, or the last if it is within
    /// `alignmentSamples`. Where they do not, the time of one request is added.
    @inline(__always)
    func boundary(after due: Int64) -> Int {
        let samples = VoiceClock.samples(due - requestNanoseconds)
        guard VoiceClock.frameSamples % requestSamples == 0 else { return samples + requestSamples }
        let beyond = samples - Self.alignmentSamples + requestSamples - 1
        return beyond - (beyond % requestSamples + requestSamples) % requestSamples
    }

    /// The samples to which a frame is scaled so that playout nears the target.
    private mutating func scaledSamples(of index: Int64) -> Int {
        let due = index * VoiceClock.frameNanoseconds + target.transitNanoseconds
        setPace(excessSamples: ahead - boundary(after: due))
        let whole = VoiceClock.frameSamples
        guard pace != .level else { return whole }
        let wanted = boundary(after: due + VoiceClock.frameNanoseconds) - ahead
        switch pace {
        case .level:
            return whole
        case .compressing:
            return min(max(wanted, whole - limits.adjustmentSamplesMax), whole)
        case .stretching:
            return max(min(wanted, whole + limits.adjustmentSamplesMax), whole)
        }
    }

    /// Stretches until playout has the whole target in hand, because a frame was overtaken and lost.
    ///
    /// Where frames overtake each other, having nearly the whole target in hand loses as many as
    /// having none. Behind a stall frames come in order: playout holds, and needs no stretching.
    mutating func fallBack() {
        if pace == .level { pace = .stretching }
    }

    /// Starts an adjustment when the excess has outlasted the patience, or playout has less than
    /// half the target in hand; ends it when the target is reached.
    private mutating func setPace(excessSamples: Int) {
        framesSinceHold = min(framesSinceHold + 1, Self.settledFrames)
        switch pace {
        case .level:
            excessFrameSamples = excessSamples > 0 ? excessFrameSamples + excessSamples : 0
            let isDue = excessFrameSamples > limits.patienceFrameSamples
            if isDue, framesSinceHold == Self.settledFrames {
                pace = .compressing
            } else if excessSamples < -VoiceClock.samples(target.delayNanoseconds / 2) {
                pace = .stretching
            }
        case .compressing where excessSamples <= 0, .stretching where excessSamples >= 0:
            pace = .level
            excessFrameSamples = 0
        case .compressing, .stretching:
            return
        }
    }
}
