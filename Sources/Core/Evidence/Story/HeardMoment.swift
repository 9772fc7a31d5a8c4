public import SansIO

/// An instant of a run at which it is worth listening to a phone or two, such as a handover.
public struct HeardMoment: Sendable, Equatable {
    /// The instant.
    public var instant: Instant
    /// The names of the phones; the first is the one that something happens to.
    public var phones: [String]
    /// What it is called, such as `handover`.
    public var noun: String

    /// Names a moment.
    public init(_ noun: String, at instant: Instant, between phones: [String]) {
        self.noun = noun
        self.instant = instant
        self.phones = phones
    }
}

/// Finds the moments of a system that are worth listening to.
public protocol MomentFinder: Sendable {
    /// Makes the finder of a run that begins.
    init(_ directory: TraceDirectory)

    /// Follows the next record of the run.
    mutating func follow(_ record: TraceRecord)

    /// The moments found so far, in the order of time.
    var moments: [HeardMoment] { get }
}
