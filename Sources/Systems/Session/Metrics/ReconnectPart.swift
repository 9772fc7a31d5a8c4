import KodamaEvidence

/// The parts into which a reconnect's time is split.
enum ReconnectPart: Int, CaseIterable, Sendable {
    case detection
    case waiting
    case failedQuick
    case failedFull
    case failedConnect
    case token
    case signalling
    case media
    case audible
    case selfHealed

    /// The metric of the time that reconnects spend in it.
    var measure: Measure<Distribution> {
        switch self {
        case .detection:
            time("detection", "until the session or the SDK begins to do anything about it.")
        case .waiting:
            time("waiting", "in which no attempt and no request for a token is under way.")
        case .failedQuick:
            time("failed_quick", "in quick attempts that failed.")
        case .failedFull:
            time("failed_full", "in full attempts that failed.")
        case .failedConnect:
            time("failed_connect", "in connects of new room objects that failed.")
        case .token:
            time("token", "in requests for a token outside of attempts.")
        case .signalling:
            time("signalling", "in other attempts, up to the server's answer.")
        case .media:
            time("media", "in other attempts, from the server's answer to connected media.")
        case .audible:
            time("audible", "from connected media to two-way audio, or to the next loss.")
        case .selfHealed:
            time("self_healed", "all of a loss in which nothing was done about it.")
        }
    }

    private func time(_ part: String, _ meaning: String) -> Measure<Distribution> {
        .time("session.reconnect.\(part).time", "Time of each whole reconnect: \(meaning)", "K-01a")
    }
}
