public import SansIO

/// What the wake keeps over the death of its process, as a value that the app stores whole.
public struct WakeRecord: Sendable, Equatable {
    /// A wake that is set.
    public struct Wake: Sendable, Equatable {
        /// What the user set.
        public var setting: WakeSetting
        /// Occurrences up to this time are over, or lay before the wake was set.
        public var after: WallTime
        /// The morning that ended last.
        public var ended: Occurrence?
        /// The next occurrence, as it was computed last.
        public var next: Occurrence?

        /// Makes a wake of which nothing has happened yet.
        public init(setting: WakeSetting, after: WallTime) {
            self.setting = setting
            self.after = after
        }
    }

    /// One morning of a wake.
    public struct Occurrence: Sendable, Hashable {
        /// When it is due.
        public var due: WallTime
        /// The local day that it belongs to.
        public var day: LocalDay

        /// Makes an occurrence.
        public init(due: WallTime, day: LocalDay) {
            self.due = due
            self.day = day
        }
    }

    /// An entry that the system has, or is about to get.
    public struct Armed: Sendable, Hashable {
        /// The entry.
        public var entry: WakeEntry
        /// The local day of the morning that it belongs to.
        public var day: LocalDay
        /// When it sounds, by the zone of the latest look.
        public var due: WallTime

        /// Makes an armed entry.
        public init(entry: WakeEntry, day: LocalDay, due: WallTime) {
            self.entry = entry
            self.day = day
            self.due = due
        }
    }

    /// The morning that is going on: something of it was tapped, stopped or snoozed.
    public struct Morning: Sendable, Hashable {
        /// The wake.
        public var wake: WakeID
        /// The occurrence.
        public var occurrence: Occurrence
        /// How often it was snoozed.
        public var snoozes = 0
        /// From when the ladder sounds again; `nil` while it is taken back.
        public var ladderFrom: WallTime?
        /// Whether the guide was begun and has not ended.
        public var isGuiding = false
        /// Whether the guide was ever begun.
        public var wasJoined = false

        /// Makes a morning that begins.
        public init(wake: WakeID, occurrence: Occurrence) {
            self.wake = wake
            self.occurrence = occurrence
        }
    }

    /// The wakes, in the order of their numbers.
    public var wakes: [Wake] = []
    /// The number of the latest arming.
    public var arming: UInt32 = 0
    /// The entries with the system, sounded ones of the present morning among them.
    public var armed: [Armed] = []
    /// The morning that is going on.
    public var morning: Morning?
    /// What the preload fetched last.
    public var sound = WakeSound.bundled
    /// The local day whose mornings sound like that; those of other days have the bundled sound.
    public var preloadedFor: LocalDay?

    /// Makes a record of an app that was just installed.
    public init() {}
}
