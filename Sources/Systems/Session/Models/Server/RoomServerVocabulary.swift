package import KodamaNetwork
import KodamaPhone

/// What the world tells the room server.
package enum RoomServerEvent: Sendable, Equatable {
    /// A packet for one of the server's ports.
    case packet(Packet)
    /// Somebody does something to the server.
    case fault(RoomServerFault)
    /// An agent that was dispatched has joined its room.
    case agentJoined(room: String)
    /// The agent closed its session and leaves.
    case agentLeft(room: String)
}

/// What can be done to a room server.
package enum RoomServerFault: Sendable, Equatable {
    /// The process is killed and started anew: everything is forgotten, and its machine resets every
    /// socket; until `downtime` has passed it answers every segment with a reset (RFC 9293 §3.10.7.1).
    case crash(downtime: Duration)
    /// The machine goes dark and comes up anew: nothing is told, everything is forgotten; until
    /// `downtime` has passed packets reach nobody, after that unknown ones are answered with resets.
    case goDark(downtime: Duration)
    /// The process is told to stop by force: every participant gets DISCONNECT, SERVER_SHUTDOWN; it is
    /// back after `downtime`.
    case restart(downtime: Duration)
    /// The node takes no new rooms and waits for its participants to leave.
    case drain
    /// The signalling's port is closed: who connects is reset, connections that are open go on, until
    /// `clear`.
    case refuseConnections
    /// The node's limits are reached: joins get 503 until `clear`.
    case full
    /// Datagrams neither arrive nor leave, as behind a firewall, until `clear`.
    case blockIce
    /// The server accepts connections and says nothing on any of them, until `clear`; mutes and leaves,
    /// which need no answer, are heeded.
    case goSilent
    /// Ends drain, refuseConnections, full, blockIce and goSilent.
    case clear
    /// Sends a leave to one participant, as `RemoveParticipant`, `DeleteRoom` or a migration would.
    case leave(identity: String, LeaveRequest)
    /// A second client joins with this identity, and holds it.
    case joinElsewhere(identity: String)
}

/// What the room server does.
package enum RoomServerEffect: Sendable, Equatable {
    /// Sends a packet.
    case transmit(Packet)
    /// A room was created: an agent is called for it (agent dispatch on room creation, D-18).
    case agentWanted(room: String)
    /// Tells the room's agent something.
    case agent(room: String, VoiceAgentEvent)
    /// Tells the trace.
    case note(RoomServerNote)
}

/// What goes on inside the server, for the trace.
package enum RoomServerNote: Sendable, Equatable {
    /// A participant joined; `identity` names its device.
    case participantJoined(identity: String, participant: UInt32)
    /// A participant resumed.
    case participantResumed(identity: String, participant: UInt32)
    /// A participant's media is connected: ACTIVE.
    case participantActive(identity: String, participant: UInt32)
    /// A participant was closed.
    case participantLeft(identity: String, participant: UInt32, DisconnectReason)
    /// A connection was refused with an HTTP status.
    case refused(statusCode: Int)
    /// A room was opened.
    case roomOpened(room: String)
    /// A room was closed.
    case roomClosed(room: String)
}

/// Who receives a frame of a participant's voice.
enum MediaReceiver: Sendable, Equatable {
    /// The agent of this room.
    case agent(room: String, identity: String)
}
