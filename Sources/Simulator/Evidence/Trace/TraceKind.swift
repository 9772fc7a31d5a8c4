/// What a record tells of; described once in `TraceKind.descriptions`.
@frozen
public struct TraceKind: Sendable, Hashable, BitwiseCopyable {
    /// The kind's place in `TraceKind.descriptions`.
    public var place: UInt16

    @usableFromInline
    init(place: UInt16) {
        self.place = place
    }

    /// All kinds, in the order of their places.
    public static let descriptions = voiceDescriptions + sessionDescriptions

    /// Everything that a reader needs to know of the kind.
    public var description: TraceKindDescription { Self.descriptions[Int(place)] }

    /// The kind called `name`, if there is one.
    public init?(named name: String) {
        guard let place = Self.descriptions.firstIndex(where: { $0.name == name }) else {
            return nil
        }
        self.init(place: UInt16(place))
    }
}

/// How much of the story a record tells.
public enum TraceLevel: Int, Sendable, Comparable, CaseIterable {
    /// Tens per run: the story.
    case milestone
    /// Thousands per run: states, packets of control.
    case control
    /// Every frame.
    case media

    /// Orders levels from the coarsest to the finest.
    public static func < (left: TraceLevel, right: TraceLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// What a kind of record is called and what its values mean.
public struct TraceKindDescription: Sendable {
    /// The name in the text form, such as `frame.played`.
    public var name: String
    /// The level at which it is kept.
    public var level: TraceLevel
    /// The values, in order; at most four.
    public var fields: [TraceField]
    /// What happened, in one sentence.
    public var summary: String
}
