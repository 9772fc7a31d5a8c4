package import KodamaEvidence
import SansIO

/// How conversations sound where voices are real, judged from what was said and what was heard of it.
///
/// What counts is said while the conversation is wanted, from its first sound on, by a talker who is not muted.
package struct SoundMeasures: Sendable {
    private var mouthToEar: Measure<Distribution>
    private var clipped: Measure<Distribution>
    private var unplayed: Measure<Distribution>
    private var stalls: Measure<Distribution>
    private var madeUp: Measure<Proportion>

    /// Declares the metrics of a family, such as `session`.
    ///
    /// - Parameters:
    ///   - family: How the names of the metrics begin.
    ///   - source: The requirement that asks for whole sound.
    package init(of family: String, _ source: String) {
        mouthToEar = Measure.time(
            "\(family).sound.mouth_to_ear.time",
            "Heard minus captured, all buffers counted, of each frame with speech that was decoded.",
            "\(source), ITU-T G.114",
            occasions: .atOnce
        )
        clipped = Measure.time(
            "\(family).sound.onset.clipped.time",
            """
            For each spurt or answer: its beginning before the first frame of it that its listener heard, all of it \
            if none was; less than 60 ms counts as 0.
            """,
            source,
            occasions: .atOnce
        )
        unplayed = Measure.time(
            "\(family).sound.never_played.time",
            "Stretches of speech of 60 ms or more, clipped onsets aside, that were never heard.",
            source,
            occasions: .atOnce
        )
        stalls = Measure.time(
            "\(family).sound.made_up.time",
            "Sound made up in a row where frames with speech did not come in time.",
            source,
            occasions: .atOnce
        )
        madeUp = Measure.share(
            "\(family).sound.made_up.share",
            "Share of sound made up in that of frames heard or made up, for each listener.",
            source,
            occasions: .atOnce
        )
    }

    /// The metrics, in the order in which reports list them.
    package var all: [any AnyMeasure] { [mouthToEar, clipped, unplayed, stalls, madeUp] }

    /// A frame with speech was decoded and is heard.
    package mutating func played(
        _ voice: VoiceHeard,
        by listener: ComponentIndex,
        of talker: ComponentIndex,
        _ record: TraceRecord
    ) {
        let span = Span(start: voice.captured.nanoseconds, end: voice.heard.nanoseconds)
        mouthToEar.add(span.length, at: Occurrence(span, of: listener, about: talker, record))
    }

    /// Adds what one listener heard of one talker, if it was sound.
    ///
    /// - Parameters:
    ///   - line: What was decoded and made up.
    ///   - lacks: What was captured and never heard.
    ///   - said: When the talker spoke.
    ///   - wanted: When what they say counts.
    ///   - end: The run's end.
    ///   - occurrence: To whom something happens, of whose voice.
    package mutating func add(
        _ line: SoundLine,
        lacks: Spans,
        said: Spans,
        wanted: Spans,
        end: Int64,
        _ occurrence: (Span) -> Occurrence
    ) {
        guard line.isOpen else { return }
        let run = Span(start: 0, end: end)
        let samples = line.frames * SoundLine.frameSamples + line.madeUpSamples
        if samples > 0 { madeUp.add(line.madeUpSamples, of: samples, at: occurrence(run)) }
        for stall in line.runs where stall.isInSpeech && wanted.contains(stall.span.start) {
            stalls.add(stall.span.length, at: occurrence(stall.span))
        }
        for speech in said.all where wanted.contains(speech.start) {
            let missing = lacks.intersection(speech).intersection(wanted).all.filter { gap in
                // What was under way as the conversation ended is no loss.
                gap.length >= AudioLine.missingMin || !wanted.all.contains { $0.end == gap.end }
            }
            let onset = missing.first { $0.start == speech.start }
            let clip = onset ?? Span(start: speech.start, end: speech.start)
            clipped.add(clip.length, at: occurrence(clip))
            for gap in missing where gap != onset {
                unplayed.add(gap.length, at: occurrence(gap))
            }
        }
    }
}
