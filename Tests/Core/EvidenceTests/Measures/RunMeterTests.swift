@testable import KodamaEvidence
@testable import KodamaIntercom
import Testing

@Suite("Measuring a run")
struct RunMeterTests {
    @Test("However records are cut into batches, the findings are the same", arguments: 1...6)
    func batches(seed: Int) {
        let trace = RandomCall(seed: UInt64(seed)).trace
        let whole = RunMeter.of(trace)
        for length in [2, 7, 1_024, trace.records.count] {
            var meter = RunMeter()
            meter.begin(trace.directory)
            for start in stride(from: 0, to: trace.records.count, by: length) {
                let end = min(start + length, trace.records.count)
                meter.record(contentsOf: Array(trace.records[start..<end]))
            }
            #expect(meter.metrics == whole.metrics)
            #expect(meter.invariants == whole.invariants)
        }
    }

    @Test("A meter used for a second run remembers nothing of the first")
    func afresh() {
        let trace = Timeline(speech: "##", sent: "##", played: "2#").trace
        var meter = RunMeter.of(Timeline(speech: "####", sent: "####", played: "#2##").trace)
        meter.fold(trace)
        let fresh = RunMeter.of(trace)
        #expect(meter.metrics == fresh.metrics)
        #expect(meter.invariants == fresh.invariants)
    }

    @Test("Of many violations the ten earliest are kept, in whatever order they are found")
    func violations() throws {
        var builder = TraceBuilder(["a"])
        for _ in 0..<25 { builder.add(GroupLeft(group: 0), at: 0, "a") }
        let backwards = EvidenceSystem(SystemID(200), forms: [], meter: BackwardsMeter.self)
        var meter = RunMeter()
        meter.begin(TraceDirectory(names: ["a"], systems: Systems.shipped + [backwards]))
        meter.record(contentsOf: builder.records)
        let result = try #require(meter.invariants.first { $0.name == "nothing.happens" })
        #expect(result.checkedCount == 25)
        #expect(result.violationCount == 25)
        #expect(result.violations.map(\.position) == Array(0..<10))
    }

    @Test(
        "The meter of a system that takes no part in a run is given nothing, and its measures stay listed"
    )
    func absent() throws {
        var builder = TraceBuilder(["a"])
        builder.add(GroupLeft(group: 0), at: 0, "a")
        let backwards = EvidenceSystem(SystemID(200), forms: [], meter: BackwardsMeter.self)
        let systems = Systems.shipped + [backwards]
        var meter = RunMeter()
        meter.begin(TraceDirectory(names: ["a"], systems: systems, absent: [SystemID(200)]))
        meter.record(contentsOf: builder.records)
        let result = try #require(meter.invariants.first { $0.name == "nothing.happens" })
        #expect(result.checkedCount == 0)
        #expect(meter.metrics.map(\.name) == systems.metrics.map(\.name))
    }
}

/// Finds fault with every record, the last of a batch first.
private struct BackwardsMeter: SystemMeter {
    private var nothing = Invariant("nothing.happens", "Nothing happens.", "HN-01")

    init(_ directory: TraceDirectory) {}

    mutating func record(contentsOf records: [TraceRecord], from position: Int) {
        for (offset, record) in records.enumerated().reversed() {
            nothing.check(false, record, at: position + offset)
        }
    }

    var invariants: [Invariant] { [nothing] }
}
