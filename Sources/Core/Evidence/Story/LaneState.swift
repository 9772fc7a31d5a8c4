/// How good a stretch of a lane is; pictures tell tones apart by pattern too, never by colour alone.
public enum LaneTone: String, Sendable, Codable, CaseIterable {
    /// As it should be.
    case good
    /// On the way there.
    case busy
    /// Not as it should be.
    case bad
    /// A person speaks.
    case speech
    /// Neither.
    case neutral
}

/// How one kind of a system's records changes a state that the lanes of a run's picture show.
public struct LaneState: Sendable {
    /// What a row shows from a record on, until the next one about the same component.
    public struct Stretch: Sendable {
        /// The lane's row.
        public var row: String
        /// What the stretch is called; `nil` if nothing is to be seen any more.
        public var label: String?
        /// How good that is.
        public var tone: LaneTone

        /// Describes a stretch.
        public init(row: String, label: String?, tone: LaneTone) {
            self.row = row
            self.label = label
            self.tone = tone
        }
    }

    /// The kind of record.
    public let kind: TraceKind
    /// What a record of it begins, given the name of its subject.
    public let stretch: @Sendable (TraceRecord, _ subject: String) -> Stretch

    /// Describes what records of a kind change.
    public init(
        _ form: (some TraceForm).Type,
        stretch: @escaping @Sendable (TraceRecord, _ subject: String) -> Stretch
    ) {
        kind = form.kind
        self.stretch = stretch
    }
}
