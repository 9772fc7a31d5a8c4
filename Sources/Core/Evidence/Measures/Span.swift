/// A stretch of time in nanoseconds: from its start up to, but not including, its end.
package struct Span: Equatable, Sendable {
    /// Before every instant of a run, and far enough from the edge to be subtracted.
    package static let past: Int64 = -(1 << 61)
    /// After every instant of a run.
    package static let future: Int64 = 1 << 61

    package var start: Int64
    package var end: Int64

    package init(start: Int64, end: Int64) {
        self.start = start
        self.end = end
    }

    package var length: Int64 { end - start }
    package var isEmpty: Bool { end <= start }

    /// What both have in common; empty if nothing.
    package func intersection(_ other: Span) -> Span {
        Span(start: max(start, other.start), end: min(end, other.end))
    }
}

/// A set of instants, kept as ordered stretches that neither touch nor are empty.
package struct Spans: Equatable, Sendable {
    package private(set) var all: [Span] = []

    /// The set of all instants of `spans`, in any order.
    package init(_ spans: [Span] = []) {
        for span in spans.sorted(by: { $0.start < $1.start }) where !span.isEmpty {
            if let last = all.indices.last, span.start <= all[last].end {
                all[last].end = max(all[last].end, span.end)
            } else {
                all.append(span)
            }
        }
    }

    /// The time that the stretches last together.
    package var length: Int64 { all.reduce(0) { $0 + $1.length } }

    package func contains(_ instant: Int64) -> Bool {
        all.contains { $0.start <= instant && instant < $0.end }
    }

    package func union(_ other: Spans) -> Spans {
        Spans(all + other.all)
    }

    package func intersection(_ span: Span) -> Spans {
        Spans(all.map { $0.intersection(span) })
    }

    package func intersection(_ other: Spans) -> Spans {
        var common: [Span] = []
        var first = 0
        for span in all {
            while first < other.all.count, other.all[first].end <= span.start { first += 1 }
            var index = first
            while index < other.all.count, other.all[index].start < span.end {
                common.append(span.intersection(other.all[index]))
                index += 1
            }
        }
        return Spans(common)
    }

    /// What of this set is not in `other`.
    package func subtracting(_ other: Spans) -> Spans {
        Spans(all.flatMap { other.complement(in: $0).all })
    }

    /// What of `span` is not in this set.
    package func complement(in span: Span) -> Spans {
        var rest: [Span] = []
        var from = span.start
        for hole in all where hole.end > span.start && hole.start < span.end {
            rest.append(Span(start: from, end: hole.start))
            from = hole.end
        }
        rest.append(Span(start: from, end: span.end))
        return Spans(rest)
    }
}
