@testable import KodamaEvidence
@testable import KodamaIntercom
import SansIO

/// Puts together small traces by hand; times are in milliseconds unless the name says otherwise.
struct TraceBuilder {
    private(set) var names: [String]
    private(set) var records: [TraceRecord] = []

    init(_ names: [String]) {
        self.names = names
    }

    var directory: TraceDirectory { TraceDirectory(names: names, systems: .shipped) }

    /// The records in the order of their instants; those of one instant stay in the order added.
    var sorted: [TraceRecord] {
        records.enumerated()
            .sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
            .map(\.element)
    }

    /// The trace of `sorted`.
    var trace: RecordedTrace {
        RecordedTrace(scenario: "hand-made", seed: 1, directory: directory, records: sorted)
    }

    /// The trace of a run that ended then: nothing comes after.
    func trace(until milliseconds: Int64) -> RecordedTrace {
        var builder = self
        builder.end(at: milliseconds)
        var trace = builder.trace
        trace.records.removeAll { $0.instant.nanoseconds > milliseconds * 1_000_000 }
        return trace
    }

    mutating func add(
        _ form: some TraceForm,
        at milliseconds: Int64,
        _ component: String,
        _ subject: String? = nil
    ) {
        add(form, atNanoseconds: milliseconds * 1_000_000, component, subject)
    }

    mutating func add(
        _ form: some TraceForm,
        atNanoseconds nanoseconds: Int64,
        _ component: String,
        _ subject: String? = nil
    ) {
        records.append(
            TraceRecord(
                form,
                at: .ns(nanoseconds),
                of: index(component),
                about: subject.map(index) ?? .none
            )
        )
    }

    mutating func end(at milliseconds: Int64) {
        records.append(TraceRecord(RunEnded(), at: .ns(milliseconds * 1_000_000), of: .none))
    }

    private func index(_ name: String) -> ComponentIndex {
        guard let index = names.firstIndex(of: name) else {
            preconditionFailure("no component is called \(name)")
        }
        return ComponentIndex(index)
    }
}

extension Instant {
    /// The instant so many nanoseconds after the start.
    static func ns(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }
}

extension TraceRecord {
    /// Its values, if it is of this form.
    func read<Form: TraceForm>(_ form: Form.Type) -> Form? {
        kind == Form.kind ? Form(self) : nil
    }

    /// Changes its values, and with them its kind if another form is given.
    mutating func write(_ form: some TraceForm) {
        self = TraceRecord(form, at: instant, of: component, about: subject)
    }

    /// Changes some of its values; it must be of this form.
    mutating func change<Form: TraceForm>(_ form: Form.Type, _ change: (inout Form) -> Void) {
        var values = Form(self)
        change(&values)
        write(values)
    }
}

extension TraceSink {
    /// Feeds a whole trace.
    mutating func fold(_ trace: RecordedTrace) {
        begin(trace.directory)
        for record in trace.records {
            self.record(record)
        }
    }
}

extension RunMeter {
    /// The meter that has measured a trace.
    static func of(_ trace: RecordedTrace) -> RunMeter {
        var meter = RunMeter()
        meter.fold(trace)
        return meter
    }
}

extension Systems {
    /// The shipped systems but sessions.
    static let withoutSessions = Systems([.world, .people, .phone, .network, .intercom])

    /// The metrics of sessions.
    static var sessionMetrics: [MetricDescription] {
        shipped.metrics.filter { !withoutSessions.metrics.contains($0) }
    }
}

/// The results of a trace by name.
struct Findings {
    private let results: [MetricResult]
    /// Whether every occasion of every metric ended once, and was excluded for declared reasons alone.
    let addsUp: Bool

    init(_ trace: RecordedTrace) {
        let evidence = RunMeter.of(trace).evidence(seed: 0)
        results = evidence.metrics
        addsUp = evidence.invariants.allSatisfy {
            $0.name != InvariantDescription.occasionsAddUp.name || $0.violationCount == 0
        }
    }

    func value(_ name: String) -> MetricValue? {
        results.first { $0.name == name }?.known
    }

    /// What was found without what was open.
    func ended(_ name: String) -> MetricValue? {
        results.first { $0.name == name }?.value
    }

    /// What became of a metric's occasions.
    func occasions(_ name: String) -> Occasions? {
        results.first { $0.name == name }?.occasions
    }

    /// The samples of a distribution, each as its bucket's upper edge, in milliseconds.
    func milliseconds(_ name: String) -> [Double]? {
        guard case .distribution(let distribution) = value(name) else { return nil }
        return distribution.buckets.flatMap { edge, count in
            Array(repeating: Double(edge) / 1_000_000, count: count)
        }
    }

    func distribution(_ name: String) -> Distribution? {
        guard case .distribution(let distribution) = value(name) else { return nil }
        return distribution
    }

    /// Numerator and denominator of a proportion.
    func proportion(_ name: String) -> [Int64]? {
        guard case .proportion(let proportion) = value(name) else { return nil }
        return [proportion.numerator, proportion.denominator]
    }

    func total(_ name: String) -> Int64? {
        guard case .count(let tally) = value(name) else { return nil }
        return tally.total
    }
}
