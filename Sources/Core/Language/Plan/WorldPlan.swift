public import KodamaSimulation

/// A scenario as the world needs it: complete, valid, without thresholds.
///
/// A world that knew what is measured could cheat, so what is expected lives in `Expectations`.
public struct WorldPlan: Sendable, Equatable {
    /// The systems whose apps and servers may be in it.
    public var systems: SystemRegistry
    /// The scenario's name.
    public var name: String
    /// How long the run lasts.
    public var duration: Duration
    /// How much of the voice is carried.
    public var voice: VoiceMode = .real
    /// The time of day at which the run starts.
    public var timeOfDay: Duration = .zero
    /// The phones, with unique names.
    public var phones: [PhonePlan] = []
    /// The figures of what is not on a phone, such as servers.
    public var shared = Tuning()
    /// The links between phones; two without a link cannot reach each other.
    public var links: [LinkPlan] = []
    /// The people, with unique names.
    public var people: [PersonPlan] = []
    /// Where those are over time who walk; everybody else stands at the origin.
    public var walks: [WalkPlan] = []
    /// What stands between those who walk.
    public var ridges: [Ridge] = []
    /// Who talks when.
    public var talk: [TalkPlan] = []
    /// What is done to the world, and when.
    public var timeline: [TimelineEntry] = []
    /// What goes wrong by chance.
    public var faults: [FaultMixPlan] = []

    /// Makes an empty world.
    public init(name: String, duration: Duration, systems: SystemRegistry) {
        self.systems = systems
        self.name = name
        self.duration = duration
    }

    /// Whether a phone has an app of a system.
    public func runs(_ system: (some AppSettings).Type) -> Bool {
        phones.contains { $0.settings(of: system) != nil }
    }
}
