/// Gives a sink the records up to a level, and keeps finer ones from it.
public struct CoarseSink<Sink: TraceSink>: TraceSink {
    /// The sink.
    public private(set) var sink: Sink
    private let level: TraceLevel
    private var isFiner = KindTable<Bool>()

    /// Wraps a sink that takes records of `level` and of all coarser levels.
    public init(_ sink: Sink, level: TraceLevel) {
        self.sink = sink
        self.level = level
    }

    /// Gives the directory on.
    public mutating func begin(_ directory: TraceDirectory) {
        isFiner = KindTable(directory.forms) { [level] in $0.text.level > level }
        sink.begin(directory)
    }

    /// Gives the record on if it is no finer than the level.
    public mutating func record(_ record: TraceRecord) {
        guard !isFiner[record.kind] else { return }
        sink.record(record)
    }

    /// Gives the records on that are no finer than the level.
    public mutating func record(contentsOf records: [TraceRecord]) {
        sink.record(contentsOf: records.filter { !isFiner[$0.kind] })
    }
}

extension CoarseSink: Sendable where Sink: Sendable {}
