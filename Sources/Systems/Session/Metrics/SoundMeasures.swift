import KodamaEvidence
import SansIO

/// How sessions sound where voices are real, judged from what was said and what was heard of it.
///
/// The listener is the phone's user, or the agent. What counts is said in a wanted conversation, from the first
/// sound on: by the agent in its answers, by the user while the microphone is not muted.
struct SoundMeasures: Sendable {
    private var mouthToEar = Measure.time(
        "session.sound.mouth_to_ear.time",
        "Heard minus captured, all buffers counted, of each frame with speech that was decoded.",
        "K-09, ITU-T G.114",
        occasions: .atOnce
    )
    private var clipped = Measure.time(
        "session.sound.onset.clipped.time",
        """
        For each spurt of the user's and each answer of the agent's: its beginning before the first frame of it that \
        was heard, all of it if none was; less than 60 ms counts as 0.
        """,
        "K-15, K-09",
        occasions: .atOnce
    )
    private var unplayed = Measure.time(
        "session.sound.never_played.time",
        """
        Stretches of 60 ms or more of what is said that were never heard, but for clipped onsets.
        """,
        "K-10, K-09",
        occasions: .atOnce
    )
    private var stalls = Measure.time(
        "session.sound.made_up.time",
        "Sound made up in a row where frames with speech did not come in time.",
        "K-10",
        occasions: .atOnce
    )
    private var madeUp = Measure.share(
        "session.sound.made_up.share",
        "Share of sound made up in that of frames heard or made up, for each listener.",
        "K-10",
        occasions: .atOnce
    )

    var all: [any AnyMeasure] { [mouthToEar, clipped, unplayed, stalls, madeUp] }

    /// A frame with speech was decoded and is heard.
    mutating func played(_ voice: VoiceHeard, _ record: TraceRecord) {
        let span = Span(start: voice.captured.nanoseconds, end: voice.heard.nanoseconds)
        let isOfUser = voice.direction.value == .fromPhone
        let (listener, talker) =
            isOfUser
            ? (record.subject, record.component) : (record.component, record.subject)
        mouthToEar.add(span.length, at: Occurrence(span, of: listener, about: talker, record))
    }

    /// Adds what one phone's session sounded like, to its user and to the agent.
    mutating func add(_ reading: SessionReading) {
        let (pair, lacks) = reading.sound
        let spoken = reading.spoken
        add(pair.toPhone, lacks.toPhone, said: reading.answers, reading) {
            Occurrence($0, of: reading.phone, about: reading.agents)
        }
        add(pair.fromPhone, lacks.fromPhone, said: spoken, reading) {
            Occurrence($0, of: reading.agents, about: reading.phone)
        }
    }

    private mutating func add(
        _ line: SoundLine,
        _ lacks: Spans,
        said: Spans,
        _ reading: SessionReading,
        _ occurrence: (Span) -> Occurrence
    ) {
        guard line.isOpen else { return }
        let run = Span(start: 0, end: reading.end)
        let samples = line.frames * SoundLine.frameSamples + line.madeUpSamples
        if samples > 0 { madeUp.add(line.madeUpSamples, of: samples, at: occurrence(run)) }
        let wanted = reading.wishes.wanted
        for stall in line.runs where stall.isInSpeech && wanted.contains(stall.span.start) {
            stalls.add(stall.span.length, at: occurrence(stall.span))
        }
        for speech in said.all where wanted.contains(speech.start) {
            let missing = lacks.intersection(speech).intersection(wanted).all
            let onset = missing.first { $0.start == speech.start }
            let clip = onset ?? Span(start: speech.start, end: speech.start)
            clipped.add(clip.length, at: occurrence(clip))
            for gap in missing where gap != onset {
                unplayed.add(gap.length, at: occurrence(gap))
            }
        }
    }
}

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
