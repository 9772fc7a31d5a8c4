public import Foundation
import KodamaEvidence
package import KodamaLanguage

/// What a swarm has run so far: enough to go on where it ended.
public struct SwarmLedger: Sendable, Codable {
    /// Raised when the form, or what a seed draws, changes.
    public static let currentVersion = 2

    /// The version of the form.
    public var swarm = SwarmLedger.currentVersion
    /// The systems whose apps are drawn.
    public var systems: [String]
    /// The build that ran the worlds: another one's worlds are other worlds.
    public var build: String
    /// The worlds, in the order of their seeds.
    public var rows: [Row] = []

    /// One world.
    public struct Row: Sendable, Codable {
        /// Its seed.
        public var seed: UInt64
        /// Its run's digest.
        public var digest: String
        /// What failed, the earliest first.
        public var failures: [RunFailure]
        /// What the world has: apps, acts and kinds of faults.
        public var conditions: [String]
        /// The pairs that no earlier world had, in hexadecimal digits.
        public var newPairs: [String]

        package init(
            seed: UInt64,
            digest: String,
            failures: [RunFailure],
            conditions: [String],
            newPairs: [String]
        ) {
            self.seed = seed
            self.digest = digest
            self.failures = failures
            self.conditions = conditions
            self.newPairs = newPairs
        }
    }

    /// Begins without a world.
    public init(systems: [String], build: String) {
        self.systems = systems
        self.build = build
    }

    /// The pairs that the worlds so far had.
    package var pairs: Set<UInt64> {
        Set(rows.flatMap(\.newPairs).compactMap { UInt64($0, radix: 16) })
    }

    /// Adds a world.
    mutating func add(_ world: SwarmRun.Finished, known: inout Set<UInt64>) -> Row {
        let new = world.run.pairs.subtracting(known).sorted()
        known.formUnion(new)
        let row = Row(
            seed: world.seed,
            digest: world.run.digest.description,
            failures: world.run.failures,
            conditions: world.document.conditions,
            newPairs: new.map { String($0, radix: 16) }
        )
        rows.append(row)
        return row
    }

    /// How many pairs were known after so many worlds: 1, 2, 5, 10 and so on, and all.
    public var curve: [(worldCount: Int, pairCount: Int)] {
        var marks: [Int] = []
        var decade = 1
        while decade < rows.count {
            marks += [1, 2, 5].map { $0 * decade }.filter { $0 < rows.count }
            decade *= 10
        }
        if !rows.isEmpty { marks.append(rows.count) }
        return marks.map { mark in (mark, rows.prefix(mark).reduce(0) { $0 + $1.newPairs.count }) }
    }

    /// The file's bytes, the same for equal ledgers: what was run, then a line for each world.
    public var lines: Data {
        get throws {
            var head = self
            head.rows = []
            return try rows.reduce(Self.line(head)) { try $0 + $1.line }
        }
    }

    /// Reads a file's bytes; a last line that was not written whole is left out, and `nil` if it is no such file.
    public init?(lines: Data) {
        let parts = lines.split(separator: UInt8(ascii: "\n"))
        let decoder = JSONDecoder()
        guard let head = parts.first,
            let ledger = try? decoder.decode(SwarmLedger.self, from: head),
            ledger.swarm == Self.currentVersion
        else { return nil }
        self = ledger
        for part in parts.dropFirst() {
            guard let row = try? decoder.decode(Row.self, from: part) else { break }
            rows.append(row)
        }
    }

    fileprivate static func line(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value) + Data("\n".utf8)
    }
}

extension SwarmLedger.Row {
    /// Its line of the file.
    public var line: Data {
        get throws { try SwarmLedger.line(self) }
    }
}

extension DocumentNode {
    /// What a world has that may bring about a failure: apps, acts of the storm and kinds of faults, sorted.
    package var conditions: [String] {
        var found: Set<String> = []
        for phone in self[key: "phones"]?.elements ?? [] {
            for app in phone[key: "apps"]?.entries ?? [] { found.insert("the \(app.key) app") }
        }
        for entry in self[key: "timeline"]?.elements ?? [] where !isQuiet(entry) {
            guard let act = entry[key: "do"]?.entries.first else { continue }
            let word = ["does", "fault", "as", "by"].compactMap { act.value[key: $0]?.text }
                .first { QuantityKind.duration.amount(of: $0) == nil }
            found.insert(word.map { "\(act.key) \($0)" } ?? act.key)
        }
        for mix in self[key: "faults"]?.elements ?? [] {
            for kind in mix[key: "kinds"]?.entries ?? [] { found.insert("faults \(kind.key)") }
        }
        return found.sorted()
    }

    /// Whether an entry of the timeline is of the quiet phase.
    package func isQuiet(_ entry: DocumentNode) -> Bool {
        guard let begin = self[key: SwarmWorld.quietKey]?.text,
            let quiet = QuantityKind.duration.amount(of: begin),
            let at = entry[key: "at"]?.text.flatMap(QuantityKind.duration.amount)
        else { return false }
        return at >= quiet
    }
}
