import KodamaEvidence
import SansIO

/// One side's voice as the narrator of sessions keeps it.
///
/// What is missing is the meter's finding, with frames and without; the narrator also wants to know
/// when the ear lost it, which is later than its capture.
struct NarratedVoice: Sendable {
    /// A time in which nobody heard this side.
    struct Silence: Sendable {
        /// When the ear had heard the last sound; `Span.past` if there was none before.
        var start: Int64
        /// How many records had come then; all of that instant if sound just came no more.
        var position: Int
        /// When the ear heard the next sound, or nobody was to hear any; `Span.future` if never.
        var end: Int64
    }

    /// Sound that was heard up to some capture time, and when that was known to be all.
    private struct Loss: Sendable {
        var captured: Int64
        var at: Int64
        var position: Int
    }

    /// What the meter makes of it.
    private(set) var line = AudioLine()
    private var heard: Loss?
    private var isFlowing = false
    /// By the capture time of the first sound that is missing.
    private var losses: [Int64: Loss] = [:]

    /// A frame was heard.
    mutating func frame(_ voice: VoiceHeard) {
        let (captured, heard) = (voice.captured.nanoseconds, voice.heard.nanoseconds)
        line.frame(captured: captured, heard: heard)
        guard heard - captured <= line.limit else { return }
        keepLoss(until: captured)
        let last = self.heard
        self.heard = Loss(
            captured: max(captured + AudioLine.frameLength, last?.captured ?? Span.past),
            at: max(heard + AudioLine.frameLength, last?.at ?? Span.past),
            position: .max
        )
    }

    /// Voice flows from now on.
    mutating func flows(_ flow: AudioFlowing) {
        let (captured, heard) = (flow.captured.nanoseconds, flow.heard.nanoseconds)
        line.flows(captured: captured, heard: heard)
        guard !isFlowing, heard - captured <= AudioLine.longestDelayMax else { return }
        isFlowing = true
        keepLoss(until: captured)
    }

    /// Voice flows no longer.
    mutating func stops(_ stop: AudioStopped, at instant: Instant, position: Int) {
        let captured = stop.captured.nanoseconds
        line.stops(captured: captured)
        guard isFlowing else { return }
        isFlowing = false
        heard = Loss(captured: captured, at: instant.nanoseconds, position: position)
    }

    /// The run is over.
    mutating func end(at instant: Instant) {
        line.end(at: instant.nanoseconds)
        if let heard { losses[heard.captured] = heard }
    }

    private mutating func keepLoss(until captured: Int64) {
        guard let heard, captured - heard.captured >= AudioLine.missingMin else { return }
        losses[heard.captured] = heard
    }

    /// When nobody heard this side although somebody was to: not at the times of `excused`.
    func silences(except excused: Spans = Spans()) -> [Silence] {
        line.silence(except: excused).all.map { span in
            let loss = losses[span.start]
            return Silence(
                start: min(loss?.at ?? span.start, span.end),
                position: loss?.position ?? .max,
                end: span.end
            )
        }
    }
}
