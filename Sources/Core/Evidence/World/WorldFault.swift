/// What `fault.began` and `fault.ended` say was done to a radio, a server or a phone.
public enum WorldFault: Int64, Sendable, CaseIterable {
    /// Everything on a radio vanishes.
    case blackHole
    /// Signalling on a radio vanishes.
    case signallingCut
    /// Media on a radio vanishes.
    case mediaCut
    /// A radio lost its network.
    case radioDown
    /// A radio has a network again.
    case radioUp
    /// The room server is down.
    case serverDown
    /// The room server takes no new rooms.
    case serverDrained
    /// The room server refuses joins.
    case serverFull
    /// Datagrams neither reach the room server nor leave it.
    case iceBlocked
    /// The room server says nothing.
    case silentServer
    /// The room server does everything again.
    case serverCleared
    /// The room server sent a leave.
    case serverLeave
    /// Another client joined with a phone's identity.
    case joinElsewhere
    /// The app's own server says nothing.
    case silentAPI
    /// A phone's keychain is locked or fails.
    case secureStorage
    /// A phone's voice engine starts late or not at all.
    case voiceEngine
    /// A phone's clock is wrong.
    case clock
    /// A phone lets nothing ring: Do Not Disturb.
    case focus
    /// The room server's machine is gone from the network.
    case serverDark
    /// The app's own server is gone from the network.
    case darkAPI
    /// The room server's port for signalling is closed.
    case portClosed
    /// An agent ended its job and left its room.
    case agentLeft
    /// No agent runs, and none is called.
    case agentsAway
}

extension WorldFault {
    /// What the room server does anew when it is cleared.
    package static let cleared: [WorldFault] = [
        .serverDrained, .serverFull, .portClosed, .iceBlocked, .silentServer,
    ]

    /// The words of what ends when the room server is cleared.
    public static let clearedWords: [String] = cleared.map { Hyphenation.words(of: "\($0)") }
}
