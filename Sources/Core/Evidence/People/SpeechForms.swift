/// A person began a talk spurt; the subject is the device that hears it.
public struct SpeechBegan: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.people, 2) }
    /// What it is called.
    public static let text = TraceFormText(
        "speech.began",
        .milestone,
        "A person began a talk spurt; the subject is the device that hears it.",
        "spurt"
    )
    /// The spurt's number at the person, from 0.
    public var spurt: Int64

    /// Makes the values of a record.
    @inlinable
    public init(spurt: Int64) {
        self.spurt = spurt
    }
}

/// A person ended a talk spurt; the subject is the device that hears it.
public struct SpeechEnded: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.people, 3) }
    /// What it is called.
    public static let text = TraceFormText(
        "speech.ended",
        .milestone,
        "A person ended a talk spurt; the subject is the device that hears it.",
        "spurt"
    )
    /// The spurt's number at the person, from 0.
    public var spurt: Int64

    /// Makes the values of a record.
    @inlinable
    public init(spurt: Int64) {
        self.spurt = spurt
    }
}
