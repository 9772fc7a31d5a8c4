public import WakeFlow

/// The configuration of the coach and the machines in it.
public struct CoachConfiguration: Sendable, Equatable {
    /// How wakes are armed, repeated and given up.
    public var wake = WakeConfiguration()
    /// How quickly the phone's own voice takes over and gives back.
    public var guide = OfflineGuideConfiguration()
    /// How often and how long the user is nudged.
    public var nudge = NudgeConfiguration()
    /// The server's flags as they were kept; without `usesRealtime` there is no session to connect.
    public var flags = CoachFlags()
    /// The wakes that are set when the app runs for the first time.
    public var firstWakes: [WakeSetting] = []

    /// The default preset.
    public init() {}
}

/// What the coach keeps on the phone's storage, as a value that is stored whole.
public struct CoachMemory: Sendable, Equatable {
    /// What the wakes keep.
    public var wake = WakeRecord()
    /// What the guide keeps.
    public var guide = OfflineRecord()
    /// What the nudges keep.
    public var nudge = NudgeRecord()
    /// Whether the first wakes were set.
    public var isSetUp = false

    /// Makes the memory of an app that was just installed.
    public init() {}
}
