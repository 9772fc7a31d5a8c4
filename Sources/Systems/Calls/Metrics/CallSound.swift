import KodamaEvidence
import KodamaSession
import SansIO

/// How calls sound where voices are real: what one party heard of what the other said.
struct CallSound {
    /// What one app's user hears of another's.
    private struct Pair {
        let listener: ComponentIndex
        let talker: ComponentIndex
        var sound = SoundLine()
        var audio = AudioLine()
        /// When what is said counts: both are in a call, the talker can be heard, and some of it was.
        var wanted: [Span] = []
        var wantedSince: Int64?
        var isWanted = false
        /// Whether something was heard in the call that goes on.
        var hasBegun = false

        mutating func want(inCall: Bool, isHeard: Bool, at now: Int64) {
            if !inCall { hasBegun = false }
            isWanted = inCall && isHeard
            if isWanted, hasBegun {
                wantedSince = wantedSince ?? now
            } else if !isWanted, let since = wantedSince {
                wanted.append(Span(start: since, end: now))
                wantedSince = nil
            }
        }

        mutating func hear(_ voice: VoiceHeard) {
            audio.frame(captured: voice.captured.nanoseconds, heard: voice.heard.nanoseconds)
            sound.play(isSpeech: voice.speech.isSet)
            guard isWanted, !hasBegun else { return }
            hasBegun = true
            wantedSince = voice.captured.nanoseconds
        }
    }

    private(set) var measures = SoundMeasures(of: "call", "VP-09, K-10")
    private var pairs: [Pair] = []
    /// What is said at each phone: how many speak, since when, and when somebody did before.
    private var speech: [ComponentIndex: (speakers: Int, since: Int64, spans: [Span])] = [:]

    /// Whether anything is sound.
    var isOpen: Bool { !pairs.isEmpty }

    /// A decoder is made for a talker's voice.
    mutating func open(_ listener: ComponentIndex, _ talker: ComponentIndex) {
        let index = place(listener, talker) ?? pairs.count
        if index == pairs.count { pairs.append(Pair(listener: listener, talker: talker)) }
        pairs[index].sound.open()
    }

    /// A frame is heard.
    mutating func hear(_ record: TraceRecord) {
        guard let index = place(record.component, record.subject) else { return }
        let voice = VoiceHeard(record)
        pairs[index].hear(voice)
        guard voice.speech.isSet else { return }
        measures.played(voice, by: record.component, of: record.subject, record)
    }

    /// Sound is made up.
    mutating func makeUp(_ record: TraceRecord) {
        guard let index = place(record.component, record.subject) else { return }
        let sound = SoundMadeUp(record)
        pairs[index].sound.makeUp(sound.samples, heard: sound.heard.nanoseconds)
    }

    /// Somebody at a phone begins or ends a talk spurt.
    mutating func speak(at phone: ComponentIndex, begins: Bool, _ now: Int64) {
        var said = speech[phone] ?? (0, now, [])
        if begins, said.speakers == 0 { said.since = now }
        said.speakers = max(0, said.speakers + (begins ? 1 : -1))
        if !begins, said.speakers == 0 { said.spans.append(Span(start: said.since, end: now)) }
        speech[phone] = said
    }

    /// Whether two apps are in one call, and whether the one may be heard by the other, is known anew.
    mutating func review(_ now: Int64, _ state: (ComponentIndex, ComponentIndex) -> (Bool, Bool)) {
        for index in pairs.indices {
            let (inCall, isHeard) = state(pairs[index].listener, pairs[index].talker)
            pairs[index].want(inCall: inCall, isHeard: isHeard, at: now)
        }
    }

    /// The run is over.
    mutating func end(at now: Int64, _ owners: Owners) {
        for var pair in pairs {
            pair.audio.end(at: now)
            pair.want(inCall: false, isHeard: false, at: now)
            let said = speech[owners.phone(of: pair.talker)]
            var spans = said?.spans ?? []
            if let said, said.speakers > 0 { spans.append(Span(start: said.since, end: now)) }
            measures.add(
                pair.sound,
                lacks: pair.audio.lacks,
                said: Spans(spans),
                wanted: Spans(pair.wanted),
                end: now
            ) { Occurrence($0, of: pair.listener, about: pair.talker) }
        }
        pairs = []
    }

    private func place(_ listener: ComponentIndex, _ talker: ComponentIndex) -> Int? {
        pairs.firstIndex { $0.listener == listener && $0.talker == talker }
    }
}
