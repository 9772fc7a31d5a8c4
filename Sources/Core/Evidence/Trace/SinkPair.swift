/// Gives every record to two sinks, the first one first.
///
/// Pairs nest, so any number of sinks compose without an existential on the hot path.
@frozen
public struct SinkPair<First: TraceSink, Second: TraceSink>: TraceSink {
    /// The sink that takes each record first.
    public var first: First
    /// The sink that takes each record second.
    public var second: Second

    /// Joins two sinks.
    @inlinable
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    /// Gives the directory to both.
    @inlinable
    public mutating func begin(_ directory: TraceDirectory) {
        first.begin(directory)
        second.begin(directory)
    }

    /// Gives the record to both.
    @inlinable
    public mutating func record(_ record: TraceRecord) {
        first.record(record)
        second.record(record)
    }

    /// Gives the records to both.
    @inlinable
    public mutating func record(contentsOf records: [TraceRecord]) {
        first.record(contentsOf: records)
        second.record(contentsOf: records)
    }
}

extension SinkPair: Sendable where First: Sendable, Second: Sendable {}

/// A sink that is there or not: without one, records are dropped.
extension Optional: TraceSink where Wrapped: TraceSink {
    /// Gives the directory to the sink, if there is one.
    public mutating func begin(_ directory: TraceDirectory) { self?.begin(directory) }

    /// Gives the record to the sink, if there is one.
    public mutating func record(_ record: TraceRecord) { self?.record(record) }

    /// Gives the records to the sink, if there is one.
    public mutating func record(contentsOf records: [TraceRecord]) {
        self?.record(contentsOf: records)
    }
}
