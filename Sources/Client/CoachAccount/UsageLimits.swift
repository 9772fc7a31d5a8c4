public import CoachExchange
public import SansIO

/// Which limits the user has reached and until when, from what the server says (AN-20).
///
/// A limit that is reached is shown until it is reset, whichever request met it.
public struct UsageLimits: StateMachine {
    /// A fact for the limits.
    public enum Event: Sendable, Equatable {
        /// The server refused something for a limit.
        case refused(UsageCount)
        /// The server has told how much is used up.
        case counted([UsageCount])
    }

    /// An order from the limits.
    public enum Effect: Sendable, Equatable {
        /// Shows the limits that are reached, which are others than before.
        case show([UsageKind])
    }

    private struct Reached: Sendable, Equatable {
        let kind: UsageKind
        let until: Instant
    }

    /// The longest time that a limit is shown: 31 days, longer than any period.
    private static let waitMax = Duration.seconds(31 * 86_400)

    /// One order.
    public static var effectsPerCallMax: Int { 1 }
    /// There may always be another limit.
    public var isFinished: Bool { false }

    private var reached: [Reached] = []

    /// Makes one that knows of no limit.
    public init() {}

    /// The limits that are reached, in the order of their kinds.
    public var kinds: [UsageKind] {
        UsageKind.allCases.filter { kind in reached.contains { $0.kind == kind } }
    }

    /// When the next limit is reset.
    public var deadline: Deadline? {
        reached.map(\.until).min().map { Deadline($0, "usage limit reset") }
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        let before = kinds
        switch event {
        case .refused(let count): note(count, isReached: true, at: turn.now)
        case .counted(let counts):
            for count in counts {
                note(count, isReached: count.used >= count.allowed, at: turn.now)
            }
        }
        if kinds != before { turn.order(.show(kinds)) }
    }

    /// Shows that a limit is reset.
    public mutating func wake(in turn: inout Turn<Effect>) {
        let before = kinds
        reached.removeAll { $0.until <= turn.now }
        if kinds != before { turn.order(.show(kinds)) }
    }

    private mutating func note(_ count: UsageCount, isReached: Bool, at now: Instant) {
        reached.removeAll { $0.kind == count.kind }
        guard isReached, count.resetsIn > .zero else { return }
        let until = now.advanced(by: min(count.resetsIn, Self.waitMax))
        reached.append(Reached(kind: count.kind, until: until))
    }
}
