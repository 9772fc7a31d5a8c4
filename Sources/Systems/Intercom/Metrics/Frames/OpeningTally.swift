import KodamaEvidence

/// How often one phone begins to send though nobody at it speaks.
///
/// It looks at stretches of frames sent one after another, pre-roll and release included, as they
/// are walked along. What a phone does while it has nobody to send to is not seen.
struct OpeningTally {
    /// Frames sent one after another.
    private struct Opening {
        var span: Span
        var holdsSpeech: Bool
    }

    private var opening: Opening?
    /// How many openings without speech have ended, and the longest of them.
    private var needlessCount: Int64 = 0
    private var longest = Span(start: 0, end: 0)
    /// How long frames without speech were captured.
    private var silence: Int64 = 0
    private var seenUntil: Int64 = 0

    /// So long without a frame parts two openings; frames of a drifting clock lie less apart.
    private static var pauseMax: Int64 { 100_000_000 }
    /// Speech may come so long after the first frame sent: no gate's pre-roll is longer.
    private static var preRollMax: Int64 { 500_000_000 }
    /// Less silence than this gives no rate.
    private static var silenceMin: Int64 { 10_000_000_000 }
    private static var hour: Int64 { 3_600_000_000_000 }

    /// Takes in the next stretch of time; `isSent` is of its frame, `nil` where none was captured.
    mutating func account(_ span: Span, isSent: Bool?, isSpoken: Bool) {
        // Of an opening that began or ends out of sight it is not known what it was for.
        let isSeenOn = span.start == seenUntil
        seenUntil = span.end
        if !isSeenOn {
            breakOff()
        }
        guard let isSent else { return }
        silence += isSpoken ? 0 : span.length
        if let latest = opening, !isSent || span.start - latest.span.end > Self.pauseMax {
            close(latest)
        }
        guard isSent else { return }
        if opening == nil {
            opening = Opening(span: span, holdsSpeech: !isSeenOn)
        }
        opening?.span.end = span.end
        if isSpoken {
            opening?.holdsSpeech = true
        }
    }

    /// The needless openings in an hour without speech, and the longest; `nil` after too little.
    var rate: (perHour: Int64, longest: Span)? {
        guard silence >= Self.silenceMin else { return nil }
        var ended = self
        ended.breakOff()
        return (ended.needlessCount * Self.hour / silence, ended.longest)
    }

    /// Nothing is known of how the opening goes on: it counts if speech would have come by now.
    private mutating func breakOff() {
        if let latest = opening, latest.span.length >= Self.preRollMax {
            close(latest)
        }
        opening = nil
    }

    private mutating func close(_ ended: Opening) {
        opening = nil
        guard !ended.holdsSpeech else { return }
        needlessCount += 1
        if ended.span.length > longest.length {
            longest = ended.span
        }
    }
}
