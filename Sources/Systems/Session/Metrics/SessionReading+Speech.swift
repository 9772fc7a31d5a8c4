import KodamaEvidence

extension SessionReading {
    /// When the agents answered.
    var answers: Spans {
        var spans: [Span] = []
        var since: Int64?
        for entry in entries {
            switch entry.kind {
            case AnswerBegan.kind:
                since = entry.instant
            case AnswerEnded.kind, AgentClosed.kind:
                guard let start = since else { break }
                spans.append(Span(start: start, end: entry.instant))
                since = nil
            default:
                break
            }
        }
        if let start = since { spans.append(Span(start: start, end: end)) }
        return Spans(spans)
    }

    /// When somebody at the phone spoke to be heard: while the microphone was not muted.
    var spoken: Spans {
        var spans: [Span] = []
        var speakers = 0
        var since: Int64?
        for entry in entries {
            switch entry.kind {
            case SpeechBegan.kind:
                speakers += 1
                since = since ?? entry.instant
            case SpeechEnded.kind:
                speakers = max(0, speakers - 1)
                guard speakers == 0, let start = since else { break }
                spans.append(Span(start: start, end: entry.instant))
                since = nil
            default:
                break
            }
        }
        if let start = since { spans.append(Span(start: start, end: end)) }
        return Spans(spans).subtracting(wishes.muted)
    }
}
