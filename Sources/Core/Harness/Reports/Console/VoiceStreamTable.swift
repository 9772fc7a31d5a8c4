import KodamaEvidence

/// The streams of voice of a trace, a row each.
public struct VoiceStreamTable {
    private let streams: [VoiceStream]

    /// Lists streams.
    public init(_ streams: [VoiceStream]) {
        self.streams = streams
    }

    /// The table, with a line feed between its lines.
    public var text: String {
        guard !streams.isEmpty else {
            return "no packet of voice in this trace; record it with --level media"
        }
        var rows = [["from", "to", "path", "packets", "lost", "mean jitter", "max jitter"]]
        let unit = MetricUnit.nanoseconds
        for stream in streams {
            rows.append([
                stream.sender, stream.receiver, stream.path, "\(stream.packetCount)",
                "\(stream.lostCount)", unit.text(stream.meanJitterNanoseconds),
                unit.text(stream.maxJitterNanoseconds),
            ])
        }
        return TextTable(rows, rightAligned: [3, 4, 5, 6]).indentedLines.joined(separator: "\n")
    }
}
