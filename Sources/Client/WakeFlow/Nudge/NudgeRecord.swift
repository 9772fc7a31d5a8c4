public import SansIO

/// What the nudges keep over the death of the process.
public struct NudgeRecord: Sendable, Equatable {
    /// A nudge that is out.
    public struct Posted: Sendable, Hashable {
        /// The nudge.
        public var id: NudgeID
        /// When it was posted.
        public var at: WallTime

        /// Makes one that was posted now.
        public init(id: NudgeID, at: WallTime) {
            self.id = id
            self.at = at
        }
    }

    /// The number of the latest nudge.
    public var latest: UInt32 = 0
    /// When it was posted.
    public var latestAt: WallTime?
    /// The day on which nudges are counted.
    public var day: LocalDay?
    /// How many nudges that day has had.
    public var count = 0
    /// The nudge that is out and unopened.
    public var posted: Posted?
    /// The nudge whose intervention goes on.
    public var opened: NudgeID?
    /// The days in a row on which the routine was run without being asked to, up to the last one.
    public var streak = 0
    /// The last such day.
    public var lastAlone: LocalDay?
    /// The day on which the user called and gets nudges at full frequency.
    public var calledOn: LocalDay?
    /// How far a habit is from full strength, in parts per million; a missed day leaves it where it is
    /// (Lally et al., 2010: one miss is harmless; longer gaps were not measured).
    public var habitGapPartsPerMillion: Int64 = 1_000_000

    /// Makes a record of an app that was just installed.
    public init() {}
}
