import KodamaEvidence
import SansIO

/// How long a user waits for the agent's answer, from the story of one phone.
///
/// What is said while the microphone is muted is not the agent's to answer, and where a turn that was
/// cut ended for the agent nobody can say: such turns do not count.
struct TurnMeter {
    /// From the end of each answered turn to the first sample of its answer.
    private(set) var roundTrips: [Span] = []
    /// For each turn that no answer followed: from its end until none was to be expected any more.
    private(set) var unanswered: [Span] = []
    /// For each turn whose wait the user's next one, or the run's end, cut off: from its end on.
    private(set) var open: [Span] = []
    /// The turns that do not count, and why.
    private(set) var excluded: [(span: Span, reason: String)] = []

    private var spokenSince: Int64?
    private var spokenUntil: Int64?

    /// Reads all turns of a phone.
    init(_ reading: SessionReading) {
        let wanted = reading.wishes.wanted
        for entry in reading.entries {
            switch entry.kind {
            case SpeechBegan.kind:
                close(at: entry.instant, wanted)
                spokenSince = entry.instant
            case SpeechEnded.kind:
                close(at: entry.instant, wanted)
                let turn = Span(start: spokenSince ?? entry.instant, end: entry.instant)
                guard reading.wishes.muted.intersection(turn).all.isEmpty else {
                    excluded.append((turn, "muted"))
                    break
                }
                spokenUntil = entry.instant
            case AnswerHeard.kind:
                let heard = AnswerHeard(entry.record).heard.nanoseconds
                guard let end = spokenUntil, heard >= end else { break }
                roundTrips.append(Span(start: end, end: heard))
                spokenUntil = nil
            default:
                break
            }
        }
        close(at: reading.end, wanted)
    }

    private mutating func close(at instant: Int64, _ wanted: Spans) {
        guard let end = spokenUntil else { return }
        spokenUntil = nil
        let wait = Span(start: end, end: end + SessionBounds.answerMax)
        let seen = Span(start: end, end: min(wait.end, max(end, instant)))
        if !wanted.complement(in: seen).all.isEmpty {
            excluded.append((seen, "not wanted any more"))
        } else if instant >= wait.end {
            unanswered.append(wait)
        } else {
            open.append(seen)
        }
    }
}
