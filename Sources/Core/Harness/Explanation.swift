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

    /// Runs a seed and explains it.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - scenario: The scenario's name.
    /// - Throws: What kept the world from being built or run.
    public init(of run: SingleRun, scenario: String) throws(WorldError) {
        var sinks = SinkPair(RunNarrator(), TraceDigest())
        try run.run(into: &sinks)
        self.scenario = scenario
        seed = run.seed
        digest = sinks.second.run
        sentences = sinks.first.sentences.map { run.plan.completed($0) }
    }

    /// The text form: instants since the run's beginning, the component, what happens.
    public var text: String {
        let names = sentences.map { $0.component ?? "" }
        let times = sentences.map { Self.seconds($0.at) }
        let timeWidth = times.map(\.count).max() ?? 0
        let nameWidth = names.map(\.count).max() ?? 0
        var lines = ["\(scenario), seed \(seed), digest \(digest)", ""]
        for (index, sentence) in sentences.enumerated() {
            let time = String(repeating: " ", count: timeWidth - times[index].count) + times[index]
            let name =
                names[index] + String(repeating: " ", count: nameWidth - names[index].count)
            lines.append("\(time)  \(name)  \(sentence.line)")
        }
        return lines.joined(separator: "\n")
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
                var digest: String
                var scenario: String
                var schemaVersion = 1
                var seed: UInt64
            }
            let encoder = JSONEncoder.repeatable
            let head = Head(digest: digest.description, scenario: scenario, seed: seed)
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

    private static func seconds(_ instant: Instant) -> String {
        let milliseconds = instant.nanoseconds / 1_000_000
        let fraction = String(milliseconds % 1_000)
        let zeros = String(repeating: "0", count: 3 - fraction.count)
        return "\(milliseconds / 1_000).\(zeros)\(fraction) s"
    }
}
