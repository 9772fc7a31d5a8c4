import KodamaEvidence

/// Tells what guests mark as gone wrong, what they are told, and what kills cost them.
struct GuestNarrator: SystemNarrator {
    init(_ directory: TraceDirectory) {}

    mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        guard record.kind.system == .guest, let text = Self.text(of: record) else { return }
        narration.say(text, of: record.component, at: record.instant)
    }

    private static func text(of record: TraceRecord) -> String? {
        switch record.kind {
        case GuestMarked.kind:
            let marked = GuestMarked(record)
            guard marked.amount > 0 else { return nil }
            return switch marked.mark.value {
            case .lost: "the guest marks \(marked.amount) lost"
            case .failures: "the guest marks \(marked.amount) failed"
            case .duplicates: "the guest marks \(marked.amount) that came again"
            default: nil
            }
        case WritesLost.kind:
            return "the end of the process loses \(WritesLost(record).writes) of the guest's writes"
        case GuestTold.kind:
            return "the user tells the guest something, for the \(GuestTold(record).number). time"
        default:
            return nil
        }
    }
}
