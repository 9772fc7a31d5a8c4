public import KodamaEvidence
import KodamaWorld
import SansIO

/// What is kept of one run: its digests, and a few figures of each metric in one row of numbers.
///
/// A suite has tens of thousands of runs, so a row takes about a kilobyte; what is pooled over runs lies
/// in their judge.
public struct RunRow: Sendable, Equatable, Codable {
    /// The seed.
    public var seed: UInt64
    /// The digest of the whole trace.
    public var digest: Digest64
    /// The components' digests, sorted by name.
    public var components: [Component]
    /// The run's own figure of each gate, in the order of the gates.
    public var gates: [Int64?]
    /// The invariants that the run broke, in the order of `Systems.invariants`.
    public var broken: [String]
    /// The first break of each rule that allows none, in the order in which they came; `nil` without one.
    public var breaks: [RuleBreak]?
    /// The entries of the timeline that waited in vain, by index; `nil` if none did.
    var waitingEntries: [Int]?
    /// The figures, in the order of the columns; `RunRow.nothing` where there is none.
    var figures: [Int64]

    /// A component's name and digest.
    public struct Component: Sendable, Equatable, Codable {
        /// The name.
        public var name: String
        /// The digest of all records about it.
        public var digest: Digest64
    }

    /// Stands for a figure that a run does not have.
    static let nothing = Int64.min

    /// Keeps what reports need of a run.
    init(_ run: RunOutcome, gates: [Gate], columns: [MetricColumn]) {
        let evidence = run.evidence
        seed = evidence.seed
        digest = run.digest
        components = run.components.map { Component(name: $0.name, digest: $0.digest) }
        self.gates = gates.map { evidence.figure(of: $0) }
        broken = evidence.invariants.filter { $0.violationCount > 0 }.map(\.name)
        let breaks = RuleBreak.all(of: evidence, gates: gates)
        self.breaks = breaks.isEmpty ? nil : breaks
        waitingEntries = run.waitingEntries.isEmpty ? nil : run.waitingEntries
        figures = []
        figures.reserveCapacity(columns.count)
        for column in columns {
            figures.append(column.figure(of: evidence.metrics[column.metric].value) ?? Self.nothing)
        }
    }

    /// The figure in a column, if the run has one.
    func figure(_ column: Int) -> Int64? {
        figures[column] == Self.nothing ? nil : figures[column]
    }
}

/// One figure of one metric, kept for every run.
struct MetricColumn: Sendable, Equatable, Codable {
    /// Which figure.
    enum Figure: String, Sendable, Codable {
        /// The one number of a count, or a share in parts per million, rounded up.
        case value
        /// The median.
        case p50
        /// The quantile at 95 %.
        case p95
        /// The greatest sample.
        case maximum = "max"
        /// The samples' sum, of the parts of reconnects.
        case sum
        /// The part of a share, in the links of chains.
        case part
        /// The whole of a share, in the links of chains.
        case whole
    }

    /// The metric's index among those of a run, which is the same for all runs of a build.
    var metric: Int
    /// The figure.
    var figure: Figure

    /// The columns of runs with such metrics, some of which are links of chains.
    static func all(of metrics: [MetricResult], _ chains: [MetricChain] = []) -> [MetricColumn] {
        let linked = Set(chains.flatMap(\.metrics))
        return metrics.enumerated().flatMap { index, metric -> [MetricColumn] in
            var figures: [Figure] = [.value]
            if metric.value.form == .distribution { figures = [.p50, .p95, .maximum] }
            if ReconnectParts.part(of: metric.name) != nil { figures.append(.sum) }
            if linked.contains(metric.name) { figures += [.part, .whole] }
            return figures.map { MetricColumn(metric: index, figure: $0) }
        }
    }

    /// The figure of a finding, if it has any sample.
    func figure(of value: MetricValue) -> Int64? {
        guard value.samples > 0 else { return nil }
        switch (value, figure) {
        case (.distribution(let samples), .p50): return samples.quantile(perMille: 500)
        case (.distribution(let samples), .p95): return samples.quantile(perMille: 950)
        case (.distribution(let samples), .maximum): return samples.maximum
        case (.distribution(let samples), .sum): return samples.sum
        case (.proportion(let share), .value): return share.partsPerMillion(roundedUp: true)
        case (.proportion(let share), .part): return share.numerator
        case (.proportion(let share), .whole): return share.denominator
        case (.count(let tally), .value): return tally.total
        default: return nil
        }
    }
}

/// The names of the metrics that say where the time of reconnects goes, in whichever system.
///
/// They are those between `SYSTEM.reconnect.` and `.time`, and the whole is one of them; what they mean, and
/// that they add up, is for the system's meter to declare.
enum ReconnectParts {
    /// The part that all others add up to.
    static let whole = "whole"
    /// How the metrics end that count the attempts which all clients together begin in a second.
    static let storm = ".attempts.rate"

    /// The part that a metric measures, if it does: `failed quick` for `SYSTEM.reconnect.failed_quick.time`.
    static func part(of metric: String) -> String? {
        let words = metric.split(separator: ".")
        guard words.count == 4, words[1] == "reconnect", words[3] == "time" else { return nil }
        return String(words[2]).replacing("_", with: " ")
    }
}

extension Digest64: Codable {
    /// Reads 16 hexadecimal digits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let digest = Digest64(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "'\(text)' is no digest"
            )
        }
        self = digest
    }

    /// Writes 16 hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
