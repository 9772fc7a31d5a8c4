import SansIO

/// Measures and checks a run: all metrics and all invariants of the systems that its directory names.
///
/// Every meter is given every record, a batch at a time, but for those of systems that take no part in the run.
/// The world MUST end its run with `run.ended`.
public struct RunMeter: TraceSink, Sendable {
    private var directory = TraceDirectory(names: [], systems: .core)
    private var meters: [any SystemMeter] = []
    /// The places of the meters that are given records.
    private var measuring: [Int] = []
    private var position = 0
    private var end = Instant(nanoseconds: 0)
    private var scopes: ScopeMeter

    /// Makes the meter of a run that has not begun.
    ///
    /// - Parameter scoped: The metrics to measure in part besides, for gates that bound only some samples.
    public init(_ scoped: [ScopedMetric] = []) {
        scopes = ScopeMeter(scoped)
    }

    /// The metrics, in the order of `Systems.metrics`; complete after `run.ended`.
    public var metrics: [MetricResult] { evidence(seed: 0).metrics }

    /// The metrics in their scopes, in the order in which these were given; complete after `run.ended`.
    public var scoped: [ScopedResult] { evidence(seed: 0).scoped }

    /// The invariants, in the order of `Systems.invariants`; complete after `run.ended`.
    public var invariants: [InvariantResult] { evidence(seed: 0).invariants }

    /// All that was found; complete after `run.ended`.
    ///
    /// - Parameter seed: The run's seed.
    /// - Returns: Metrics, invariants, and metrics in their scopes.
    public func evidence(seed: UInt64) -> RunEvidence {
        let lines = TraceLines(directory)
        // What is open is censored.
        let measures = meters.flatMap { $0.metrics.map { $0.ended(at: end) } }
        let metrics = measures.map { $0.result(lines) }
        let occasions = InvariantResult(
            occasionsOf: Array(zip(measures.map { $0.metric }, metrics)),
            at: end.nanoseconds,
            position: position
        )
        return RunEvidence(
            seed: seed,
            metrics: metrics,
            invariants: meters.flatMap { $0.invariants.map { $0.result(lines) } } + [occasions],
            scoped: scopes.results(measures)
        )
    }

    /// The samples of a metric that a scope asks for; complete after `run.ended`.
    public func samples(of metric: String) -> [KeptSample] {
        let measures = meters.flatMap(\.metrics).filter { $0.metric.name == metric }
        return measures.flatMap { $0.ended(at: end).keptSamples(TraceLines(directory)) }
    }

    /// When the window of each scope is open; complete after `run.ended`.
    package var stretches: [GateScope: Span] { scopes.stretches }

    /// Starts afresh.
    public mutating func begin(_ directory: TraceDirectory) {
        self.directory = directory
        meters = ObservationKeeping.$metrics.withValue(scopes.metrics) {
            directory.systems.meters(directory)
        }
        measuring = directory.systems.measuring(directory)
        scopes.begin(directory)
        position = 0
        end = Instant(nanoseconds: 0)
    }

    /// Measures one record.
    public mutating func record(_ record: TraceRecord) {
        self.record(contentsOf: [record])
    }

    /// Measures several records, in order.
    public mutating func record(contentsOf records: [TraceRecord]) {
        for index in measuring {
            meters[index].record(contentsOf: records, from: position)
        }
        scopes.record(contentsOf: records)
        position += records.count
        if let last = records.last { end = last.instant }
    }
}
