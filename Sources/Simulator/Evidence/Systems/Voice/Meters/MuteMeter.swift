import SansIO

/// Whether a phone is heard whose user has the microphone off, and whether others' screens say so.
struct MuteMeter {
    /// An app of which the microphone was off at some time.
    private struct Microphone {
        let app: ComponentIndex
        var mutes = MutedTimes()
    }

    /// An app that is in a group.
    private struct Member {
        let app: ComponentIndex
        let group: Int64
    }

    /// What one app's screen shows of another.
    private struct Card {
        let screen: ComponentIndex
        let subject: ComponentIndex
        /// Whether it says that the subject is reached, by whatever path.
        var isReached = false
        /// Whether it says that the subject's microphone is off.
        var saysMuted = false
        /// Since when that has been wrong of somebody who is reached.
        var wrongSince: Int64?
    }

    private var breaches = Measure.count(
        "voice.conduct.breaches",
        """
        Times in which the user of an intercom had the microphone off, and something captured in them \
        was played at another phone.
        """,
        "K-22"
    )
    private var wrong = Measure.time(
        "group.card.mute.time",
        """
        For each time that a member's microphone is turned off or on, or that a screen begins to show \
        a member as reached whose microphone is off: how long the card was wrong, on each other \
        member's screen that shows the member as reached.
        """,
        "S-UI-001"
    )

    private var microphones: [Microphone] = []
    private var members: [Member] = []
    private var cards: [Card] = []

    var metrics: [any AnyMeasure] { [breaches, wrong] }

    mutating func record(_ record: TraceRecord) {
        let (app, now) = (record.component, record.instant.nanoseconds)
        switch record.kind {
        case MicrophoneMuted.kind:
            turn(app, isMuted: MicrophoneMuted(record).isMuted.isSet, at: now)
        case GroupJoined.kind:
            members.removeAll { $0.app == app }
            members.append(Member(app: app, group: GroupJoined(record).group))
            reviewCards(of: app, at: now)
        case GroupLeft.kind:
            members.removeAll { $0.app == app }
            reviewCards(of: app, at: now)
            // Its own screen is closed.
            cards.removeAll { $0.screen == app }
        case CardShown.kind: show(CardShown(record), record)
        case RunEnded.kind: end(at: now)
        default: return
        }
    }

    /// A frame of an app's is played somewhere.
    mutating func played(frameFrom captured: Int64, lasting length: Int64, of app: ComponentIndex) {
        guard let index = microphones.firstIndex(where: { $0.app == app }) else { return }
        _ = microphones[index].mutes.hear(frameFrom: captured, lasting: length)
    }

    private mutating func turn(_ app: ComponentIndex, isMuted: Bool, at now: Int64) {
        let known = microphones.firstIndex { $0.app == app }
        let index = known ?? microphones.endIndex
        if known == nil { microphones.append(Microphone(app: app)) }
        if isMuted {
            microphones[index].mutes.mute(at: now)
        } else {
            microphones[index].mutes.unmute(at: now)
        }
        reviewCards(of: app, at: now)
    }

    private mutating func show(_ shown: CardShown, _ record: TraceRecord) {
        let (screen, subject) = (record.component, record.subject)
        guard screen != subject, subject != .none else { return }
        let known = cards.firstIndex { $0.screen == screen && $0.subject == subject }
        let index = known ?? cards.endIndex
        if known == nil { cards.append(Card(screen: screen, subject: subject)) }
        let wasReached = cards[index].isReached
        cards[index].isReached = shown.connection.value?.isReached ?? false
        cards[index].saysMuted = shown.isMuted.isSet
        review(index, at: record.instant.nanoseconds)
        let isRightAtOnce = !wasReached && counts(index) && cards[index].wrongSince == nil
        guard isRightAtOnce, isMuted(subject) else { return }
        wrong.add(0, at: Occurrence(record))
    }

    private mutating func end(at now: Int64) {
        for index in cards.indices { close(index, at: now) }
        for microphone in microphones {
            for time in microphone.mutes.times {
                let span = Span(start: time.span.start, end: min(time.span.end, now))
                let occurrence = Occurrence(span, of: microphone.app)
                breaches.add(time.breach == nil ? 0 : 1, at: occurrence)
            }
        }
    }

    /// Looks again at all cards of an app and all on its screen.
    private mutating func reviewCards(of app: ComponentIndex, at now: Int64) {
        for index in cards.indices where cards[index].screen == app || cards[index].subject == app {
            review(index, at: now)
        }
    }

    private mutating func review(_ index: Int, at now: Int64) {
        if counts(index), cards[index].saysMuted != isMuted(cards[index].subject) {
            cards[index].wrongSince = cards[index].wrongSince ?? now
        } else {
            close(index, at: now)
        }
    }

    private mutating func close(_ index: Int, at now: Int64) {
        guard let since = cards[index].wrongSince else { return }
        cards[index].wrongSince = nil
        let span = Span(start: since, end: now)
        let (screen, subject) = (cards[index].screen, cards[index].subject)
        wrong.add(now - since, at: Occurrence(span, of: screen, about: subject))
    }

    /// Whether a card is of somebody whom its phone reaches in its group.
    private func counts(_ index: Int) -> Bool {
        guard cards[index].isReached, let group = group(of: cards[index].screen) else {
            return false
        }
        return self.group(of: cards[index].subject) == group
    }

    private func group(of app: ComponentIndex) -> Int64? {
        members.first { $0.app == app }?.group
    }

    private func isMuted(_ app: ComponentIndex) -> Bool {
        microphones.first { $0.app == app }?.mutes.isMuted ?? false
    }
}
