public import WakeFlow

/// The configuration of the coach and the machines in it.
public struct CoachConfiguration: Sendable, Equatable {
    /// How wakes are armed, repeated and given up.
    public var wake = WakeConfiguration()
    /// How quickly the phone's own voice takes over and gives back.
    public var guide = OfflineGuideConfiguration()
    /// How often and how long the user is nudged.
    public var nudge = NudgeConfiguration()
    /// How the session with the agent connects, comes back and gives up.
    public var session = VoiceAppConfiguration()
    /// The server's flags as they were kept; without `usesRealtime` there is no session to connect.
    public var flags = CoachFlags()
    /// How long the user and the agent talk at most outside of mornings and nudges.
    ///
    /// An assumption: the guide's longest sequence takes 7 min (AN-02).
    public var talkMax: Duration = .seconds(600)
    /// The wakes that are set when the app runs for the first time.
    public var firstWakes: [WakeSetting] = []

    /// The default preset.
    public init() {}
}

/// The entropy of one process of the coach.
public struct CoachSeeds: Sendable, Equatable {
    /// For the waits of the guide.
    public var guide: UInt64
    /// For the names of conversations.
    public var conversations: UInt64
    /// For the device's identity, and the waits of the session.
    public var session: UInt64

    /// Takes three seeds that were drawn apart.
    public init(guide: UInt64, conversations: UInt64, session: UInt64) {
        (self.guide, self.conversations, self.session) = (guide, conversations, session)
    }
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
