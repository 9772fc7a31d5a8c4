import KodamaNetwork
import KodamaPhone
import SansIO

/// A room and who is in it (livekit/livekit, `pkg/rtc/room.go`).
struct ServerRoom: Timed {
    /// The agent, which the room does not wait for when it becomes empty.
    struct Agent: Sendable, Equatable {
        /// The session number.
        var number: UInt32
        /// The track that it answers on.
        var track: UInt32 { ServerParticipant.track(0, of: number) }
        /// The agent as others are told of it.
        var info: RemoteParticipant {
            RemoteParticipant(
                participant: number,
                identity: ServerRoom.agentIdentity,
                tracks: [track]
            )
        }
    }

    /// Somebody who has left.
    struct Departure: Sendable, Equatable {
        var participant: RemoteParticipant
        var at: Instant
    }

    /// So many departures are remembered (livekit/livekit, `pkg/rtc/participant.go`, `updateCache`).
    static let departuresMax = 128
    /// What agents are called in a room.
    static let agentIdentity = "agent"

    let number: UInt32
    let name: String
    /// The numbers of the participants who are no agents, in the order in which they came.
    var members: [UInt32] = []
    var agent: Agent?
    /// Who has left, the earliest first; told again to whoever resumes and may not know.
    private(set) var departures: [Departure] = []
    /// When the room is closed if nobody comes.
    var closesAt: Instant?

    var deadline: Deadline? { closesAt.map { Deadline($0, "room sweep") } }

    /// Remembers a departure; the earliest gives way.
    mutating func remember(_ participant: RemoteParticipant, leftAt now: Instant) {
        if departures.count == Self.departuresMax { departures.removeFirst() }
        departures.append(Departure(participant: participant, at: now))
    }
}
