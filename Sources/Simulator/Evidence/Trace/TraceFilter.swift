public import SansIO

/// Which records to keep; an empty filter keeps all.
public struct TraceFilter: Sendable, Equatable {
    /// The components to keep, a phone with its apps; none named means all.
    public var components: [NamePattern] = []
    /// Whether a record is also kept when only its subject matches `components`.
    public var includesSubjects = false
    /// The kinds to keep, such as `frame.*`; none named means all.
    public var kinds: [NamePattern] = []
    /// The finest level to keep.
    public var level: TraceLevel = .media
    /// The first instant to keep, if bounded.
    public var from: Instant?
    /// The instant from which on nothing is kept, if bounded.
    public var until: Instant?

    /// Makes a filter that keeps everything.
    public init() {}

    /// The trace of the kept records, in their order, over the same directory.
    public func apply(to trace: RecordedTrace) -> RecordedTrace {
        let isComponentKept = trace.directory.names.map { name in
            Self.keeps(name, components)
                || TraceDirectory.owner(of: name).map { Self.keeps($0, components) } ?? false
        }
        let isNobodyKept = components.isEmpty
        let isKindKept = KindTable(trace.directory.forms) {
            $0.text.level <= level && Self.keeps($0.text.name, kinds)
        }
        func isKept(_ index: ComponentIndex) -> Bool {
            index == .none ? isNobodyKept : isComponentKept[Int(index.index)]
        }
        var kept = trace
        kept.records = trace.records.filter { record in
            guard isKindKept[record.kind] else { return false }
            if let from, record.instant < from { return false }
            if let until, record.instant >= until { return false }
            return isKept(record.component) || includesSubjects && isKept(record.subject)
        }
        return kept
    }

    private static func keeps(_ name: String, _ patterns: [NamePattern]) -> Bool {
        patterns.isEmpty || patterns.contains { $0.matches(name) }
    }
}
