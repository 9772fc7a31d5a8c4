import KodamaEvidence
import SansIO

/// How long a user waits for the agent's answer, from the story of one phone.
///
/// What is said while the microphone is muted is not the agent's to answer, and where a turn that was
/// cut ended for the agent nobody can say: such turns do not count. A user who speaks again cuts a wait off; without any
/// answer meanwhile it goes on with the next silence.
struct TurnMeter {
    /// From the end of each answered turn to the first sample of its answer.
    private(set) var roundTrips: [Span] = []
    /// For each turn that no answer followed: from its end until none was to be expected any more.
    private(set) var unanswered: [Span] = []
    /// For each turn whose wait the user's next one, or the run's end, cut off: from its end on.
    private(set) var open: [Span] = []
    /// The turns that do not count, and why.
    private(set) var excluded: [(span: Span, reason: String)] = []

    /// What follows a turn that is not answered yet.
    private struct Wait {
        /// When the turn ended.
        var end: Int64
        /// When the user's next turn cut it off.
        var cut: Int64?
        /// How long the user has been silent since.
        var silence: Int64 = 0
        /// When that came to as much as an answer may take.
        var over: Int64?
    }

    /// In the order of their turns.
    private var waits: [Wait] = []
    private var spokenSince: Int64?
    private var silentSince: Int64?

    /// Reads all turns of a phone.
    init(_ reading: SessionReading) {
        let wanted = reading.wishes.wanted
        for entry in reading.entries {
            switch entry.kind {
            case SpeechBegan.kind:
                cutOff(at: entry.instant, wanted)
                spokenSince = entry.instant
            case SpeechEnded.kind:
                cutOff(at: entry.instant, wanted)
                silentSince = entry.instant
                let turn = Span(start: spokenSince ?? entry.instant, end: entry.instant)
                guard reading.wishes.muted.intersection(turn).all.isEmpty else {
                    excluded.append((turn, "muted"))
                    break
                }
                waits.append(Wait(end: entry.instant))
            case AnswerHeard.kind:
                let heard = AnswerHeard(entry.record).heard.nanoseconds
                guard let last = waits.last, heard >= last.end else { break }
                // One that comes while the user speaks again answers no turn for certain, and ends all waits.
                if last.cut == nil {
                    waits.removeLast()
                    roundTrips.append(Span(start: last.end, end: heard))
                }
                rest(until: heard)
                settle(waits, at: heard, wanted)
                waits = []
            default:
                break
            }
        }
        rest(until: reading.end)
        settle(waits, at: reading.end, wanted)
    }

    /// Lets the user's next turn cut off what is awaited; what was awaited long enough is settled.
    private mutating func cutOff(at instant: Int64, _ wanted: Spans) {
        rest(until: instant)
        silentSince = nil
        for index in waits.indices where waits[index].cut == nil { waits[index].cut = instant }
        settle(waits.filter { $0.over != nil }, at: instant, wanted)
        waits.removeAll { $0.over != nil }
    }

    /// Adds the silence up to an instant to what is awaited.
    private mutating func rest(until instant: Int64) {
        guard let since = silentSince, instant > since else { return }
        silentSince = instant
        for index in waits.indices {
            waits[index].silence += instant - since
            let beyond = waits[index].silence - SessionBounds.answerMax
            if beyond >= 0, waits[index].over == nil { waits[index].over = instant - beyond }
        }
    }

    private mutating func settle(_ waits: [Wait], at instant: Int64, _ wanted: Spans) {
        for wait in waits {
            let long = wait.over.map { Span(start: wait.end, end: $0) }
            if let long, wanted.complement(in: long).all.isEmpty {
                unanswered.append(long)
                continue
            }
            let most = wait.end + SessionBounds.answerMax
            let end = min(most, max(wait.end, wait.cut ?? instant))
            let seen = Span(start: wait.end, end: end)
            if wanted.complement(in: seen).all.isEmpty {
                open.append(seen)
            } else {
                excluded.append((seen, "not wanted any more"))
            }
        }
    }
}
