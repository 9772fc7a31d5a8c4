import KodamaEvidence
import PeerTransport
import SansIO

/// Finds the handovers between pairs of phones.
struct HandoverMoments: MomentFinder {
    private(set) var moments: [HeardMoment] = []
    private let names: [String]
    private let owners: [ComponentIndex]

    /// Both phones change within so long, and one of them step by step.
    private static let oneHandover = Duration.seconds(3)

    init(_ directory: TraceDirectory) {
        names = directory.names
        owners = directory.owners
    }

    mutating func follow(_ record: TraceRecord) {
        guard record.kind == HandoverMoved.kind, record.subject != .none else { return }
        switch HandoverMoved(record).phase.value {
        case .handoverToInternet, .internetConnected, .handoverToLocal: break
        default: return
        }
        let ends = [record.component, record.subject].map { owners[Int($0.index)] }
        let phones = ends.map { names[Int($0.index)] }.sorted()
        let earliest = record.instant.advanced(by: .zero - Self.oneHandover)
        guard !moments.contains(where: { $0.phones == phones && $0.instant >= earliest }) else {
            return
        }
        moments.append(HeardMoment("handover", at: record.instant, between: phones))
    }
}
