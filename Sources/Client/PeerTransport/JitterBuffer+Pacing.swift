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
        into effects: inout EffectBuffer<Effect>
    ) -> Int {
        let index = slot.captureIndex
        let excess =
            sounds - index * VoiceClock.frameNanoseconds - target.transitNanoseconds
        if excess > Self.excessMaxNanoseconds, passes(over: slot) {
            discard(index, reason: .late, into: &effects)
            advance(to: index + 1, sounding: sounds)
            return 0
        }
        guard frames.remove(at: index) != nil else { return 0 }
        let samples = scaledSamples(excess: excess)
        effects.append(.play(slot.frame, captureIndex: index, samples: samples))
        advance(to: index + 1, sounding: sounds + VoiceClock.nanoseconds(samples))
        if slot.marks.contains(.talkEnd) { finishSpurt(at: sounds) }
        return samples
    }

    /// Orders the copy of frame `next` that `slot` carries.
    mutating func recover(
        from slot: FrameRing.Slot,
        sounding sounds: Int64,
        into effects: inout EffectBuffer<Effect>
    ) -> Int {
        let index = next
        let excess = sounds - index * VoiceClock.frameNanoseconds - target.transitNanoseconds
        let samples = scaledSamples(excess: excess)
        effects.append(.recover(captureIndex: index, from: slot.frame, samples: samples))
        advance(to: index + 1, sounding: sounds + VoiceClock.nanoseconds(samples))
        return samples
    }

    private func passes(over slot: FrameRing.Slot) -> Bool {
        slot.marks.isEmpty && frames.frame(at: slot.captureIndex + 1) != nil
    }

    private mutating func advance(to index: Int64, sounding sounds: Int64) {
        next = index
        lagNanoseconds = sounds - index * VoiceClock.frameNanoseconds
        (madeUp, madeUpHere, isHolding) = (0, 0, false)
    }

    /// The samples to which the next frame is scaled, with this much lag above the target.
    private mutating func scaledSamples(excess: Int64) -> Int {
        setPace(excess: excess)
        let whole = VoiceClock.frameSamples
        switch pace {
        case .level:
            return whole
        case .compressing:
            return whole - min(limits.adjustmentSamplesMax, VoiceClock.samples(excess))
        case .stretching:
            return whole + min(limits.adjustmentSamplesMax, VoiceClock.samples(-excess))
        }
    }

    /// Starts an adjustment when the excess has outlasted the patience, or playout has less than
    /// half the target in hand; ends it when the target is reached.
    private mutating func setPace(excess: Int64) {
        framesSinceHold = min(framesSinceHold + 1, Self.settledFrames)
        switch pace {
        case .level:
            excessSum = excess > 0 ? excessSum + excess : 0
            if excessSum > limits.patienceFrameNanoseconds, framesSinceHold == Self.settledFrames {
                pace = .compressing
            } else if excess < -target.delayNanoseconds / 2 {
                pace = .stretching
            }
        case .compressing where excess <= 0, .stretching where excess >= 0:
            pace = .level
            excessSum = 0
        case .compressing, .stretching:
            return
        }
    }
}
