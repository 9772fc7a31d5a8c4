public import Foundation
public import KodamaEvidence
import SansIO

/// A run in the Trace Event Format, which Perfetto's and Chrome's viewers open: a device is a process, each
/// row of its lane a thread with slices and instants, what is counted a counter.
///
/// Slices of one thread never overlap: where a row's stretches do, as the sound of two speakers, they get
/// threads of their own.
public struct ChromeTrace {
    private struct Event: Encodable {
        var name: String
        var ph: String
        var pid: Int
        var tid: Int
        /// In microseconds, as the format has it.
        var ts: Double?
        var dur: Double?
        var s: String?
        var args: [String: Argument]?
    }

    private enum Argument: Encodable {
        case text(String)
        case number(Int)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            }
        }
    }

    private var events: [Event] = []

    /// Draws a trace; the finer its level, the more there is to see.
    ///
    /// - Parameter trace: The trace.
    public init(_ trace: RecordedTrace) {
        let end = trace.records.last?.instant.nanoseconds ?? 0
        var teller = StoryTeller(
            durationNanoseconds: end,
            seed: trace.seed,
            componentCount: 0
        )
        teller.begin(trace.directory)
        teller.record(contentsOf: trace.records)
        let story = teller.story(
            point: 0,
            seed: trace.seed,
            reason: "exported",
            laneCountMax: .max
        )
        for (index, lane) in story.lanes.enumerated() { add(lane, process: index + 1) }
    }

    /// The file's bytes.
    public var json: Data {
        get throws {
            struct File: Encodable {
                var displayTimeUnit = "ms"
                var traceEvents: [Event]
            }
            return try JSONEncoder.repeatable.encode(File(traceEvents: events)) + Data("\n".utf8)
        }
    }

    private mutating func add(_ lane: RunStory.Lane, process: Int) {
        add("process_name", process: process, thread: 0, lane.name)
        var thread = 0
        for row in lane.rows {
            for counts in row.counts { add(counts, row.label, process: process) }
            let tracks = Self.tracks(of: row.bands)
            guard !tracks.isEmpty || !row.marks.isEmpty else { continue }
            for (index, bands) in (tracks.isEmpty ? [[]] : tracks).enumerated() {
                thread += 1
                let name = index == 0 ? row.label : "\(row.label) \(index + 1)"
                add("thread_name", process: process, thread: thread, name)
                for band in bands {
                    var event = Event(name: band.label, ph: "X", pid: process, tid: thread)
                    event.ts = Self.microseconds(band.from)
                    event.dur = Self.microseconds(band.length)
                    event.args = ["tone": .text(band.tone.rawValue)]
                    events.append(event)
                }
                guard index == 0 else { continue }
                for mark in row.marks {
                    var event = Event(name: mark.label, ph: "i", pid: process, tid: thread)
                    event.ts = Self.microseconds(mark.at)
                    event.s = "t"
                    events.append(event)
                }
            }
        }
    }

    private mutating func add(_ counts: RunStory.Counts, _ row: String, process: Int) {
        for (index, count) in counts.counts.enumerated() {
            var event = Event(name: "\(row) \(counts.label)", ph: "C", pid: process, tid: 0)
            event.ts = Self.microseconds(counts.stepNanoseconds.times(Int64(index)))
            event.args = [counts.label: .number(count)]
            events.append(event)
        }
    }

    private mutating func add(_ kind: String, process: Int, thread: Int, _ name: String) {
        var event = Event(name: kind, ph: "M", pid: process, tid: thread)
        event.args = ["name": .text(name)]
        events.append(event)
    }

    /// The stretches on as few tracks as let none overlap.
    private static func tracks(of bands: [RunStory.Band]) -> [[RunStory.Band]] {
        bands.reduce(into: []) { tracks, band in
            let free = tracks.firstIndex { ($0.last?.until ?? .min) <= band.from }
            if let free { tracks[free].append(band) } else { tracks.append([band]) }
        }
    }

    private static func microseconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1_000 }
}
