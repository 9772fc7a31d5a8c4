public import KodamaEvidence

/// A scenario that has been found valid.
public struct Scenario: Sendable, Equatable {
    /// The name.
    public var name: String
    /// What the story is about.
    public var summary: String?
    /// Whether its runs are to pass.
    public var outcome: ExpectedOutcome
    /// What is swept.
    public var sweep: Sweep
    /// What is run: one plan, or one for each point of the sweep; never empty.
    public var points: [ScenarioPoint]
    /// What does not keep it from running but hardly is what was meant.
    public var warnings: [Diagnostic]
    /// What the command line sets or sweeps and changes nothing at any point, and why.
    public var idleSettings: [Diagnostic] = []
}

/// One plan of a scenario, with what is expected of it.
public struct ScenarioPoint: Sendable, Equatable {
    /// The swept values that it has, in the order of the sweep; empty without a sweep.
    public var values: [SweepValue] = []
    /// How many seeds are run; with looks, at most.
    public var seeds: Int
    /// After how many seeds it is looked whether the verdict is decided, where their number is open.
    public var looks: PlannedLooks?
    /// The first seed; the others follow it.
    public var firstSeed: UInt64
    /// What the world needs.
    public var plan: WorldPlan
    /// What the judge needs.
    public var expectations: Expectations
    /// Where each gate stands, in the order of `expectations.gates`.
    public var gateLocations: [SourceLocation]
    /// What entries of the timeline wait for, in the order of the file.
    public var triggers: [PlannedTrigger] = []
    /// Every value, and where it comes from; a scenario of this point alone.
    public var resolved: ResolvedScenario

    /// The swept values for people, such as `outage=5s preset=default`; empty without a sweep.
    public var label: String {
        values.map(\.description).joined(separator: " ")
    }
}

/// What an entry of the timeline waits for.
public struct PlannedTrigger: Sendable, Equatable, Codable {
    /// The kind of record.
    public var event: String
    /// The name of whom the record is about.
    public var component: String
    /// Which one of them counts.
    public var count: Int
    /// The index in the plan's timeline of the first that is done after it.
    public var entry: Int
    /// Where it stands.
    public var location: SourceLocation
}

/// A value that one point of a sweep has.
public struct SweepValue: Sendable, Hashable, CustomStringConvertible {
    /// What is swept.
    public var name: String
    /// The value as it is written.
    public var text: String

    /// Names a value.
    public init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }

    /// The value as `--only` takes it: `outage=5s`.
    public var description: String { "\(name)=\(text)" }

    /// Whether both are the same value, however written: `1s` is `1000ms`.
    public func isSame(as other: SweepValue) -> Bool {
        guard name == other.name, text != other.text else { return self == other }
        return QuantityKind.allCases.contains { kind in
            kind.amount(of: text).map { $0 == kind.amount(of: other.text) } ?? false
        }
    }

    /// What no two values of one name share unless they are the same: the text, and the amount of each
    /// kind that it may be.
    var identities: [String] {
        [text]
            + QuantityKind.allCases.compactMap { kind in
                kind.amount(of: text).map { "\(kind) \($0)" }
            }
    }
}

/// What a scenario sweeps over.
public struct Sweep: Sendable, Equatable {
    /// The names of what is swept, in order; empty without a sweep.
    public var names: [String] = []
    /// Whether the points are all combinations of the values.
    public var isGrid = true

    /// Sweeps nothing.
    public init() {}
}

/// Whether a scenario's runs are to pass.
public enum ExpectedOutcome: Sendable, Equatable {
    /// Every gate passes.
    case pass
    /// A gate fails, which the scenario documents: at some of the points `where` tells, nowhere else.
    ///
    /// Without conditions any point may fail. Each condition names what is swept and the values that
    /// it may have.
    case fail(because: String, where: [SweepCondition])

    /// Whether a gate may fail at a point.
    public func allowsFailure(at point: ScenarioPoint) -> Bool {
        guard case .fail(_, let conditions) = self else { return false }
        return conditions.allSatisfy { $0.holds(at: point) }
    }
}

/// The values of something swept that a point must have.
public struct SweepCondition: Sendable, Equatable {
    /// What is swept.
    public var name: String
    /// The values, any of which will do.
    public var values: [String]

    /// Makes a condition.
    public init(name: String, values: [String]) {
        self.name = name
        self.values = values
    }

    /// Whether a point has one of the values, however written.
    public func holds(at point: ScenarioPoint) -> Bool {
        point.values.contains { value in
            values.contains { value.isSame(as: SweepValue(name, $0)) }
        }
    }
}
