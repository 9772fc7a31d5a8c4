public import Models

/// What the user does in the voice session app.
public enum SessionAppAct: SystemAct {
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
    /// Logs out.
    case logOut
}

/// What can be done to the room server: a fault befalls it, or ends.
extension RoomServerFault: SystemAct {}

/// What can be done to the app's own server.
public enum APIServerAct: SystemAct {
    /// It accepts connections and does not answer for a while.
    case silence(lasting: Duration)
}
