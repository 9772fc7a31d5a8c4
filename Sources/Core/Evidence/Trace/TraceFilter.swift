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
    /// Kinds near whose records records are kept; none named means everywhere.
    public var around: [NamePattern] = []
    /// How near: so long before and after.
    public var margin: Duration = .seconds(1)

    /// Makes a filter that keeps everything.
    public init() {}

    /// The finest level that a trace must have for this filter to find what it looks for.
    public func recordedLevel(_ systems: Systems) -> TraceLevel {
        let sought = systems.forms.entries.map(\.text).filter { text in
            around.contains { $0.matches(text.name) }
        }
        return sought.map(\.level).reduce(level, max)
    }

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
        func isSubject(_ record: TraceRecord) -> Bool {
            isKept(record.component) || includesSubjects && isKept(record.subject)
        }
        let windows = windows(in: trace, isSubject)
        var next = windows.startIndex
        var kept = trace
        kept.records = trace.records.filter { record in
            if !around.isEmpty {
                while next < windows.endIndex, windows[next].end < record.instant.nanoseconds {
                    next += 1
                }
                guard next < windows.endIndex, windows[next].start <= record.instant.nanoseconds
                else { return false }
            }
            guard isKindKept[record.kind] else { return false }
            if let from, record.instant < from { return false }
            if let until, record.instant >= until { return false }
            return isSubject(record)
        }
        return kept
    }

    /// The stretches, in order, that are near enough to a record of a sought kind.
    private func windows(
        in trace: RecordedTrace,
        _ isSubject: (TraceRecord) -> Bool
    ) -> [Span] {
        guard !around.isEmpty else { return [] }
        let isSought = KindTable(trace.directory.forms) { Self.keeps($0.text.name, around) }
        // Any reach beyond the longest run comes to the same.
        let reach = min(margin.wholeNanoseconds, 1 << 60)
        return trace.records.filter { isSought[$0.kind] && isSubject($0) }.map {
            Span(start: $0.instant.nanoseconds - reach, end: $0.instant.nanoseconds + reach)
        }
    }

    private static func keeps(_ name: String, _ patterns: [NamePattern]) -> Bool {
        patterns.isEmpty || patterns.contains { $0.matches(name) }
    }
}
