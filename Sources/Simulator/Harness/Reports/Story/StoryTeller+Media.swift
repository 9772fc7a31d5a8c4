import Evidence
import SansIO

/// What frames and packets draw.
extension StoryTeller {
    /// Draws what sounds, and counts what is sent and dropped.
    mutating func drawMedia(_ record: TraceRecord) {
        switch record.kind {
        case FramePlayed.kind:
            let frame = FramePlayed(record)
            let speaker = name(of: record.subject) ?? ""
            drawSound("plays", frame.heard.nanoseconds, frame.samples, speaker, of: record)
        case FrameConcealed.kind:
            let frame = FrameConcealed(record)
            let means = frame.means.value.map { Hyphenation.words(of: "\($0)") } ?? ""
            drawSound("made up", frame.heard.nanoseconds, frame.samples, means, of: record)
        case PacketSent.kind: count("sent", record)
        case PacketDropped.kind: count("dropped", record)
        default: break
        }
    }

    private mutating func drawSound(
        _ row: String,
        _ heard: Int64,
        _ samples: Int64,
        _ label: String,
        of record: TraceRecord
    ) {
        guard let name = name(of: record.component) else { return }
        let gap = stretch / 10
        onLane(name) { lane in
            // The speakers of phones run at 48 kHz.
            lane.sound(row, from: heard, until: heard + samples * 62_500 / 3, label, gap: gap)
        }
    }

    private mutating func count(_ label: String, _ record: TraceRecord) {
        guard let name = name(of: record.component) else { return }
        let (instant, step) = (record.instant.nanoseconds, stretch)
        onLane(name) {
            $0.count("packets", label, at: instant, step: step, of: Self.stretchCount + 1)
        }
    }

    /// How long a stretch is in which packets are counted.
    private var stretch: Int64 { max(1, durationNanoseconds / Int64(Self.stretchCount)) }

    private func name(of component: ComponentIndex) -> String? {
        component == .none ? nil : names[Int(component.index)]
    }
}
