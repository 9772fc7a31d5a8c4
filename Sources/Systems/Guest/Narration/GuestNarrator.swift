import KodamaEvidence

/// Tells what guests mark as gone wrong, what they are told, what kills cost them, what servers do not grant
/// them, and what becomes of their notifications.
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
        case GuestAnswered.kind:
            let answer = GuestAnswered(record)
            let number = "request \(answer.request) of the guest's"
            return switch answer.outcome.value {
            case .offline: "\(number) does not leave: there is no address"
            case .lost: "\(number) fails: the connection is gone"
            case .timedOut: "\(number) fails: its time is over"
            case nil where answer.outcome.number >= 400:
                "the server answers \(number) with \(answer.outcome.number)"
            case nil: nil
            }
        case GuestNotified.kind:
            return switch GuestNotified(record).fate.value {
            case .shown: "a notification of the guest's is shown"
            case .overLimit: "a notification of the guest's is dropped: 64 others wait"
            case .notAllowed: "a notification of the guest's is dropped: the user allows none"
            case .tapped: "the user taps a notification of the guest's"
            case nil: nil
            }
        default:
            return nil
        }
    }
}
