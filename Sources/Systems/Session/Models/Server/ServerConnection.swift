import AppServer
import KodamaNetwork
import KodamaPhone
import SansIO

/// A client's signal connection, and how far it has come.
struct ServerConnection: Timed {
    /// How far the connection has come.
    enum Stage: Sendable, Equatable {
        /// The client has not said what it wants.
        case accepted
        /// A session is being started for it.
        case starting(SessionStart)
        /// It carries the signals of this participant.
        case joined(participant: UInt32)
        /// Nothing more is heard on it; what was said before the close still leaves.
        case closing
    }

    let number: UInt32
    let peer: SocketAddress
    var stream = StreamConnection(role: .server, looksUp: false)
    var stage = Stage.accepted
    /// What waits for the reconnect response, and until when at most; `nil` while nothing is held.
    var hold: Hold?

    /// Messages that wait.
    struct Hold: Sendable, Equatable {
        var messages: [SignalResponse] = []
        var until: Instant
    }

    init(number: UInt32, peer: SocketAddress) {
        self.number = number
        self.peer = peer
    }

    var deadline: Deadline? {
        let held = hold.map { Deadline($0.until, "resume hold") }
        let earliest = Deadline.earliest(stream.deadline, held)
        switch stage {
        case .starting(let start):
            return .earliest(earliest, Deadline(start.readyAt, "session start"))
        case .accepted, .joined, .closing:
            return earliest
        }
    }
}

/// A join or resume whose token was accepted.
struct SessionStart: Sendable, Equatable {
    var claims: AccessToken.Claims
    /// The room's name, from the claims.
    var room: String
    var isResume: Bool
    /// The participant whose words go by this connection already.
    var resumed: UInt32?
    var readyAt: Instant

    var identity: String { claims.identity }
}
