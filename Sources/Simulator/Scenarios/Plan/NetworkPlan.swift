public import Evidence
public import Models
public import RealtimeVoice
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
    /// Packets of one kind of traffic, or all, vanish on a phone's radio for a while; nobody says so.
    case block(phone: String, NetworkInterface?, TrafficClass?, lasting: Duration)
    /// A phone's interface goes down or up; it gets another address when it comes up.
    case radio(phone: String, NetworkInterface, isUp: Bool, PathNotice)
    /// The user of a phone does something with the phone or an app, the phone's first one if none is
    /// named.
    case user(phone: String, app: String? = nil, UserAct)
    /// A phone grants or refuses something from now on that it did not before.
    case phone(String, PhoneChange)
    /// Something is done to the room server.
    case rooms(RoomServerFault)
    /// The app's own server does not answer for a while.
    case silenceAPI(lasting: Duration)
}

/// What a phone does otherwise from now on.
public enum PhoneChange: Sendable, Equatable {
    /// Its keychain answers so.
    case secureStorage(StorageCondition)
    /// Its voice engines start so.
    case engine(EngineCondition)
    /// Its clock is so much later than true; negative for earlier.
    case clock(offset: Duration)
}
