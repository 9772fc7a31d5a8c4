import KodamaEvidence
import SansIO

/// What people say at phones and nobody hears at others of their group.
///
/// A pair of apps is silent while somebody speaks at the one and none of its voice sounds at the
/// other; pauses do not count.
struct UnheardSpeech {
    /// Speech that is not heard.
    struct Silence {
        /// Since when; if nothing was ever heard, since when both are in the group.
        var since: Instant
        /// Whether it began amid a spurt of which the beginning was heard.
        var isBrokenOff = false
        /// Whether anything was heard before.
        var wasHeard = false
        /// When the last of the speech ended that is not heard, if anything was heard before.
        var spokenUntil: Instant?
    }

    typealias Pair = IntercomNarrator.Pair

    /// By app its group, by the group's number.
    private var groups: [UInt32: Int64] = [:]
    private var joined: [UInt32: Instant] = [:]
    /// By app its phone's name.
    private var phones: [UInt32: String] = [:]
    /// By phone what is to be heard of what people say there, and when.
    private var due: [String: DueSpeech] = [:]
    private var speech: [String: SpeechTruth] = [:]
    private var silences: [Pair: Silence] = [:]
    private var heard: Set<Pair> = []

    /// Less speech than this is no silence worth a word: an onset that was cut, or a spurt's end.
    private static let spokenMin: Int64 = 2_000_000_000

    /// An app is in a group.
    mutating func join(_ record: TraceRecord, in narration: Narration) {
        let app = record.component.index
        groups[app] = GroupJoined(record).group
        joined[app] = record.instant
        phones[app] = narration.name(of: record.component)
        for other in others(in: app) {
            for pair in [Pair(at: app, of: other), Pair(at: other, of: app)]
            where isSpoken(at: pair.of, record.instant) {
                silences[pair] = Silence(since: record.instant)
            }
        }
    }

    /// An app is in no group any more: nobody is to hear it, nor it anybody.
    mutating func leave(_ app: ComponentIndex) {
        groups[app.index] = nil
        silences = silences.filter { $0.key.at != app.index && $0.key.of != app.index }
    }

    /// Somebody begins to speak at a phone, or ends.
    mutating func speak(_ record: TraceRecord, in narration: Narration) {
        guard let phone = narration.name(of: record.subject) else { return }
        let begins = record.kind == SpeechBegan.kind
        let change = due[phone, default: DueSpeech()].speak(record.component, begins: begins)
        if let change { take(change, at: phone, record) }
    }

    /// An app's microphone is turned off or on: nobody misses what is said while it is off.
    mutating func mute(_ record: TraceRecord, in narration: Narration) {
        guard let phone = narration.name(of: record.component) else { return }
        let isMuted = MicrophoneMuted(record).isMuted.isSet
        for change in due[phone, default: DueSpeech()].mute(isMuted) {
            take(change, at: phone, record)
        }
    }

    private mutating func take(
        _ change: DueSpeech.Change,
        at phone: String,
        _ record: TraceRecord
    ) {
        let now = record.instant.nanoseconds
        guard change.begins else {
            speech[phone]?.ended(change.person, at: now)
            return
        }
        speech[phone, default: SpeechTruth()].began(change.person, at: now)
        for app in groups.keys where phones[app] == phone {
            for other in others(in: app) {
                let pair = Pair(at: other, of: app)
                // The end of a spurt may have been lost without anybody missing it.
                if let silence = silences[pair], isLong(silence, pair, at: record.instant) {
                    continue
                }
                silences[pair] = Silence(since: record.instant)
            }
        }
    }

    /// Something is heard: returns the silence that it ends, if it was one.
    mutating func hear(_ record: TraceRecord) -> Silence? {
        let (pair, played) = (Pair(record), FramePlayed(record))
        var ended = silences.removeValue(forKey: pair)
        if let silence = ended, !isLong(silence, pair, at: played.heard) { ended = nil }
        let isFirst = heard.insert(pair).inserted
        ended?.wasHeard = !isFirst
        if isFirst { ended?.since = bothJoined(pair) ?? record.instant }
        if isShared(pair), isSpoken(at: pair.of, record.instant) {
            // Speakers run at 48 kHz.
            let end = played.heard.advanced(by: .nanoseconds(played.samples * 62_500 / 3))
            silences[pair] = Silence(since: end, isBrokenOff: true)
        }
        return ended
    }

    /// The silences that have not ended at an instant.
    func silences(at now: Instant) -> [(pair: Pair, silence: Silence)] {
        silences
            .filter { isShared($0.key) && isLong($0.value, $0.key, at: now) }
            .sorted { ($0.key.at, $0.key.of) < ($1.key.at, $1.key.of) }
            .map { pair, silence in
                var told = silence
                told.wasHeard = heard.contains(pair)
                if told.wasHeard {
                    told.spokenUntil = phones[pair.of]
                        .flatMap { speech[$0]?.latest(before: now.nanoseconds) }
                        .map { Instant(nanoseconds: $0) }
                } else {
                    told.since = bothJoined(pair) ?? now
                }
                return (pair, told)
            }
    }

    /// When the later of two joined the group.
    private func bothJoined(_ pair: Pair) -> Instant? {
        [joined[pair.at], joined[pair.of]].compactMap(\.self).max()
    }

    private func others(in app: UInt32) -> [UInt32] {
        groups.keys.filter { $0 != app && groups[$0] == groups[app] }
    }

    private func isShared(_ pair: Pair) -> Bool {
        groups[pair.at] != nil && groups[pair.at] == groups[pair.of]
    }

    /// Whether somebody speaks at an app's phone.
    private func isSpoken(at app: UInt32, _ now: Instant) -> Bool {
        guard let phone = phones[app] else { return false }
        let start = now.nanoseconds
        return speech[phone]?.onset(ofSpeechFrom: start, to: start + 1) != nil
    }

    private func isLong(_ silence: Silence, _ pair: Pair, at now: Instant) -> Bool {
        let span = Span(start: silence.since.nanoseconds, end: now.nanoseconds)
        guard span.length >= Self.spokenMin, let phone = phones[pair.of] else { return false }
        return (speech[phone]?.spoken(in: span) ?? 0) >= Self.spokenMin
    }
}
