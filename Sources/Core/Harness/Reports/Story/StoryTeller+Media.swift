import KodamaEvidence
import SansIO

/// What frames and packets draw.
extension StoryTeller {
    /// Draws what sounds, and counts what is sent and dropped.
    mutating func drawMedia(_ record: TraceRecord) {
        switch record.kind {
        case PacketSent.kind: count("sent", record)
        case PacketDropped.kind: count("dropped", record)
        default:
            guard let mark = marks[record.kind] else { return }
            draw(mark.sound(record, name(of: record.subject) ?? ""), of: record)
        }
    }

    /// Draws what a system's record changes.
    mutating func draw(_ state: LaneState, of record: TraceRecord) {
        guard let name = name(of: record.component) else { return }
        let stretch = state.stretch(record, self.name(of: record.subject) ?? "")
        onLane(name) { lane in
            if let label = stretch.label {
                lane.begin(stretch.row, at: record.instant.nanoseconds, label, stretch.tone)
            } else {
                lane.end(stretch.row, at: record.instant.nanoseconds)
            }
        }
    }

    private mutating func draw(_ sound: MediaMark.Sound, of record: TraceRecord) {
        guard let name = name(of: record.component) else { return }
        let gap = stretch / 10
        let start = sound.heardNanoseconds
        // The speakers of phones run at 48 kHz.
        let end = start.plus(sound.sampleCount.times(62_500) / 3)
        onLane(name) { $0.sound(sound.row, from: start, until: end, sound.label, gap: gap) }
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
