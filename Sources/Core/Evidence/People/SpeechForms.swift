/// A person began a talk spurt; the subject is the device that hears it.
public struct SpeechBegan: TraceForm {
    /// The spurt's number at the person, from 0.
    public var spurt: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.people, 2) }

    /// Its text.
    public static let text = TraceFormText(
        "speech.began",
        .milestone,
        ["spurt"],
        "A person began a talk spurt; the subject is the device that hears it."
    )

    /// Makes the values of a record.
    @inlinable
    public init(spurt: Int64) {
        self.spurt = spurt
    }
}

/// A person ended a talk spurt; the subject is the device that hears it.
public struct SpeechEnded: TraceForm {
    /// The spurt's number at the person, from 0.
    public var spurt: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.people, 3) }

    /// Its text.
    public static let text = TraceFormText(
        "speech.ended",
        .milestone,
        ["spurt"],
        "A person ended a talk spurt; the subject is the device that hears it."
    )

    /// Makes the values of a record.
    @inlinable
    public init(spurt: Int64) {
        self.spurt = spurt
    }
}
