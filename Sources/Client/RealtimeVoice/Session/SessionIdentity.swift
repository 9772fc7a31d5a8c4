/// The user, the device and the room that the token service asks for (RS-01, RS-12).
public struct SessionIdentity: Sendable, Equatable {
    /// The device's identity.
    public var deviceID: String
    /// The login's session token, if there is a login.
    public var bearer: String?
    /// The room to talk in; a new one for each conversation if `nil`.
    public var room: String?

    /// Names the user, the device and the room.
    public init(deviceID: String, bearer: String? = nil, room: String? = nil) {
        self.deviceID = deviceID
        self.bearer = bearer
        self.room = room
    }
}

/// What the app may do with the audio session (RS-15).
public enum AudioAccess: Sendable, Hashable, CaseIterable {
    /// The voice engine runs.
    case available
    /// The voice engine is starting.
    case starting
    /// A call or another app has it.
    case taken
}
