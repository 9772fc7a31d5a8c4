import KodamaEvidence
import PeerTransport
import SansIO

// What is not heard, and since when.

extension IntercomNarrator {
    /// Sound that is made up without a break.
    struct Gap {
        var start: Instant
        var end: Instant
        var cause: Sentence.Cause?

        /// Whether anybody notices it: shorter ones are hardly heard, and are many; five frames.
        var isNoticed: Bool { start.duration(to: end) >= .milliseconds(100) }
    }

    /// Who has not spoken for so long, in nanoseconds, may well be heard again: a pause is shorter.
    private static let quietMin: Int64 = 5_000_000_000

    /// Nobody misses a voice whose microphone is off, whatever was made up when it went off.
    mutating func mute(_ record: TraceRecord, in narration: Narration) {
        unheard.mute(record, in: narration)
        let isMuted = MicrophoneMuted(record).isMuted.isSet
        muted[record.component.index] = (isMuted, record.instant)
        if isMuted { gaps = gaps.filter { $0.key.of != record.component.index } }
    }

    /// Sound of somebody was made up.
    mutating func conceal(_ record: TraceRecord, in narration: Narration) {
        let concealed = FrameConcealed(record)
        guard concealed.means.value == .extrapolated,
            muted[record.subject.index]?.isMuted != true
        else { return }
        // Speakers run at 48 kHz.
        let end = concealed.heard.advanced(by: .nanoseconds(concealed.samples * 62_500 / 3))
        let isByInternet = routes[Pair(record)]?.phase == .internetConnected
        let cause = disruptions.recent(record, isByInternet ? .internet : .local, in: narration)
        let gap = Gap(start: concealed.heard, end: end, cause: cause)
        gaps[Pair(record), default: gap].end = end
    }

    /// Somebody is heard, maybe again.
    mutating func play(_ record: TraceRecord, in narration: inout Narration) {
        let silence = unheard.hear(record)
        let pair = Pair(record)
        let gap = gaps.removeValue(forKey: pair)
        guard gap?.isNoticed == true || silence != nil else { return }
        let other = narration.name(of: record.subject) ?? "somebody"
        if let silence, !silence.wasHeard {
            return narration.say(
                "\(other) is heard for the first time",
                of: record.component,
                at: FramePlayed(record).heard,
                after: Sentence.Cause(at: silence.since, "both were in the group")
            )
        }
        let began = tellBeginning(of: silence, gap, pair, in: &narration)
        narration.say(
            "\(other) is heard again",
            of: record.component,
            at: FramePlayed(record).heard,
            after: began
        )
    }

    /// What is still not heard when the run is over would otherwise never be told.
    mutating func finish(in narration: inout Narration) {
        tellRefusals(in: &narration)
        guard let ended else { return }
        narration.position = .max
        tellUnproven(at: ended, in: &narration)
        for (pair, silence) in unheard.silences(at: ended) {
            let other = narration.name(of: ComponentIndex(pair.of)) ?? "somebody"
            var text = "\(other) is still not heard"
            var cause = Sentence.Cause(at: silence.since, "both were in the group")
            if silence.wasHeard {
                cause = tellBeginning(of: silence, gaps[pair], pair, in: &narration)
                let quiet = silence.spokenUntil?.duration(to: ended).wholeNanoseconds ?? 0
                if quiet >= Self.quietMin { text += ", nor has it spoken for \(quiet.lengthText)" }
            } else {
                text = "nothing has been heard of \(other)"
            }
            narration.say(text, of: ComponentIndex(pair.at), at: ended, after: cause)
        }
    }

    /// Says that a voice is not heard from then on, and returns how sentences go on from there.
    private func tellBeginning(
        of silence: UnheardSpeech.Silence?,
        _ gap: Gap?,
        _ pair: Pair,
        in narration: inout Narration
    ) -> Sentence.Cause {
        let other = narration.name(of: ComponentIndex(pair.of)) ?? "somebody"
        var text = "the voice of \(other) breaks off"
        var cause = Sentence.Cause(at: silence?.since ?? .zero, "its voice broke off")
        if let gap, gap.isNoticed {
            text += ", and is made up for a moment"
            cause.at = gap.start
        } else if let silence, !silence.isBrokenOff {
            text = "what is said at \(other) is not heard"
            cause.text = "the silence began"
        }
        let disruption = gap?.cause.flatMap { $0.at <= cause.at ? $0 : nil }
        narration.say(text, of: ComponentIndex(pair.at), at: cause.at, after: disruption)
        return cause
    }
}
