import Foundation

/// The JSON files that commands leave, told apart by the keys at their top.
///
/// An error about a file of the wrong kind names the kind that it is.
enum ResultFile: CaseIterable {
    case report
    case manifest
    case capsule
    case shard
    case comparison
    case explanation
    case odds

    /// Recognizes a file; `nil` if it is none of them.
    init?(_ data: Data) {
        guard let top = try? JSONDecoder().decode(TopLevel.self, from: data),
            let kind = Self.allCases.first(where: { top.keys.isSuperset(of: $0.keys) })
        else { return nil }
        self = kind
    }

    /// Keys that no other has together.
    private var keys: [String] {
        switch self {
        case .report: ["schemaVersion", "scenarios"]
        case .manifest: ["command", "configuration", "build"]
        case .capsule: ["capsule", "digest"]
        case .shard: ["shard", "outcomes"]
        case .comparison: ["marginPartsPerMillion", "verdict"]
        case .explanation: ["sentences", "digest"]
        case .odds: ["forkCount", "digest"]
        }
    }

    /// What it is called, with the command that makes it.
    var name: String {
        switch self {
        case .report: "report of 'kodama run --json'"
        case .manifest: "manifest of 'kodama run --output'"
        case .capsule: "capsule of 'kodama run --capsules'"
        case .shard: "shard of 'kodama run --shard'"
        case .comparison: "comparison of 'kodama compare --json'"
        case .explanation: "explanation of 'kodama explain --json'"
        case .odds: "answer of 'kodama why --json'"
        }
    }

    /// What stands before the name.
    fileprivate var article: String {
        switch self {
        case .explanation, .odds: "an"
        case .report, .manifest, .capsule, .shard, .comparison: "a"
        }
    }

    /// What can be done with it.
    fileprivate var use: String? {
        switch self {
        case .report: "'kodama report' renders it"
        case .manifest: "the report lies beside it, in report.json"
        case .capsule: "'kodama replay' repeats it"
        case .shard: "'kodama merge' joins shards into a report"
        case .comparison, .explanation, .odds: nil
        }
    }

    /// The keys of an object.
    private struct TopLevel: Decodable {
        private struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }

            init?(intValue: Int) { nil }
        }

        var keys: Set<String>

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            keys = Set(container.allKeys.map(\.stringValue))
        }
    }
}

extension ReportError {
    /// Says that a file is not what is wanted, and what it is, if that is known.
    init(_ data: Data, isNo wanted: ResultFile) {
        self.init("this is no \(wanted.name)")
        guard let kind = ResultFile(data), kind != wanted else { return }
        let use = kind.use.map { "; \($0)" } ?? ""
        description += ", but \(kind.article) \(kind.name)\(use)"
    }
}
