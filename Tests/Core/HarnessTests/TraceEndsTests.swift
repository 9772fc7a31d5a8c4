import Foundation
@testable import KodamaEvidence
@testable import KodamaHarness
import SansIO
import Testing

@Suite("Traces that say anything")
struct TraceEndsTests {
    private static let ends = [Int64.min, .min + 1, -1, 0, 1, 1 << 40, .max - 1, .max]

    /// A trace with every kind of record three times, one a second.
    ///
    /// - Parameter value: A value of a record by its number and its place among the record's values.
    /// - Returns: The trace.
    private func trace(_ value: (Int, Int) -> Int64) -> RecordedTrace {
        let names = ["left", "left.intercom", "ri\r\nght"]
        let directory = TraceDirectory(names: names, systems: .shipped)
        var trace = RecordedTrace(scenario: "ends", seed: 1, directory: directory)
        let forms = directory.forms.entries.map { ($0.kind, $0.text.fields.count) }
        for (number, (kind, count)) in (forms + forms + forms).enumerated() {
            let values = SIMD4((0..<4).map { $0 < count ? value(number, $0) : 0 })
            let instant = Instant(nanoseconds: Int64(number) * 1_000_000_000)
            let (component, subject) = (ComponentIndex(number % 2), ComponentIndex(2))
            trace.records.append(
                TraceRecord(kind, at: instant, of: component, about: subject, values)
            )
        }
        return trace
    }

    private func export(_ trace: RecordedTrace) throws {
        #expect(!(try ChromeTrace(trace).json).isEmpty)
        let streams = VoiceStream.all(in: trace)
        #expect(!VoiceStreamTable(streams).text.isEmpty)
        #expect(!PacketCapture(streams).data.isEmpty)
        let text = TraceText.write(trace)
        #expect(try TraceText.parse(text, systems: .shipped) == trace)
    }

    @Test("Every kind of record with values at the ends of Int64 is exported", arguments: ends)
    func values(_ end: Int64) throws {
        try export(trace { _, _ in end })
        try export(trace { number, place in number.isMultiple(of: 2) ? end : Int64(place) })
        try export(trace { number, place in (number + place).isMultiple(of: 2) ? end : 7 })
    }

    @Test("A stream whose packets say anything has figures and a capture", arguments: ends, ends)
    func stream(_ one: Int64, _ other: Int64) throws {
        func packet(_ index: Int64, _ bytes: Int64, _ arrival: Int64) -> VoiceStream.Packet {
            VoiceStream.Packet(sequence: 0, index: index, bytes: bytes, arrival: arrival)
        }
        let packets = [packet(one, other, 0), packet(other, one, one), packet(1, 60, other)]
        let many = Array(repeating: packets, count: 200).flatMap { $0 }
        let stream = VoiceStream(many, ("left", "ri\r\na=x", "local"), (0, 1, 0))
        #expect(stream.meanJitterNanoseconds <= stream.maxJitterNanoseconds)
        let text = String(decoding: PacketCapture([stream]).data, as: UTF8.self)
        #expect(text.utf8.count < 1_000_000)
        #expect(!text.utf8.contains("\na=x".utf8) && text.utf8.contains("a=x".utf8))
    }
}
