/// A scenario as the world needs it: complete, valid, without thresholds.
///
/// A world that knew what is measured could cheat, so what is expected lives in `Expectations`.
public struct WorldPlan: Sendable, Equatable {
    /// The scenario's name.
    public var name: String
    /// How long the run lasts.
    public var duration: Duration
    /// Whether sound is real or only counted.
    public var audio: AudioMode = .real
    /// How much of a session's voice is carried.
    public var media: MediaMode = .sized
    /// The time of day at which the run starts.
    public var timeOfDay: Duration = .zero
    /// The phones, with unique names.
    public var phones: [PhonePlan] = []
    /// The servers that sessions talk to.
    public var services = ServicesPlan()
    /// The links between them; two devices without a link cannot reach each other.
    public var links: [LinkPlan] = []
    /// The people, with unique names.
    public var people: [PersonPlan] = []
    /// Who talks when.
    public var talk: [TalkPlan] = []
    /// What is done to the world, and when.
    public var timeline: [TimelineEntry] = []
    /// What goes wrong by chance.
    public var faults: [FaultMixPlan] = []

    /// Makes an empty world.
    public init(name: String, duration: Duration) {
        self.name = name
        self.duration = duration
    }

    /// Whether a phone has an app of a system.
    public func runs(_ system: (some AppSettings).Type) -> Bool {
        phones.contains { $0.settings(of: system) != nil }
    }
}

/// Whether sound is real or only counted.
public enum AudioMode: String, Sendable, CaseIterable {
    /// Recorded speech, detected, encoded, carried, decoded and mixed.
    case real
    /// Speech from the truth, frames with sizes only.
    case sized
}
