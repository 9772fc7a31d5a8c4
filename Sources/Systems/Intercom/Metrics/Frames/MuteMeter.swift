import KodamaEvidence
import SansIO

/// Whether a phone is heard whose user has the microphone off; what others' cards say of it is
/// `CardMeter`'s.
struct MuteMeter {
    /// An app of which the microphone was off at some time.
    private struct Microphone {
        let app: ComponentIndex
        var mutes = MutedTimes()
    }

    private var breaches = Measure.count(
        "voice.conduct.breaches",
        """
        Times in which the user of an intercom had the microphone off, and something captured in them \
        was played at another phone.
        """,
        "K-22",
        occasions: .atOnce
    )

    private var microphones: [Microphone] = []
    private var places: [ComponentIndex: Int] = [:]

    var metrics: [any AnyMeasure] { [breaches] }

    mutating func record(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        switch record.kind {
        case MicrophoneMuted.kind:
            turn(record.component, isMuted: MicrophoneMuted(record).isMuted.isSet, at: now)
        case RunEnded.kind: end(at: now)
        default: return
        }
    }

    /// A frame of an app's is played somewhere.
    mutating func played(frameFrom captured: Int64, lasting length: Int64, of app: ComponentIndex) {
        guard let index = places[app] else { return }
        _ = microphones[index].mutes.hear(frameFrom: captured, lasting: length)
    }

    private mutating func turn(_ app: ComponentIndex, isMuted: Bool, at now: Int64) {
        let index = places[app] ?? microphones.endIndex
        if index == microphones.endIndex {
            places[app] = index
            microphones.append(Microphone(app: app))
        }
        if isMuted {
            microphones[index].mutes.mute(at: now)
        } else {
            microphones[index].mutes.unmute(at: now)
        }
    }

    private mutating func end(at now: Int64) {
        for microphone in microphones {
            for time in microphone.mutes.times {
                let span = Span(start: time.span.start, end: min(time.span.end, now))
                let occurrence = Occurrence(span, of: microphone.app)
                breaches.add(time.breach == nil ? 0 : 1, at: occurrence)
            }
        }
    }
}
