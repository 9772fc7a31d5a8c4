public import SansIO

/// Tells a machine's story call by call; an effect that is not listed breaks it.
///
/// ```swift
/// var story = Transcript(session)
/// try story.expect(.connectionLost, at: .seconds(3)) {
///     Session.Effect.fetchToken(OperationID(number: 1))
///     Session.Effect.stateChanged(.reconnecting)
/// }
/// ```
public struct Transcript<Machine: StateMachine> {
    /// The machine as the story left it.
    public private(set) var machine: Machine
    private var call = 0

    /// Begins a story with `machine`.
    public init(_ machine: Machine) {
        self.machine = machine
    }

    /// Gives the machine an event and compares what it orders.
    ///
    /// - Parameters:
    ///   - event: The fact.
    ///   - time: When, after the start of the time line.
    ///   - effects: All effects of the call, in order.
    /// - Throws: The difference, if there is one.
    public mutating func expect(
        _ event: Machine.Event,
        at time: Duration,
        @EffectList<Machine.Effect> _ effects: () -> [Machine.Effect] = { [] }
    ) throws(TranscriptMismatch) {
        let ordered = machine.drive(event, at: Instant.zero.advanced(by: time))
        try compare("\(event)", at: time, expected: effects(), actual: ordered)
    }

    /// Wakes the machine and compares what it orders.
    ///
    /// A machine that wanted to be woken earlier breaks the story: a host would have done so, and a
    /// timer that is due too early would pass unseen.
    ///
    /// - Parameters:
    ///   - time: When, after the start of the time line.
    ///   - isLate: Whether the host slept through the deadline (law L4); then the deadline has to be
    ///     an earlier one.
    ///   - effects: All effects of the call, in order.
    /// - Throws: The difference, if there is one.
    public mutating func expectWake(
        at time: Duration,
        isLate: Bool = false,
        @EffectList<Machine.Effect> _ effects: () -> [Machine.Effect] = { [] }
    ) throws(TranscriptMismatch) {
        let instant = Instant.zero.advanced(by: time)
        let deadline = machine.deadline?.instant
        guard deadline.map({ $0 < instant }) ?? false == isLate else {
            throw TranscriptMismatch(
                call: call + 1,
                input: "wake at \(time)",
                expected: ["a deadline \(isLate ? "before that" : "then, later or never")"],
                actual: [deadline.map { "\(Instant.zero.duration(to: $0))" } ?? "none"]
            )
        }
        try compare("wake", at: time, expected: effects(), actual: machine.drive(nil, at: instant))
    }

    /// Wakes the machine when a wait is over whose latter half was drawn, and compares everything it orders.
    ///
    /// - Parameters:
    ///   - wait: The longest that it may be; half of it is the shortest.
    ///   - start: When it began, after the start of the time line.
    ///   - effects: All effects of the call, in order.
    /// - Returns: When it was over.
    /// - Throws: The difference, if there is one.
    @discardableResult
    public mutating func expectDrawnWake(
        within wait: Duration,
        after start: Duration,
        @EffectList<Machine.Effect> _ effects: () -> [Machine.Effect]
    ) throws(TranscriptMismatch) -> Duration {
        let due = machine.deadline.map { Instant.zero.duration(to: $0.instant) }
        guard let due, start + wait / 2 <= due, due <= start + wait else {
            throw TranscriptMismatch(
                call: call + 1,
                input: "wake within \(wait) after \(start)",
                expected: ["a deadline in the latter half of that"],
                actual: [due.map { "\($0)" } ?? "none"]
            )
        }
        try expectWake(at: due, effects)
        return due
    }

    /// Wakes the machine whenever it wants to be before `time`, whatever it orders then.
    ///
    /// - Parameter time: Until when, after the start of the time line.
    public mutating func pass(until time: Duration) {
        let end = Instant.zero.advanced(by: time)
        while let due = machine.deadline?.instant, due < end {
            _ = machine.drive(nil, at: due)
            call += 1
        }
    }

    private mutating func compare(
        _ name: String,
        at time: Duration,
        expected: [Machine.Effect],
        actual: [Machine.Effect]
    ) throws(TranscriptMismatch) {
        call += 1
        guard expected != actual else { return }
        throw TranscriptMismatch(
            call: call,
            input: "\(name) at \(time)",
            expected: expected.map { "\($0)" },
            actual: actual.map { "\($0)" }
        )
    }
}

/// Says at which call a machine's effects differed from what was expected or recorded.
public struct TranscriptMismatch: Error, Equatable, CustomStringConvertible {
    /// The number of the call, from 1.
    public var call: Int
    /// The event or wake, and when.
    public var input: String
    /// The effects that were expected.
    public var expected: [String]
    /// The effects that came.
    public var actual: [String]

    /// The difference, one effect a line.
    public var description: String {
        """
        call \(call), \(input):
          expected \(expected.isEmpty ? "nothing" : expected.joined(separator: "\n           "))
          but got  \(actual.isEmpty ? "nothing" : actual.joined(separator: "\n           "))
        """
    }
}

/// Lists effects one a line, without commas.
@resultBuilder
public enum EffectList<Effect> {
    /// One effect of the list.
    public static func buildExpression(_ effect: Effect) -> [Effect] { [effect] }

    /// Several effects made elsewhere.
    public static func buildExpression(_ effects: [Effect]) -> [Effect] { effects }

    /// The whole list.
    public static func buildBlock(_ effects: [Effect]...) -> [Effect] { effects.flatMap { $0 } }
}
