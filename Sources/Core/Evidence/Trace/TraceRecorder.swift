/// A run's trace with what identifies it.
public struct RecordedTrace: Sendable, Equatable {
    /// The scenario's name.
    public var scenario: String
    /// The run's seed.
    public var seed: UInt64
    /// The names of the components.
    public var directory: TraceDirectory
    /// The records, in the order in which they happened.
    public var records: [TraceRecord]

    /// Makes a trace.
    public init(
        scenario: String,
        seed: UInt64,
        directory: TraceDirectory = TraceDirectory(names: [], systems: .core),
        records: [TraceRecord] = []
    ) {
        self.scenario = scenario
        self.seed = seed
        self.directory = directory
        self.records = records
    }
}

/// Keeps a run's records up to a level.
public struct TraceRecorder: TraceSink, Sendable {
    /// What was recorded so far.
    public private(set) var trace: RecordedTrace
    private let level: TraceLevel
    private var isKept = KindTable<Bool>()

    /// Makes a recorder that keeps records of `level` and of all coarser levels.
    public init(scenario: String, seed: UInt64, level: TraceLevel = .media) {
        trace = RecordedTrace(scenario: scenario, seed: seed)
        self.level = level
    }

    /// Starts a new trace over `directory`.
    public mutating func begin(_ directory: TraceDirectory) {
        trace.directory = directory
        isKept = KindTable(directory.forms) { [level] in $0.text.level <= level }
        trace.records.removeAll(keepingCapacity: true)
    }

    /// Keeps the record if its level asks for it.
    public mutating func record(_ record: TraceRecord) {
        guard isKept[record.kind] else { return }
        trace.records.append(record)
    }
}
