public import KodamaSimulation

/// A link between two phones.
public struct LinkPlan: Sendable, Equatable {
    /// Both ends' names joined by a slash, in the order of the file.
    public var name: String
    /// The first end.
    public var first: String
    /// The second end.
    public var second: String
    /// The profile, with the scenario's changes applied.
    public var profile: LinkProfile

    /// Makes a link.
    public init(first: String, second: String, profile: LinkProfile) {
        name = "\(first)/\(second)"
        self.first = first
        self.second = second
        self.profile = profile
    }
}
