import KodamaEvidence
import SansIO

/// Measures conversations that belong to no morning and no nudge.
struct TalkMeter {
    private var left = Measure.time(
        "coach.talk.left.time",
        """
        From when a user who had tapped a notification of a morning that was over had talked enough, and \
        hung up or put the phone down, until the microphone was closed.
        """,
        "AN-20, RS-13"
    )

    /// The apps whose microphone is open.
    private var open: Set<ComponentIndex> = []
    /// The conversations whose user has gone.
    private var waiting: [ComponentIndex: Occasion] = [:]

    var metrics: [any AnyMeasure] { [left] }

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
        default: break
        }
    }
}
