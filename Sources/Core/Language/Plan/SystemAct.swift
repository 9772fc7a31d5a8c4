/// Something that can be done to a component of the world, in the words of the component's system.
///
/// Every system has an enumeration of its own, over which the component switches.
public protocol SystemAct: Sendable, Equatable {}

extension SystemAct {
    /// Whether another act is the same one of the same system.
    public func equals(_ other: any SystemAct) -> Bool { self == other as? Self }
}

/// An act, the component that it is done to, and how long after its cue.
public struct TimedAct: Sendable, Equatable {
    /// How long after what causes it.
    public var delay: Duration
    /// The component's name in the trace.
    public var target: String
    /// What is done to it.
    public var act: any SystemAct

    /// Times an act.
    public init(_ act: any SystemAct, to target: String, after delay: Duration = .zero) {
        self.delay = delay
        self.target = target
        self.act = act
    }

    /// Compares acts of one system by their values; others differ.
    public static func == (left: TimedAct, right: TimedAct) -> Bool {
        left.delay == right.delay && left.target == right.target && left.act.equals(right.act)
    }
}

/// Something done to the world at a time or after an event.
public struct TimelineEntry: Sendable, Equatable {
    /// When it is done.
    public var trigger: TimelineTrigger
    /// The name of the component that it is done to.
    public var target: String
    /// What is done to it.
    public var act: any SystemAct

    /// Makes an entry.
    public init(_ act: any SystemAct, to target: String, trigger: TimelineTrigger) {
        self.trigger = trigger
        self.target = target
        self.act = act
    }

    /// Compares acts of one system by their values; others differ.
    public static func == (left: TimelineEntry, right: TimelineEntry) -> Bool {
        left.trigger == right.trigger && left.target == right.target
            && left.act.equals(right.act)
    }
}

/// When an entry of the timeline is due.
public enum TimelineTrigger: Sendable, Equatable {
    /// So long after the start.
    case at(Duration)
    /// So long after the `count`-th record of kind `event` about component `of`.
    case after(event: String, of: String, count: Int, delay: Duration)

    /// The trigger so much later.
    func later(by delay: Duration) -> TimelineTrigger {
        switch self {
        case .at(let time):
            .at(time + delay)
        case .after(let event, let component, let count, let first):
            .after(event: event, of: component, count: count, delay: first + delay)
        }
    }
}
