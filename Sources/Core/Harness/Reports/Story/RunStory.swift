public import KodamaEvidence

/// One run looked at closely, as pictures need it: lanes of what each device did and heard, and records.
public struct RunStory: Sendable, Equatable, Codable {
    /// The index of the run's point among those of its scenario.
    public var point: Int
    /// The seed.
    public var seed: UInt64
    /// Why this run is shown.
    public var reason: String
    /// How long it is.
    public var durationNanoseconds: Int64
    /// The samples that it is shown for, if it is shown for a gate: those beyond the limit, or the worst one.
    public var samples: Lane?
    /// What happened around the moment that it is shown for, if it is shown for a miss.
    public var account: Account?
    /// Where the picture opens: the worst of these samples, with what lies around it.
    public var opening: Opening?
    /// The components with something to show, those with the most trouble first where not all fit.
    public var lanes: [Lane]
    /// How many components are not among the lanes.
    public var omittedLanes: Int
    /// How many attempts all clients together began in each stretch, if any did.
    public var attempts: Counts?
    /// The records, in the order in which they happened.
    public var records: [Record]
    /// How many records of the finest level shown there are besides.
    public var omittedRecords: Int

    /// A part of the run.
    public struct Opening: Sendable, Equatable, Codable {
        /// When it begins, in nanoseconds.
        public var from: Int64
        /// When it ends.
        public var until: Int64
    }

    /// What one component did.
    public struct Lane: Sendable, Equatable, Codable {
        /// The component's name.
        public var name: String
        /// Its rows, from top to bottom.
        public var rows: [Row]
    }

    /// One row of a lane: stretches and instants, or counts.
    public struct Row: Sendable, Equatable, Codable {
        /// What the row shows, in a word or two.
        public var label: String
        /// The stretches, in the order of their beginnings.
        public var bands: [Band]
        /// The instants.
        public var marks: [Mark]
        /// What is counted, by name.
        public var counts: [Counts]
    }

    /// A stretch of time.
    public struct Band: Sendable, Equatable, Codable {
        /// When it begins, in nanoseconds.
        public var from: Int64
        /// When it ends.
        public var until: Int64
        /// What it is.
        public var label: String
        /// How good that is.
        public var tone: Tone

        /// How long it is, in nanoseconds.
        var length: Int64 { until.minus(from) }
    }

    /// An instant.
    public struct Mark: Sendable, Equatable, Codable {
        /// When, in nanoseconds.
        public var at: Int64
        /// What happened.
        public var label: String
    }

    /// How many of something there were in each of equal stretches.
    public struct Counts: Sendable, Equatable, Codable {
        /// What is counted.
        public var label: String
        /// How long a stretch is, in nanoseconds.
        public var stepNanoseconds: Int64
        /// The counts, from the run's beginning on.
        public var counts: [Int]
    }

    /// A record in words.
    public struct Record: Sendable, Equatable, Codable {
        /// When, in nanoseconds.
        public var at: Int64
        /// The component.
        public var component: String
        /// The kind, such as `loss.detected`.
        public var kind: String
        /// The other component that it concerns, if there is one.
        public var subject: String?
        /// Its values with their names.
        public var values: String
    }

    /// How good a stretch is.
    public typealias Tone = LaneTone
}
