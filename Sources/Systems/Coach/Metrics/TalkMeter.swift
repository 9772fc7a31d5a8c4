import KodamaEvidence
import SansIO

/// Measures conversations that belong to no morning and no nudge, and how soon the agent answers in a guide.
struct TalkMeter {
    private var left = Measure.time(
        "coach.talk.left.time",
        """
        From when a user who had tapped a notification of a morning that was over had talked enough, and \
        hung up or put the phone down, until the microphone was closed.
        """,
        "AN-20, RS-13",
        excluding: ["the microphone is closed"]
    )

    private var turn = Measure.time(
        "guide.turn.time",
        """
        From the word that a step asks for, said to the agent, to the first sound of its next line: what \
        voice.round_trip.time is for sessions.
        """,
        "K-09",
        excluding: [
            "the word was said again",
            "the phone's own voice goes on",
            "the word was not understood",
            "it was the last word",
        ]
    )

    private var audioChanges = Measure.count(
        "coach.audio.changes",
        """
        How often the app published the microphone at another rate than before, of all rates that it chose; \
        the first of a process is none.
        """,
        "AN-12",
        occasions: .atOnce
    )
    /// The apps whose process has chosen a rate.
    private var haveChosen: Set<ComponentIndex> = []

    /// The words to which no line has followed yet.
    private var words: [ComponentIndex: Occasion] = [:]
    /// The apps whose microphone is open.
    private var open: Set<ComponentIndex> = []
    /// The conversations whose user has gone.
    private var waiting: [ComponentIndex: Occasion] = [:]

    var metrics: [any AnyMeasure] { [left, turn, audioChanges] }

    /// A process has ended: what the next one publishes first is no change.
    mutating func processEnded(_ app: ComponentIndex) { haveChosen.remove(app) }

    mutating func take(_ record: TraceRecord) {
        let app = record.component
        switch record.kind {
        case ListeningChanged.kind:
            if ListeningChanged(record).isOpen.isSet {
                open.insert(app)
            } else {
                open.remove(app)
                if let occasion = waiting.removeValue(forKey: app) {
                    left.close(occasion, at: record.instant)
                }
            }
        case TalkLeft.kind:
            let occasion = left.open(at: record.instant, of: app, record)
            if open.contains(app) {
                waiting[app] = occasion
            } else {
                left.exclude(occasion, "the microphone is closed", at: record.instant)
            }
        case SleeperReplied.kind where SleeperReplied(record).reply.value == .expected:
            leave("the word was said again", record)
            words[app] = turn.open(at: record.instant, of: app, record)
        case LineBegan.kind:
            let line = LineBegan(record)
            if line.isOffline.isSet { return leave("the phone's own voice goes on", record) }
            if line.isRepetition.isSet { return leave("the word was not understood", record) }
            guard let word = words.removeValue(forKey: app) else { return }
            turn.close(word, at: record.instant)
        case MorningEnded.kind: leave("it was the last word", record)
        case AudioPublished.kind:
            let isFirst = haveChosen.insert(app).inserted
            audioChanges.add(isFirst ? 0 : 1, at: Occurrence(record))
        default: break
        }
    }

    private mutating func leave(_ reason: String, _ record: TraceRecord) {
        guard let word = words.removeValue(forKey: record.component) else { return }
        turn.exclude(word, reason, at: record.instant)
    }
}
