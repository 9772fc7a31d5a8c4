/// The invariants that `SessionInvariants` checks.
enum SessionInvariant: Int, CaseIterable {
    case oneConnectInFlight
    case oneReportPerLoss
    case nothingRevives
    case watchdogHolds
    case agentSurvives
    case partsSum
    case attemptsEnd

    var description: InvariantDescription {
        switch self {
        case .oneConnectInFlight:
            .init(
                name: "session.one-connect-in-flight",
                meaning: """
                    The app orders a room object to connect only when it holds no other one that is \
                    connecting, connected or reconnecting.
                    """,
                source: "RS-04, D-08"
            )
        case .oneReportPerLoss:
            .init(
                name: "session.one-report-per-loss",
                meaning: """
                    A room object reports its end at most once per connect; handing over to the \
                    offline part and taking back alternate.
                    """,
                source: "RS-09"
            )
        case .nothingRevives:
            .init(
                name: "session.nothing-revives",
                meaning: """
                    After the user has disconnected or logged out, or another took the identity, \
                    nothing connects and no voice captured more than 1 s later is heard, until the \
                    user launches the app anew, connects, signs in or taps a notification.
                    """,
                source: "RS-05, D-08"
            )
        case .watchdogHolds:
            .init(
                name: "session.watchdog-holds",
                meaning: """
                    While the conversation is wanted, the status never promises it for more than \
                    10 s on end in which neither side is heard.
                    """,
                source: "K-01c"
            )
        case .agentSurvives:
            .init(
                name: "session.agent-survives",
                meaning: """
                    An agent closes its session only because the room was closed or deleted, the \
                    user refused, or the client said goodbye when the user did not want the \
                    conversation or the app was not in front.
                    """,
                source: "D-05; livekit/agents, voice/room_io/types.py"
            )
        case .partsSum:
            .init(
                name: "session.parts-sum",
                meaning: "The parts of each reconnect add up to the whole, and none is negative.",
                source: "K-01a"
            )
        case .attemptsEnd:
            .init(
                name: "session.attempts-end",
                meaning: """
                    Each attempt ends before its room object begins another one, and within 60 s, \
                    unless the run ends first.
                    """,
                source: "RS-11; livekit/client-sdk-swift, Extensions/TimeInterval.swift"
            )
        }
    }
}
