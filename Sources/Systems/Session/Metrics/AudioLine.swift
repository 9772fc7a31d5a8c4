package import KodamaEvidence

/// When the voice of one side of a conversation was not heard by the other.
///
/// Fed with frames (`voice.heard`) or with `audio.flowing` and `audio.stopped`; both give the same.
/// A frame counts if it is heard within 1 s of its capture, or, where the quickest so far took longer than
/// half a second, within twice its time: what a long path takes is no loss. A path may become long: once
/// 5 s more of sound have come later than that than in time, it takes what the quickest of the late took, until as
/// much more has come sooner. Voice is *lost* from
/// the capture of the first frame that is not heard, and *back* when the next one is heard: the ear's time,
/// which is later than the capture's. Less than 200 ms of sound missing in a row is no loss: at 10 % random
/// loss ten frames of 20 ms vanish in a row once in 10^10 frames, in over two years of talk.
package struct AudioLine: Sendable {
    /// Sound that was not heard, and when sound was heard again.
    struct Gap: Equatable, Sendable {
        /// The capture times of the sound that is missing.
        var missing: Span
        /// Until when sound was heard that was captured before.
        var soundedUntil: Int64
        /// When the sound captured at the end of `missing` was heard; `Span.future` if never.
        var back: Int64
    }

    static let frameLength: Int64 = 20_000_000
    /// The age at which sound is of no use any more, on most paths.
    static let delayMax: Int64 = 1_000_000_000
    /// The same on the longest path: of a satellite's or a bad roaming's seconds; an assumption.
    static let longestDelayMax: Int64 = 5_000_000_000
    /// How much more sound is late than in time when the path is known to have become longer; an assumption,
    /// below the 10 s of `SessionBounds.watchdogMax` together with the longest delay.
    static let lengthenedAfter: Int64 = 5_000_000_000
    /// The least sound whose lack is a loss.
    static let missingMin: Int64 = 200_000_000
    /// The least lack of sound that is counted: what packet loss concealment leaves audible; an
    /// assumption.
    static let clickMin: Int64 = 60_000_000

    /// Begins before anything is heard.
    package init() {}

    /// The gaps so far, in order; the first one ends with the first sound of the run.
    private(set) var gaps: [Gap] = []
    /// The capture times of missing sound that is no loss, but can be heard to be missing.
    private(set) var clicks: [Span] = []
    /// Up to which capture time sound was heard; `Span.future` while it flows by itself.
    private var heardUntil = Span.past
    /// When the ear had heard the last of it, and the age of sound that flows by itself.
    private var soundedUntil = Span.past
    private var flowAge: Int64 = 0
    /// The least age of sound that was heard on the path as it is, and whether it became so long.
    private var quickest = Int64.max
    private var isLengthened = false
    /// What speaks for a longer path, or for the end of one, and up to which capture time it was weighed.
    private var longer = PathDoubt()
    private var shorter = PathDoubt()
    private var weighedUntil = Span.past
    /// Sound that flows, late, and from when on it is heard if it goes on until then.
    private var lateFlow: (captured: Int64, heard: Int64)?

    /// The age at which sound is of no use any more on the path that it took.
    var limit: Int64 {
        guard quickest != .max else { return Self.delayMax }
        let twice = min(quickest, Self.longestDelayMax) * 2
        return min(max(Self.delayMax, twice), Self.longestDelayMax)
    }

    /// Learns what the path takes from sound of some age.
    ///
    /// - Returns: Whether the sound is of use.
    private mutating func isInTime(_ age: Int64, capturedAt captured: Int64) -> Bool {
        let elapsed = min(max(0, captured - weighedUntil), Self.missingMin)
        weighedUntil = max(weighedUntil, captured)
        if !isLengthened { quickest = min(quickest, age) }
        guard age <= Self.longestDelayMax else { return false }
        if let least = shorter.weigh(age, isFor: age < quickest, elapsed) {
            (quickest, isLengthened) = (least, false)
        }
        if let least = longer.weigh(age, isFor: age > limit, elapsed) { lengthen(to: least) }
        return age <= limit
    }

    private mutating func lengthen(to age: Int64) {
        (quickest, isLengthened) = (age, true)
        (longer, shorter) = (PathDoubt(), PathDoubt())
    }

    /// A frame captured at `captured` was heard at `heard`.
    package mutating func frame(captured: Int64, heard: Int64) {
        guard isInTime(heard - captured, capturedAt: captured) else { return }
        guard captured >= heardUntil else {
            fillGap(at: captured, heard: heard)
            fillClick(at: captured)
            return
        }
        endSilence(at: captured, heard: heard)
        heardUntil = captured + Self.frameLength
        soundedUntil = max(soundedUntil, heard + Self.frameLength)
    }

    /// Sound captured from `captured` on is heard, the first of it at `heard`.
    mutating func flows(captured: Int64, heard: Int64) {
        guard heardUntil != Span.future else { return }
        let age = heard - captured
        guard isInTime(age, capturedAt: captured) else {
            guard age <= Self.longestDelayMax else { return }
            let since = captured + Self.lengthenedAfter
            lateFlow = (captured: since, heard: since + age)
            return
        }
        if age < quickest { (quickest, isLengthened) = (age, false) }
        (longer, shorter) = (PathDoubt(), PathDoubt())
        endSilence(at: captured, heard: heard)
        heardUntil = Span.future
        flowAge = age
    }

    /// Sound that flows late has done so until `captured`: whether that was long enough is known.
    private mutating func settleLateFlow(until captured: Int64) {
        guard let flow = lateFlow else { return }
        lateFlow = nil
        guard captured > flow.captured else { return }
        lengthen(to: flow.heard - flow.captured)
        endSilence(at: flow.captured, heard: flow.heard)
        heardUntil = Span.future
        flowAge = flow.heard - flow.captured
    }

    /// Sound captured from `captured` on is not heard.
    mutating func stops(captured: Int64) {
        settleLateFlow(until: captured)
        guard heardUntil == Span.future else { return }
        heardUntil = captured
        soundedUntil = max(soundedUntil, captured + flowAge)
    }

    /// The run is over: sound captured in its last second may still have been under way.
    package mutating func end(at instant: Int64) {
        settleLateFlow(until: instant - (lateFlow.map { $0.heard - $0.captured } ?? 0))
        let settled = instant - limit
        guard heardUntil != Span.future, settled - heardUntil >= Self.missingMin else { return }
        let missing = Span(start: heardUntil, end: settled)
        gaps.append(Gap(missing: missing, soundedUntil: soundedUntil, back: Span.future))
    }

    /// What was captured after the first sound and never heard, from 60 ms on.
    package var lacks: Spans {
        Spans(gaps.map(\.missing).filter { $0.start != Span.past } + clicks)
    }

    /// When nobody heard this side, although it was expected: not at the times of `excused`.
    ///
    /// A time ends when sound is heard again or the excuse begins; what is left of a gap between
    /// excuses counts if it lacks as much sound as a loss does.
    func silence(except excused: Spans = Spans()) -> Spans {
        var silent: [Span] = []
        for gap in gaps {
            for piece in excused.complement(in: gap.missing).all
            where piece.length >= Self.missingMin {
                let end = piece.end == gap.missing.end ? gap.back : piece.end
                silent.append(Span(start: piece.start, end: end))
            }
        }
        return Spans(silent)
    }

    /// When the ear heard nothing, which on a long path is later than nothing was captured.
    var quiet: Spans { Spans(gaps.map { Span(start: $0.soundedUntil, end: $0.back) }) }

    private mutating func endSilence(at captured: Int64, heard: Int64) {
        let missing = Span(start: heardUntil, end: captured)
        if missing.length >= Self.missingMin {
            let sounded = min(soundedUntil, heard)
            gaps.append(Gap(missing: missing, soundedUntil: sounded, back: heard))
        } else if missing.length >= Self.clickMin {
            clicks.append(missing)
        }
    }

    /// A frame that later ones overtook leaves less to miss.
    private mutating func fillClick(at captured: Int64) {
        let index = clicks.lastIndex { $0.start <= captured }
        guard let index, captured < clicks[index].end else { return }
        let click = clicks[index]
        let pieces = [
            Span(start: click.start, end: captured),
            Span(start: captured + Self.frameLength, end: click.end),
        ]
        clicks.replaceSubrange(index...index, with: pieces.filter { $0.length >= Self.clickMin })
    }

    /// A frame that later ones overtook divides the gap that they left.
    private mutating func fillGap(at captured: Int64, heard: Int64) {
        let index = gaps.lastIndex { $0.missing.start <= captured }
        guard let index, captured < gaps[index].missing.end else { return }
        let gap = gaps[index]
        let frameEnd = captured + Self.frameLength
        let (before, after) = (gap.missing.start, gap.missing.end)
        let sounded = min(heard + Self.frameLength, gap.back)
        let pieces = [
            Gap(
                missing: Span(start: before, end: captured),
                soundedUntil: gap.soundedUntil,
                back: heard
            ),
            Gap(
                missing: Span(start: frameEnd, end: after),
                soundedUntil: sounded,
                back: gap.back
            ),
        ]
        let rest = pieces.filter { $0.missing.length >= Self.missingMin }
        gaps.replaceSubrange(index...index, with: rest)
    }
}

/// Sound that speaks for another time of a path than is known: how much more of it came lately than of other sound.
private struct PathDoubt: Sendable {
    private var surplus: Int64?
    private var least = Int64.max

    /// Weighs sound, with the time since the sound before it.
    ///
    /// - Returns: The least age of what speaks for it, once that prevails.
    mutating func weigh(_ age: Int64, isFor: Bool, _ elapsed: Int64) -> Int64? {
        guard isFor else {
            surplus = surplus.flatMap { $0 > elapsed ? $0 - elapsed : nil }
            if surplus == nil { least = .max }
            return nil
        }
        least = min(least, age)
        let latest = surplus.map { $0 + elapsed } ?? 0
        surplus = latest
        return latest >= AudioLine.lengthenedAfter ? least : nil
    }
}
