import Foundation
import KodamaEvidence
public import KodamaLanguage

/// Everything that is decided before anything runs: scenarios, points, expectations, seeds.
///
/// It is a pure function of the scenarios and the arguments, so that processes which share nothing plan
/// the same runs in the same order.
public struct RunPlan: Sendable, Codable {
    /// The speech material and the codec that the runs used.
    public var material: String
    /// The arguments that repeat a run.
    public var options: [String]
    /// Whether warnings fail.
    public var isStrict: Bool
    /// The scenarios, without a run.
    public var scenarios: [ScenarioOutcome]
    /// The seeds of each point of each scenario.
    public var seeds: [[SeedRange]]

    /// Plans runs.
    ///
    /// - Parameters:
    ///   - scenarios: The scenarios with their files and the seeds of each of their points.
    ///   - material: What is heard and coded.
    ///   - options: The arguments that repeat a run.
    ///   - isStrict: Whether warnings fail.
    public init(
        _ scenarios: [(scenario: Scenario, file: String, seeds: [[UInt64]])],
        material: String,
        options: [String],
        isStrict: Bool
    ) {
        self.material = material
        self.options = options
        self.isStrict = isStrict
        self.scenarios = scenarios.map { ScenarioOutcome(scenario: $0.scenario, file: $0.file) }
        seeds = scenarios.map { $0.seeds.map { SeedRange($0) } }
    }

    /// A digest of the whole plan.
    public var digest: String {
        get throws {
            let data = try JSONEncoder.repeatable.encode(self)
            return data.withUnsafeBytes { Digest64(of: $0) }.description
        }
    }

    /// How many runs there are.
    public var runCount: Int { seeds.joined().reduce(0) { $0 + $1.count } }

    /// The seeds of each point of each scenario that a shard runs.
    public func seeds(of shard: RunShard) -> [[[UInt64]]] {
        var position = 0
        return seeds.map { points in
            points.map { range in
                range.seeds.filter { _ in
                    defer { position += 1 }
                    return shard.holds(position)
                }
            }
        }
    }
}
