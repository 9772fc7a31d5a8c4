/// A scenario that has been found valid.
public struct Scenario: Sendable, Equatable {
    /// The name.
    public var name: String
    /// What the story is about.
    public var summary: String?
    /// How many seeds are run.
    public var seeds: Int
    /// The first seed; the others follow it.
    public var firstSeed: UInt64
    /// What the world needs.
    public var plan: WorldPlan
    /// What the judge needs.
    public var expectations: Expectations
    /// Where each gate stands, in the order of `expectations.gates`.
    public var gateLocations: [SourceLocation]
    /// Every value, and where it comes from.
    public var resolved: ResolvedScenario
    /// What does not keep it from running but hardly is what was meant.
    public var warnings: [Diagnostic]
}
