@testable import KodamaEvidence
import Testing

/// What narrators tell of traces made by hand.
enum Told {
    /// The lines that are told of a trace.
    static func lines(_ trace: RecordedTrace) -> [String] {
        var narrator = RunNarrator()
        narrator.fold(trace)
        return narrator.sentences.map(\.line)
    }

    /// The lines that are told of records, one a line, whose instants are in milliseconds.
    static func lines(_ components: String, _ records: String) throws -> [String] {
        var text = "kodama-trace 3 scenario=made seed=1 components=\(components)\n"
        for line in records.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1)
            let milliseconds = try #require(Int64(words[0]))
            text += "\(milliseconds * 1_000_000) \(words[1])\n"
        }
        return lines(try TraceText.parse(Array(text.utf8), systems: .shipped))
    }
}
