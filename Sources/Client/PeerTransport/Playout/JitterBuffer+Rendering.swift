import SansIO

extension JitterBuffer {
    /// The most samples one request is given; the rest is silence.
    static let requestSamplesMax = VoiceClock.samplesPerSecond
    /// The grain of concealment, 2.5 ms: the shortest frame of Opus (RFC 6716 section 2.1.4).
    static let grainSamples = 120
    /// Concealment beyond this has faded: at its fifth frame libopus 1.3.1 is 45 dB down (measured
    /// on 200 losses inside speech).
    static let fadedSamples = 5 * VoiceClock.frameSamples
    /// After so long a hold the spurt counts as over, its end mark as lost.
    ///
    /// After so much made-up sound a lag far above the target is given up as well.
    static let abandonedSamples = VoiceClock.samplesPerSecond
    /// How long the first frame of a pre-roll is waited for when a later one came before it.
    static let overtakenNanoseconds = VoiceClock.frameNanoseconds
    /// After a hold, frames that are less late than this are dropped to keep the lag.
    ///
    /// These are two frames at most, 40 ms that are hardly missed: libopus conceals as much well. Of
    /// more a syllable would be lost, so they play late.
    static let dropNanoseconds = 5 * VoiceClock.frameNanoseconds / 2
    /// The playout of a frame may begin this much before it is due: half a grain.
    static let alignmentSamples = 60

    mutating func render(_ samples: Int, in turn: inout Turn<Effect>) {
        guard state != .stopped, samples > 0 else { return }
        let wanted = min(samples, Self.requestSamplesMax)
        (requestNanoseconds, requestSamples) = (turn.now.nanoseconds, wanted)
        while ahead < wanted {
            let sounds = turn.now.nanoseconds + VoiceClock.nanoseconds(ahead)
            ahead += order(sounding: sounds, missing: wanted - ahead, in: &turn)
        }
        ahead -= wanted
        if samples > wanted { turn.order(.silence(samples: samples - wanted)) }
    }

    /// Orders what sounds next.
    ///
    /// - Parameters:
    ///   - sounds: When it will sound, in nanoseconds.
    ///   - missing: The samples that the request still lacks.
    ///   - turn: Where the orders go.
    /// - Returns: The samples ordered; none if only the state moved.
    private mutating func order(
        sounding sounds: Int64,
        missing: Int,
        in turn: inout Turn<Effect>
    ) -> Int {
        switch state {
        case .idle, .stopped:
            turn.order(.silence(samples: missing))
            return missing
        case .waiting(let since):
            return wait(since: since, sounds, missing: missing, in: &turn)
        case .talking:
            return talk(sounds, missing: missing, in: &turn)
        }
    }

    /// Pads with silence up to the start of the next spurt, or starts it.
    private mutating func wait(
        since: Int64,
        _ sounds: Int64,
        missing: Int,
        in turn: inout Turn<Effect>
    ) -> Int {
        guard let first = frames.first(from: next) else {
            state = .idle
            return 0
        }
        var due = first.captureIndex * VoiceClock.frameNanoseconds + target.transitNanoseconds
        if first.marks.contains(.burst), !first.marks.contains(.talkStart) {
            due = max(due, since + Self.overtakenNanoseconds)
        }
        let early = boundary(after: due) - ahead
        guard early <= 0 else {
            turn.order(.silence(samples: min(missing, early)))
            return min(missing, early)
        }
        next = first.captureIndex
        if let end = spurtEnd, end < next { spurtEnd = nil }
        (state, pace, excessFrameSamples) = (.talking, .level, 0)
        framesSinceHold = Self.settledFrames
        return play(first, sounding: sounds, in: &turn)
    }

    /// Orders the next frame of the spurt or what stands in for it.
    private mutating func talk(_ sounds: Int64, missing: Int, in turn: inout Turn<Effect>) -> Int {
        if let gap = overtaken, next >= gap.end { overtaken = nil }
        let first = frames.first(from: next)
        if let end = spurtEnd {
            passMadeUp(before: min(end + 1, first?.captureIndex ?? .max))
            guard next <= end else {
                finishSpurt(at: sounds)
                return 0
            }
        }
        guard let slot = first else {
            return hold(sounds, missing: missing, in: &turn)
        }
        let isContiguous = slot.captureIndex == next
        if isContiguous, madeUp == 0 {
            return play(slot, sounding: sounds, in: &turn)
        }
        if !isContiguous, slot.marks.contains(.talkStart) {
            finishSpurt(at: sounds)
            return 0
        }
        return resume(with: slot, sounding: sounds, missing: missing, in: &turn)
    }

    /// Bridges the way to a frame that does not follow the last one without a gap.
    private mutating func resume(
        with slot: FrameRing.Slot,
        sounding sounds: Int64,
        missing: Int,
        in turn: inout Turn<Effect>
    ) -> Int {
        // For what a slower path needs that came into use meanwhile, playout is stretched.
        let held = isHolding ? target.transitNanoseconds(of: slot.path) : .min
        let wanted = max(lagNanoseconds, held)
        let late = sounds - slot.captureIndex * VoiceClock.frameNanoseconds - wanted
        let lateCopy = late + VoiceClock.frameNanoseconds
        let recovers =
            slot.carriesFEC && slot.captureIndex > next && !isPast(late: lateCopy, lag: wanted)
        if !recovers, isPast(late: late, lag: wanted), passes(over: slot) {
            discard(slot.captureIndex, reason: .late, in: &turn)
            if !isHolding, overtaken == nil { fallBack() }
            skip(to: slot.captureIndex + 1, lag: wanted + borne(late: late, lag: wanted))
            return 0
        }
        let index = recovers ? slot.captureIndex - 1 : slot.captureIndex
        let due = VoiceClock.samples(recovers ? -lateCopy : -late)
        let early = min(due, overtaken?.samples ?? due)
        guard early <= Self.alignmentSamples else {
            let isFar = wanted - target.transitNanoseconds > Self.excessMaxNanoseconds
            if isFar, madeUp >= Self.abandonedSamples {
                finishSpurt(at: sounds)
                return 0
            }
            if isOvertaken(by: slot, at: sounds) {
                return holdForSlowerPath(early, before: slot, missing: missing, in: &turn)
            }
            passMadeUp(before: index)
            let here = max(VoiceClock.frameSamples - madeUpHere, Self.grainSamples)
            return bridge(min(early, here), in: &turn)
        }
        next = index
        guard !recovers else { return recover(from: slot, sounding: sounds, in: &turn) }
        return play(slot, sounding: sounds, in: &turn)
    }

    /// Whether the time of a frame that is so late by `lag` has passed.
    private func isPast(late: Int64, lag: Int64) -> Bool {
        late - borne(late: late, lag: lag) > VoiceClock.frameNanoseconds / 2
    }

    /// How far beyond `lag` playout may go for a frame that is so late by it, in nanoseconds.
    private func borne(late: Int64, lag: Int64) -> Int64 {
        guard isHolding || overtaken != nil, late > Self.dropNanoseconds else { return 0 }
        return max(0, target.latestTransitNanoseconds - lag)
    }

    private mutating func skip(to index: Int64, lag: Int64) {
        let passed = Int(index - next) * VoiceClock.frameSamples
        madeUpHere = max(0, madeUpHere - passed)
        next = index
        lagNanoseconds = lag
    }

    /// Gives up the frames before `index` whose whole place has been filled, unless they may come.
    private mutating func passMadeUp(before index: Int64) {
        while overtaken == nil, madeUpHere >= VoiceClock.frameSamples, next < index {
            next += 1
            madeUpHere -= VoiceClock.frameSamples
        }
    }

    /// Fills what the request lacks, because nothing is left to play.
    private mutating func hold(_ sounds: Int64, missing: Int, in turn: inout Turn<Effect>) -> Int {
        guard madeUp < Self.abandonedSamples else {
            finishSpurt(at: sounds)
            return 0
        }
        (isHolding, pace, excessFrameSamples, framesSinceHold) = (true, .level, 0, 0)
        return bridge(Self.wholeGrains(missing), in: &turn)
    }

    /// Whether a slower path may still fill the gap before a frame.
    ///
    /// A gap of one frame is over before the frame could play late. What counts is which paths were
    /// in use when the last real frame had sounded: a stall may last longer than a path counts as
    /// in use.
    private func isOvertaken(by slot: FrameRing.Slot, at sounds: Int64) -> Bool {
        guard overtaken == nil else { return true }
        let heard = Instant(nanoseconds: sounds - VoiceClock.nanoseconds(madeUp))
        return slot.captureIndex > next + 1 && target.mayBring(next, at: heard)
    }

    /// Fills what the request lacks, in the place of frames that a slower path may still bring.
    ///
    /// If it is dead, the frame beyond them plays when it would have if they had been lost.
    private mutating func holdForSlowerPath(
        _ early: Int,
        before slot: FrameRing.Slot,
        missing: Int,
        in turn: inout Turn<Effect>
    ) -> Int {
        var gap = overtaken ?? Overtaken(end: slot.captureIndex, samples: early)
        (pace, excessFrameSamples, framesSinceHold) = (.level, 0, 0)
        let made = bridge(min(early, Self.wholeGrains(missing)), in: &turn)
        gap.samples -= made
        overtaken = gap
        return made
    }

    private static func wholeGrains(_ samples: Int) -> Int {
        (samples + grainSamples - 1) / grainSamples * grainSamples
    }

    /// Makes up sound: concealment until it has faded, then silence.
    private mutating func bridge(_ samples: Int, in turn: inout Turn<Effect>) -> Int {
        let audible = Self.fadedSamples - madeUp
        let made = audible > 0 ? min(samples, audible) : samples
        if audible > 0 {
            turn.order(.conceal(captureIndex: next, samples: made))
        } else {
            turn.order(.silence(samples: made))
        }
        madeUp += made
        madeUpHere += made
        return made
    }

    /// Leaves a spurt: what is here or comes belongs to the next one.
    mutating func finishSpurt(at now: Int64) {
        if let end = spurtEnd, next > end { spurtEnd = nil }
        (madeUp, madeUpHere, isHolding) = (0, 0, false)
        overtaken = nil
        state = frames.count > 0 ? .waiting(sinceNanoseconds: now) : .idle
    }
}
