import KodamaEvidence
import SansIO

// What happened, what is measured of it, and how it is told. Nothing here knows the app: it writes records,
// and these are all that the rest sees.

extension SystemID {
    /// The first half of the kinds of record below, from 128 to 255, unique among systems.
    static var ping: SystemID { SystemID(212) }
}

/// The app showed an answer.
struct PingAnswered: TraceForm {
    /// The request's number.
    var number: Int64
    /// When it was asked first.
    var asked: Instant
    /// How often it was asked.
    var attempts: Int64

    static let kind = TraceKind(.ping, 0)
    static let text = TraceFormText(
        "ping.answered",
        .milestone,
        "The app shows an answer.",
        "number",
        "asked_ns",
        "attempts"
    )
}

/// The app said that no answer came.
struct PingFailed: TraceForm {
    /// The request's number.
    var number: Int64
    /// How often it was asked.
    var attempts: Int64

    static let kind = TraceKind(.ping, 1)
    static let text = TraceFormText(
        "ping.failed",
        .milestone,
        "The app says that no answer came.",
        "number",
        "attempts"
    )
}

/// Measures how long answers take, and how many never come.
struct PingMeter: SystemMeter {
    private var time = Measure.time(
        "ping.time",
        "From the first request to its answer on the screen.",
        "Our own promise"
    )
    private var failures = Measure.count(
        "ping.failures",
        "Requests for which the app showed that no answer came.",
        "Our own promise"
    )

    init(_ directory: TraceDirectory) {}

    mutating func record(contentsOf records: [TraceRecord], from position: Int) {
        for record in records {
            switch record.kind {
            case PingAnswered.kind:
                let length = PingAnswered(record).asked.duration(to: record.instant)
                time.add(length.wholeNanoseconds, at: Occurrence(record))
                // Each request counts, so that none at all is no data and no pass.
                failures.add(0, at: Occurrence(record))
            case PingFailed.kind:
                failures.add(1, at: Occurrence(record))
            default:
                break
            }
        }
    }

    var metrics: [any AnyMeasure] { [time, failures] }
}

/// Tells a run in sentences, for 'explain'.
struct PingNarrator: SystemNarrator {
    init(_ directory: TraceDirectory) {}

    mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        switch record.kind {
        case PingAnswered.kind:
            let answer = PingAnswered(record)
            guard answer.attempts > 1 else { return }
            narration.say(
                "the app shows answer \(answer.number), asked for \(answer.attempts) times",
                of: record.component,
                at: record.instant,
                after: Sentence.Cause(at: answer.asked, "it was asked for first")
            )
        case PingFailed.kind:
            let failure = PingFailed(record)
            narration.say(
                "the app says that request \(failure.number) failed: "
                    + "\(failure.attempts) attempts had no answer",
                of: record.component,
                at: record.instant
            )
        default:
            break
        }
    }
}

extension EvidenceSystem {
    /// Records, metrics and sentences.
    static let ping = EvidenceSystem(
        .ping,
        forms: [PingAnswered.self, PingFailed.self],
        meter: PingMeter.self,
        narrator: PingNarrator.self
    )
}
