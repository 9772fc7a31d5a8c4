import KodamaLanguage
import KodamaNetwork
import KodamaPhone

/// What the user does in the voice session app.
package enum SessionAppAct: SystemAct {
    /// Asks for the conversation.
    case connect
    /// Ends the conversation.
    case disconnect
    /// Mutes the microphone.
    case mute
    /// Unmutes the microphone.
    case unmute
    /// Signs in.
    case signIn
    /// Somebody else signs in on the same phone.
    case signInAsGuest
    /// Logs out.
    case logOut
}

/// What can be done to the room server: a fault befalls it, or ends.
extension RoomServerFault: SystemAct {}

/// What can be done to the agents.
enum AgentAct: SystemAct {
    /// The agent that serves a phone, by name, ends its job and leaves the room.
    case leave(phone: String)
    /// The process that runs all agents ends, and is there again after this time: until then nobody
    /// is called to a new room, and nobody comes to it later (livekit/livekit, `pkg/rtc/agentclient.go`:
    /// a job is offered once, when its room is made).
    case restart(downtime: Duration)
    /// For a while the jobs for rooms that a phone, by name, makes are lost on the way to a worker.
    case skip(phone: String, lasting: Duration)
}

/// What a box in the middle can do to the signal connection of a phone, by name.
enum SignalAct: SystemAct {
    /// It sends both ends a reset, as a firewall does that drops a flow (RFC 3360).
    case reset(phone: String)
    /// It forgets the flow: packets of it vanish both ways, and new connections pass (RFC 5382 section 5).
    case forget(phone: String)
}

/// What can be done to the app's own server.
enum APIServerAct: SystemAct {
    /// It accepts connections and does not answer for a while.
    case silence(lasting: Duration)
    /// It is gone from the network for a while.
    case goDark(lasting: Duration)
}
