/// A named link: what each direction does to a packet, and where the figures come from.
public struct LinkProfile: Sendable, Equatable {
    /// The name in scenario files, such as `local-clean`.
    public var name: String
    /// What it stands for, in one sentence.
    public var summary: String
    /// Where the figures come from.
    public var source: String
    /// From the first named end to the second.
    public var forward: LinkDirection
    /// From the second named end to the first.
    public var backward: LinkDirection

    /// Makes a profile whose two directions are alike unless `backward` is given.
    public init(
        name: String,
        summary: String,
        source: String,
        forward: LinkDirection,
        backward: LinkDirection? = nil
    ) {
        self.name = name
        self.summary = summary
        self.source = source
        self.forward = forward
        self.backward = backward ?? forward
    }
}
