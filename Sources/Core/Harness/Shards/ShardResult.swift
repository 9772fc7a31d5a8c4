public import Foundation
import KodamaEvidence

/// The results of one shard's runs: everything that a merge needs.
public struct ShardResult: Sendable, Codable {
    /// Raised when the form changes; shards are merged by the build that wrote them or one like it.
    public static let currentSchemaVersion = 4

    /// The version of the format in which it is written.
    public var schemaVersion = ShardResult.currentSchemaVersion
    /// Which shard.
    public var shard: RunShard
    /// What all shards together run.
    public var plan: RunPlan
    /// What this shard's runs gave, scenario by scenario.
    public var outcomes: [ScenarioOutcome]

    /// Keeps what a shard's runs gave.
    ///
    /// - Parameters:
    ///   - shard: Which shard.
    ///   - plan: What all shards together run.
    ///   - outcomes: What came of this one's share, scenario by scenario.
    public init(_ shard: RunShard, of plan: RunPlan, outcomes: [ScenarioOutcome]) {
        self.shard = shard
        self.plan = plan
        self.outcomes = outcomes
    }

    /// How many runs it holds.
    public var runCount: Int { outcomes.flatMap(\.points).reduce(0) { $0 + $1.rows.count } }

    /// The bytes, the same for equal shards.
    public var json: Data {
        get throws { try JSONEncoder.repeatable.encode(self) + Data("\n".utf8) }
    }

    /// Reads a shard back.
    ///
    /// - Parameter data: What `json` gave.
    /// - Throws: `ReportError` that says what is wrong.
    public init(json data: Data) throws(ReportError) {
        struct Head: Decodable {
            var schemaVersion: Int
            var shard: RunShard
        }
        let decoder = JSONDecoder()
        do {
            let head = try decoder.decode(Head.self, from: data)
            guard head.schemaVersion == Self.currentSchemaVersion,
                RunShard(index: head.shard.index, count: head.shard.count) != nil
            else {
                throw ReportError("this shard was written by another version of kodama")
            }
        } catch let error as ReportError {
            throw error
        } catch {
            throw ReportError(data, isNo: .shard)
        }
        do {
            self = try decoder.decode(ShardResult.self, from: data)
        } catch let error as DecodingError {
            throw ReportError(error)
        } catch {
            throw ReportError("\(error)")
        }
        try refuseOtherRuns()
    }

    /// The runs must be those that the plan gives to this shard.
    private func refuseOtherRuns() throws(ReportError) {
        let held = outcomes.map { $0.points.map { $0.rows.map(\.seed) } }
        let fault = ReportError("the runs are not those of shard \(shard) of its plan")
        // A damaged file may plan fewer runs than none, or more than memory holds; those that are
        // here say how many there can be.
        let most = (held.joined().reduce(0) { $0 + $1.count } + 1) * shard.count
        guard plan.seeds.joined().allSatisfy({ (0...most).contains($0.count) }),
            plan.runCount <= most
        else { throw fault }
        let planned = plan.seeds(of: shard)
        let isWhole =
            held == planned && plan.scenarios.map(\.points.count) == planned.map(\.count)
            && zip(plan.scenarios, outcomes).allSatisfy { hollow, outcome in
                zip(hollow.points, outcome.points).allSatisfy { hollow, point in
                    hollow.rows.isEmpty && hollow.isEven && point.isEven
                        && hollow.gateLocations.count == point.gateLocations.count
                }
            }
        guard isWhole else { throw fault }
    }
}

extension PointOutcome {
    /// Whether each run has a figure for every column and gate, and all of them were judged.
    fileprivate var isEven: Bool {
        judgement.gates.count == gateLocations.count && judgement.runCount == rows.count
            && rows.allSatisfy {
                $0.figures.count == columns.count && $0.gates.count == gateLocations.count
            }
    }
}
