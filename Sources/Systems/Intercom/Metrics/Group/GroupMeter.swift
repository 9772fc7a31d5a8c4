import KodamaEvidence
import SansIO

/// How soon members hear each other, and whether anybody is heard who is of another group.
struct GroupMeter {
    /// What is kept for each speaker and listener.
    struct Pair {
        /// Whether the listener has heard the speaker since both are in the group.
        fileprivate(set) var hasHeard = false

        /// One of the two has joined anew.
        mutating func begin() { hasHeard = false }
    }

    private var firstWord = Measure.time(
        "group.first_word.time",
        """
        For each speaker and listener: from the later one's joining to the first frame heard, if the \
        speaker had then been talking for a second or more that the listener missed. Open ones \
        come to the longest time in which both apps ran, their phones could reach each other, and \
        the speaker talked for a second or more.
        """,
        "S-GRP-003, D-09, D-10",
        excluding: [
            "heard before a second of it was missed",
            "no way between the two, or nothing said",
        ]
    )
    private var crossGroup = Measure.count(
        "voice.cross_group.played",
        "Frames heard by somebody who is in another group than their speaker was when saying them.",
        "A-F-018",
        occasions: .atOnce
    )

    private var internetMissing = Measure.count(
        "group.internet_missing.shown",
        "How often a screen began to say that the Internet is wanted and cannot be had.",
        "A-F-009",
        occasions: .atOnce
    )

    private var meetings: Meetings

    /// What was missed counts from here on.
    private static var missedMin: Int64 { 1_000_000_000 }

    init(_ directory: TraceDirectory) {
        meetings = Meetings(directory)
    }

    var metrics: [any AnyMeasure] { [firstWord, crossGroup, internetMissing] }

    /// A device is in its group from now on.
    mutating func joined(_ device: Int, _ devices: [VoiceCast.Device], at now: Int64) {
        meetings.join(device, devices, at: now)
    }

    /// A device is not in its group any more.
    mutating func left(_ device: Int, _ devices: [VoiceCast.Device], at now: Int64) {
        meetings.leave(device, devices, at: now, into: &firstWord)
    }

    /// A device was not let into its group.
    mutating func refused(_ device: Int) { meetings.refuse(device) }

    /// A listener hears a speaker for the first time since both are in the group.
    mutating func met(_ speaker: Int, _ listener: Int) { meetings.meet(speaker, listener) }

    /// A device captured a frame.
    mutating func captured(by device: Int, _ devices: [VoiceCast.Device], at now: Int64) {
        meetings.captured(by: device, devices, at: now)
    }

    /// Takes a record that may open or close a way between phones.
    mutating func record(_ record: TraceRecord, _ devices: [VoiceCast.Device]) {
        meetings.take(record, devices)
    }

    /// The run is over.
    mutating func end(_ devices: [VoiceCast.Device], at now: Int64) {
        meetings.end(devices, at: now, into: &firstWord)
    }

    /// An app with such a screen is in its group from now on, and says nothing of the Internet yet.
    mutating func identified(_ record: TraceRecord) {
        internetMissing.add(0, at: Occurrence(record))
    }

    /// A screen says that the Internet cannot be had, or no longer does.
    mutating func shown(_ internet: InternetShown, _ record: TraceRecord) {
        internetMissing.add(internet.isUnavailable.isSet ? 1 : 0, at: Occurrence(record))
    }

    /// A frame sounds.
    ///
    /// - Parameters:
    ///   - heard: When.
    ///   - captured: When it was said.
    ///   - onset: When the speech in it began; `nil` if it holds none.
    ///   - speaker: Who said it.
    ///   - listener: Who hears it.
    ///   - devices: What is known of both.
    ///   - record: What says so.
    ///   - pair: What is kept of the two.
    mutating func played(
        heard: Int64,
        captured: Int64,
        onset: Int64?,
        by speaker: Int,
        to listener: Int,
        _ devices: [VoiceCast.Device],
        _ record: TraceRecord,
        pair: inout Pair
    ) {
        let belongs = devices[speaker].belongs(to: devices[listener].group, said: captured)
        crossGroup.add(belongs ? 0 : 1, at: Occurrence(record))
        guard !pair.hasHeard else { return }
        pair.hasHeard = true
        let joined = max(devices[speaker].joinedAt, devices[listener].joinedAt)
        guard let onset, captured - max(onset, joined) >= Self.missedMin else {
            let reason = "heard before a second of it was missed"
            return firstWord.exclude(reason, at: Occurrence(record))
        }
        let wait = Span(start: min(joined, heard), end: heard)
        firstWord.add(
            heard - joined,
            at: Occurrence(wait, of: record.component, about: record.subject, record)
        )
    }
}
