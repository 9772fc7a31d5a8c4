/// A metric whose samples are faults that a listener hears, and what such a fault is called.
public struct HeardFault: Sendable {
    /// The metric, of times; each sample says of which listener it is, and about whom.
    public let metric: String
    /// What a sample is called, such as `never played`.
    public let noun: String
    /// How long a sample is that is no fault yet, in nanoseconds.
    public let harmlessNanoseconds: Int64
    /// Whether a sample is of the talker, and every listener hears it.
    public let isOfTalker: Bool

    /// Describes a fault.
    ///
    /// - Parameters:
    ///   - metric: The metric.
    ///   - noun: What a sample is called.
    ///   - harmless: How long a sample is that is no fault yet.
    ///   - isOfTalker: Whether a sample is of the talker, and every listener hears it.
    public init(
        _ metric: String,
        _ noun: String,
        beyond harmless: Duration = .zero,
        isOfTalker: Bool = false
    ) {
        self.metric = metric
        self.noun = noun
        harmlessNanoseconds =
            harmless.components.seconds * 1_000_000_000
            + harmless.components.attoseconds / 1_000_000_000
        self.isOfTalker = isOfTalker
    }
}
