import KodamaEvidence
import PeerTransport

extension LaneState {
    /// By which way a member's voice comes and goes.
    static let way = LaneState(HandoverMoved.self) { record, member in
        let (label, tone): (String, LaneTone) =
            switch HandoverMoved(record).phase.value {
            case .disconnected, nil: ("no way", .bad)
            case .localConnected: ("radio", .good)
            case .internetConnecting: ("radio, Internet on its way", .busy)
            case .handoverToInternet: ("both, to leave the radio", .busy)
            case .internetConnected: ("Internet", .neutral)
            case .localCandidate: ("Internet, radio in sight", .neutral)
            case .localProbing: ("Internet, radio probed", .neutral)
            case .handoverToLocal: ("both, to return to the radio", .busy)
            }
        return Stretch(row: "way to \(member)", label: label, tone: tone)
    }
}
