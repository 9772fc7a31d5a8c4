public import Simulation

/// A link between two phones.
public struct LinkPlan: Sendable, Equatable {
    /// Both ends' names joined by a slash, in the order of the file.
    public var name: String
    /// The first end.
    public var first: String
    /// The second end.
    public var second: String
    /// The profile, with the scenario's changes applied.
    public var profile: LinkProfile

    /// Makes a link.
    public init(first: String, second: String, profile: LinkProfile) {
        name = "\(first)/\(second)"
        self.first = first
        self.second = second
        self.profile = profile
    }
}

/// Something done to the world at a time or after an event.
public struct TimelineEntry: Sendable, Equatable {
    /// When it is done.
    public var trigger: TimelineTrigger
    /// What is done.
    public var action: TimelineAction

    /// Makes an entry.
    public init(trigger: TimelineTrigger, action: TimelineAction) {
        self.trigger = trigger
        self.action = action
    }
}

/// When an entry of the timeline is due.
public enum TimelineTrigger: Sendable, Equatable {
    /// At so long after the start.
    case at(Duration)
    /// So long after the `count`-th record of kind `event` about component `of`.
    case after(event: String, of: String, count: Int, delay: Duration)
}

/// What can be done to the world.
public enum TimelineAction: Sendable, Equatable {
    /// Disrupts a link for a while, then restores it.
    case disrupt(link: String, LinkDisruption, lasting: Duration)
    /// Gives a link another profile from now on.
    case change(link: String, to: LinkProfile)
}
