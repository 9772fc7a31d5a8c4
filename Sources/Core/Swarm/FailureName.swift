package import KodamaEvidence

/// What failed in a run: an invariant, or a gate by its metric and figure.
///
/// Two failures of one name are the same.
public struct FailureName: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
    /// The invariant, or the gate's metric.
    public var name: String
    /// The gate's rule, such as `max <= 2s`; `nil` for an invariant.
    public var rule: String?

    /// Names a failure.
    public init(_ name: String, rule: String? = nil) {
        self.name = name
        self.rule = rule
    }

    /// Names the failure of a gate: whichever samples it bounds, and however sure it must be.
    package init(_ gate: Gate) {
        var plain = gate
        (plain.scope, plain.warningLimit, plain.confidence) = (nil, nil, nil)
        self.init(gate.metric, rule: plain.ruleText)
    }

    /// A run in which something answers itself without end.
    static let livelock = FailureName("livelock")
    /// A world whose scenario does not load: a mistake in how worlds are drawn.
    static let unsound = FailureName("unsound")
    /// A run that ends its program.
    public static let crash = FailureName("crash")
    /// A run that takes longer than any may.
    public static let endless = FailureName("endless")

    /// Whether it is the run itself that fails, for which a scenario has no word.
    var isOfRun: Bool { [.livelock, .unsound, .crash, .endless].contains(self) }

    /// The name, with the rule behind it.
    public var description: String {
        isOfRun ? name : rule.map { "\(name) \($0)" } ?? "\(name) always"
    }

    /// Orders failures by name and rule.
    public static func < (left: FailureName, right: FailureName) -> Bool {
        (left.name, left.rule ?? "") < (right.name, right.rule ?? "")
    }
}

/// A failure of one run, with what is known of its moment.
public struct RunFailure: Sendable, Hashable, Codable {
    /// What failed.
    public var name: FailureName
    /// When it first showed, in nanoseconds since the run's beginning, if that is known.
    public var instant: Int64?
    /// The value found, or the line of the trace that broke the invariant.
    public var finding: String
    /// Which kind of record about which role shows it, if one does: another is another failure.
    public var kind: String?

    package init(name: FailureName, instant: Int64?, finding: String, kind: String? = nil) {
        self.name = name
        self.instant = instant
        self.finding = finding
        self.kind = kind
    }

    /// Describes a run that had no end of its own.
    public init(of name: FailureName, _ finding: String) {
        self.init(name: name, instant: nil, finding: finding)
    }

    /// Whether another run fails alike: in the same, and as far as is known for the like.
    func isLike(_ other: RunFailure) -> Bool {
        name == other.name && (kind == nil || other.kind == nil || kind == other.kind)
    }
}

extension RunFailure {
    /// Everything that failed in a run, the earliest first; what has no moment comes last.
    static func all(in judgement: Judgement) -> [RunFailure] {
        let broken = judgement.invariants.filter { $0.verdict == .fail }.map { invariant in
            let first = invariant.result.violations.first
            return RunFailure(
                name: FailureName(invariant.result.name),
                instant: first?.instant,
                finding: (first?.line ?? "").split(separator: " ").joined(separator: " "),
                kind: first.map { kind(of: $0.line) }
            )
        }
        let missed = judgement.gates.filter { $0.verdict == .fail }.map { gate in
            RunFailure(
                name: FailureName(gate.gate),
                instant: gate.worst?.sample?.from,
                finding: gate.texts.value,
                kind: gate.worst?.sample?.cause.map(kind)
            )
        }
        return (broken + missed).sorted {
            ($0.instant ?? .max, $0.name) < ($1.instant ?? .max, $1.name)
        }
    }

    /// The role and the kind of record in a line of the trace: instant, unit, component, kind, subject, fields.
    private static func kind(of line: String) -> String {
        let words = line.split(separator: " ")
        guard words.count > 3 else { return line }
        let role = words[2].split(separator: ".").dropFirst().last ?? ""
        return "\(role) \(words[3])"
    }
}
