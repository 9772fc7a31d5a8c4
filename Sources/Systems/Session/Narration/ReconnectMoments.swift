import KodamaEvidence
import SansIO

/// Finds when sessions begin to reconnect, and when media flows again.
struct ReconnectMoments: MomentFinder {
    private(set) var moments: [HeardMoment] = []
    private let names: [String]
    private let owners: [ComponentIndex]
    /// The rooms that reconnect, by their phones; few at a time.
    private var reconnecting: [ComponentIndex] = []

    init(_ directory: TraceDirectory) {
        names = directory.names
        owners = directory.owners
    }

    mutating func follow(_ record: TraceRecord) {
        let noun: String
        let phone = owners[Int(record.component.index)]
        switch record.kind {
        case LossDetected.kind:
            noun = "loss noticed"
            reconnecting.append(phone)
        case AttemptConnected.kind where reconnecting.contains(phone):
            noun = "reconnected"
            reconnecting.removeAll { $0 == phone }
        default: return
        }
        moments.append(
            HeardMoment(noun, at: record.instant, between: [names[Int(phone.index)]])
        )
    }
}
