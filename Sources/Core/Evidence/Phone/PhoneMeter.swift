import SansIO

/// What an app that talks does to the rest of a phone's sound: music beside it, and headsets.
package struct PhoneMeter: SystemMeter {
    /// A time that adds up on one phone.
    private struct Sum {
        let phone: ComponentIndex
        var total: Int64 = 0
        var since: Int64?

        mutating func set(_ isOn: Bool, at now: Int64) {
            if let since { total += now - since }
            since = isOn ? now : nil
        }
    }

    /// The times of all phones, in the order in which these were first heard of.
    private struct Sums {
        private(set) var all: [Sum] = []
        private var places: [ComponentIndex: Int] = [:]

        mutating func set(_ isOn: Bool, of phone: ComponentIndex, at now: Int64) {
            if let place = places[phone] { return all[place].set(isOn, at: now) }
            places[phone] = all.count
            all.append(Sum(phone: phone, since: isOn ? now : nil))
        }
    }

    private var stopped = Measure.time(
        "phone.music.stopped.time",
        """
        For each phone on which music was started: for how long it was to play and did not, calls aside.
        """,
        "A-F-001, S-AUD-001",
        occasions: .atOnce
    )
    private var unused = Measure.time(
        "phone.headset.unused.time",
        """
        For each phone to which a headset was connected: for how long it was, and an app that talked or \
        listened used another microphone and speaker.
        """,
        "A-F-002, S-AUD-001",
        occasions: .atOnce
    )
    private var music = Sums()
    private var headsets = Sums()

    package init(_ directory: TraceDirectory) {}

    package var metrics: [any AnyMeasure] { [stopped, unused] }

    package mutating func record(contentsOf records: [TraceRecord], from position: Int) {
        for record in records {
            let now = record.instant.nanoseconds
            switch record.kind {
            case MusicChanged.kind:
                let state = MusicChanged(record)
                let isStopped =
                    state.isWanted.isSet && !state.isPlaying.isSet && !state.isTakenByCall.isSet
                music.set(isStopped, of: record.component, at: now)
            case AudioRouted.kind:
                let state = AudioRouted(record)
                let isUnused =
                    state.isAttached.isSet && !state.isUsed.isSet && state.isRunning.isSet
                headsets.set(isUnused, of: record.component, at: now)
            case RunEnded.kind:
                Self.end(music.all, into: &stopped, at: now)
                Self.end(headsets.all, into: &unused, at: now)
            default: continue
            }
        }
    }

    private static func end(_ sums: [Sum], into measure: inout Measure<Distribution>, at now: Int64)
    {
        for var sum in sums {
            sum.set(false, at: now)
            measure.add(sum.total, at: Occurrence(Span(start: now, end: now), of: sum.phone))
        }
    }
}
