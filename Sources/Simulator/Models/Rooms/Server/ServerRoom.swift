import SansIO

/// A room and who is in it (livekit/livekit, `pkg/rtc/room.go`).
struct ServerRoom: Timed {
    /// The agent, which the room does not wait for when it becomes empty.
    struct Agent: Sendable, Equatable {
        /// The session number.
        var number: UInt32
        /// The track that it answers on.
        var track: UInt32 { ServerParticipant.track(0, of: number) }
    }

    /// What agents are called in a room.
    static let agentIdentity = "agent"

    let number: UInt32
    let name: String
    /// The numbers of the participants who are no agents, in the order in which they came.
    var members: [UInt32] = []
    var agent: Agent?
    /// When the room is closed if nobody comes.
    var closesAt: Instant?

    var deadline: Deadline? { closesAt.map { Deadline($0, "room sweep") } }
}
