/// How a phone stands at the start of a run: what it grants its apps, and what it refuses.
public struct PhoneCondition: Sendable, Equatable {
    /// Whether apps may use the microphone, and what the user says if they are asked.
    public var microphone = PermissionCondition()
    /// How the keychain answers.
    public var secureStorage = StorageCondition.available
    /// Whether the disk is full.
    public var diskIsFull = false
    /// How voice engines start.
    public var engine = EngineCondition()
    /// Whether Do Not Disturb is on.
    public var focusIsOn = false
    /// How much later than true the phone's clock is; negative for earlier.
    public var clockOffset: Duration = .zero

    /// A phone that grants everything and whose clock is right.
    public init() {}
}
