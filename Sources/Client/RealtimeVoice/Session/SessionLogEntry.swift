/// A line of the log under `RTC`: what happened, without personal data (RS-10).
///
/// No token, device id, user or room name ever enters one: the fields cannot hold any.
public enum SessionLogEntry: Sendable, Equatable {
    /// The category of the lines.
    public static let category = "RTC"

    /// A room object was told to connect.
    case connecting(RoomID)
    /// A room object connected.
    case connected(RoomID)
    /// A room object spoke of a reconnect.
    case reconnect(RoomID, RoomCallback)
    /// A room object was left, or left us.
    case disconnected(RoomID, RoomError?)
    /// A microphone's track could not be opened or muted.
    case microphoneFailed(RoomID, RoomError)
    /// Something failed.
    case failed(SessionStage, code: Int64)
}
