import KodamaEvidence

/// How much of the agent's answers the phone did not hear, from the story of one phone.
///
/// What counts is said in a wanted conversation. What is missing is missing by the measure of
/// two-way audio: 200 ms in a row, or more.
struct AnswerMeter {
    /// One answer.
    struct Answer {
        /// From its beginning to its end.
        var span: Span
        /// The length of what counts of it.
        var said: Int64
        /// The length of what was not heard of that.
        var unheard: Int64
    }

    /// All answers, in order.
    private(set) var answers: [Answer] = []

    /// Reads all answers to a phone.
    init(_ reading: SessionReading) {
        var since: Int64?
        for entry in reading.entries {
            switch entry.kind {
            case AnswerBegan.kind:
                since = entry.instant
            case AnswerEnded.kind, AgentClosed.kind:
                guard let start = since else { break }
                add(Span(start: start, end: entry.instant), reading)
                since = nil
            default:
                break
            }
        }
        // What was said in the last second may still be under way.
        if let start = since {
            add(Span(start: start, end: reading.end - AudioLine.delayMax), reading)
        }
    }

    private mutating func add(_ answer: Span, _ reading: SessionReading) {
        let wanted = reading.wishes.wanted.intersection(answer)
        guard !wanted.all.isEmpty else { return }
        let unheard = wanted.intersection(reading.missing).all.map(\.length)
            .filter { $0 >= AudioLine.missingMin }.reduce(0, +)
        answers.append(Answer(span: answer, said: wanted.length, unheard: unheard))
    }
}
