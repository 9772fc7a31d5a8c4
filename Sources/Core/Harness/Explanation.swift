public import Foundation
public import KodamaEvidence
public import KodamaWorld
import SansIO

/// One run in sentences, cause before effect.
public struct Explanation: Sendable, Equatable {
    /// The scenario's name.
    public let scenario: String
    /// The seed.
    public let seed: UInt64
    /// The run's digest.
    public let digest: Digest64
    /// What happened, in order.
    public var sentences: [Sentence]
    /// The samples of the metric that it is about, if it is about one.
    public internal(set) var samples: SampleList?

    /// Runs a seed and explains it.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - scenario: The scenario's name.
    ///   - metric: The metric whose samples are told, if any.
    ///   - gates: The gates that may bound only some of them.
    /// - Throws: What kept the world from being built or run.
    public init(
        of run: SingleRun,
        scenario: String,
        about metric: String? = nil,
        beyond gates: [Gate] = []
    ) throws(WorldError) {
        let scopes = [GateScope()] + gates.filter { $0.metric == metric }.compactMap(\.scope)
        let scoped = metric.map { metric in scopes.map { ScopedMetric(metric: metric, scope: $0) } }
        var sinks = SinkPair(SinkPair(RunNarrator(), RunMeter(scoped ?? [])), TraceDigest())
        if metric != nil {
            try run.run(into: &sinks)
        } else {
            var plain = SinkPair(sinks.first.first, sinks.second)
            try run.run(into: &plain)
            (sinks.first.first, sinks.second) = (plain.first, plain.second)
        }
        self.scenario = scenario
        seed = run.seed
        digest = sinks.second.run
        sentences = sinks.first.first.sentences.map { run.plan.completed($0) }
        let meter = sinks.first.second
        samples = metric.map { SampleList($0, meter.samples(of: $0), meter.stretches) }
    }

    /// Keeps the samples beyond the limits of gates, and the sentences that belong to them.
    ///
    /// - Parameters:
    ///   - gates: The gates.
    ///   - metric: The metric.
    ///   - isAsked: Whether a sample is asked for; the others do not count.
    public mutating func tellSamples(
        beyond gates: [Gate],
        _ metric: MetricDescription,
        where isAsked: (LocatedSample) -> Bool = { _ in true }
    ) {
        samples?.keep(where: isAsked)
        samples?.keep(
            beyond: gates,
            in: metric.unit,
            metric.form,
            better: metric.direction,
            keepsOpen: true
        )
        guard let samples else { return }
        sentences = samples.told(of: sentences)
    }

    /// The text form: instants since the run's beginning, the component, what happens.
    public var text: String { text(isWhole: false) }

    /// The text form.
    ///
    /// - Parameter isWhole: Whether every sentence is told; else runs of like ones are folded.
    /// - Returns: The lines, joined.
    public func text(isWhole: Bool) -> String {
        let head = "\(scenario), seed \(seed), digest \(digest)"
        guard let samples else {
            return ([head, ""] + Self.lines(sentences, isWhole: isWhole)).joined(separator: "\n")
        }
        return ([head, "", samples.head] + samples.lines(sentences, isWhole: isWhole))
            .joined(separator: "\n")
    }

    /// Sentences as lines: when, to whom, what.
    static func lines(_ sentences: [Sentence], isWhole: Bool) -> [String] {
        let lines: [SentenceFolding.Line] =
            isWhole ? sentences.map { .sentence($0) } : SentenceFolding(sentences).lines
        let rows = lines.map { [seconds($0.at), $0.component ?? "", $0.words] }
        return TextTable(rows, rightAligned: [0]).lines
    }

    /// The JSON form: sorted keys, a sentence a line.
    ///
    /// - Throws: What the encoder throws.
    public var json: Data {
        get throws {
            struct Line: Encodable {
                struct Cause: Encodable {
                    var atNanoseconds: Int64
                    var text: String
                }
                var atNanoseconds: Int64
                var component: String?
                var cause: Cause?
                var sinceCauseNanoseconds: Int64?
                var text: String
            }
            struct Head: Encodable {
                var about: SampleList.Told?
                var digest: String
                var scenario: String
                var schemaVersion = 1
                var seed: UInt64
            }
            let encoder = JSONEncoder.repeatable
            let head = Head(
                about: samples?.told,
                digest: digest.description,
                scenario: scenario,
                seed: seed
            )
            var data = Data(try encoder.encode(head).dropLast())
            data += Data(",\"sentences\":[".utf8)
            for (index, sentence) in sentences.enumerated() {
                let cause = sentence.cause.map {
                    Line.Cause(atNanoseconds: $0.at.nanoseconds, text: $0.text)
                }
                let line = Line(
                    atNanoseconds: sentence.at.nanoseconds,
                    component: sentence.component,
                    cause: cause,
                    sinceCauseNanoseconds: sentence.sinceCause,
                    text: sentence.text
                )
                data += Data((index == 0 ? "\n" : ",\n").utf8) + (try encoder.encode(line))
            }
            return data + Data("\n]}\n".utf8)
        }
    }

    static func seconds(_ instant: Instant) -> String {
        let milliseconds = instant.nanoseconds / 1_000_000
        let fraction = String(milliseconds % 1_000)
        let zeros = String(repeating: "0", count: 3 - fraction.count)
        return "\(milliseconds / 1_000).\(zeros)\(fraction) s"
    }
}
