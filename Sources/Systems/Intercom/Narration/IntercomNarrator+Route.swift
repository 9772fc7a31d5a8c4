import KodamaEvidence
import PeerTransport
import SansIO

extension IntercomNarrator {
    /// What an app has made of the ways to another.
    struct Route {
        var phase: Handover.Phase?
        var measured: PathMeasured?
        var verdicts: [TransportPath: TraceWord<LinkVerdict>] = [:]
        /// When it began to bring the Internet up that is not up yet.
        var requested: Instant?
        /// Whether the radio has been gone since it last carried.
        var hasLostRadio = false
        /// Whether it has ever used the radio, or tried to.
        var hasTriedRadio = false
    }
}

extension IntercomNarrator.Route {
    /// That the way to somebody stands elsewhere now.
    func sentence(of moved: HandoverMoved, to other: String) -> String {
        let cause = moved.cause.value
        return switch moved.phase.value {
        case .disconnected: "there is no way to \(other) any more"
        case .localConnected where cause == .proven:
            "the voice to and from \(other) stays on the radio"
        case .localConnected: "the radio carries the voice to and from \(other)"
        case .internetConnecting: "the app brings the Internet up towards \(other)"
        case .handoverToInternet:
            "the app sends to \(other) by radio and over the Internet at once, to leave the radio"
        case .internetConnected where phase == .localCandidate || phase == .localProbing:
            "the voice to and from \(other) stays on the Internet"
        case .internetConnected: "the Internet carries the voice to and from \(other)"
        case .localCandidate where phase == .localProbing:
            "the app breaks off the trial of the radio to \(other)"
        case .localCandidate:
            "the app waits before it tries the radio to \(other)\(hasTriedRadio ? " again" : "")"
        case .localProbing: "the app tries whether the radio to \(other) holds"
        case .handoverToLocal:
            "the app sends to \(other) by radio and over the Internet at once, to return to the radio"
        case nil: "the way to \(other) stands elsewhere"
        }
    }

    /// Why, after "because".
    func reason(of moved: HandoverMoved) -> String {
        switch moved.cause.value {
        case .appeared where moved.phase.value == .localCandidate:
            if hasLostRadio {
                "it has come up again"
            } else if hasTriedRadio {
                "that connection was never lost"
            } else {
                "it has come up"
            }
        case .appeared where moved.phase.value == .handoverToInternet: "the Internet has come up"
        case .appeared: "it has come up"
        case .quality:
            verdicts[.local].map { "\(judge(in: moved)) judges the radio \($0.spoken)" }
                ?? "of the radio's quality"
        case .notice: "the other side finds the radio poor"
        case .localLost: "the radio was lost"
        case .internetLost: "the Internet was lost"
        case .proven: "it has been good for long enough"
        case .elapsed where moved.phase.value == .localProbing: "the wait before a return is over"
        case .elapsed where moved.phase.value == .localConnected: "both have carried it long enough"
        case .elapsed where moved.phase.value == .internetConnected:
            "both have carried it long enough"
        case .elapsed where moved.phase.value == .localCandidate:
            "it was not good for long enough"
        case .elapsed where moved.phase.value == .internetConnecting:
            "the radio has not come up in time"
        case .elapsed: "its time is over"
        case nil: "of what nobody knows"
        }
    }

    /// Who judges, where the sentence is of the app and where it is not.
    private func judge(in moved: HandoverMoved) -> String {
        moved.phase.value == .internetConnected ? "the app" : "it"
    }
}

extension Handover.Phase {
    /// Whether the radio carries the voice, or is tried.
    var usesRadio: Bool {
        switch self {
        case .localConnected, .handoverToInternet, .localProbing, .handoverToLocal: true
        case .disconnected, .internetConnecting, .internetConnected, .localCandidate: false
        }
    }
}
