@testable import KodamaEvidence
@testable import KodamaIntercom
import SansIO
import Testing

@Suite("Systems that bring records of their own")
struct SystemsTests {
    /// A phone heard from another.
    struct Pinged: TraceForm {
        var roundTripNanoseconds: Int64

        static var kind: TraceKind { TraceKind(.ping, 0) }
        static let text = TraceFormText(
            "ping.heard",
            .control,
            "An echo came back.",
            "round_trip_ns"
        )
    }

    private static let more = Systems.shipped + [.ping]

    private func trace(_ systems: Systems) -> RecordedTrace {
        RecordedTrace(
            scenario: "pings",
            seed: 1,
            directory: TraceDirectory(names: ["a"], systems: systems),
            records: [
                TraceRecord(Pinged(roundTripNanoseconds: 5), at: .ns(7), of: ComponentIndex(0)),
                TraceRecord(RunEnded(), at: .ns(9), of: .none),
            ]
        )
    }

    @Test("A system registered beside the shipped ones is written, read, filtered and digested")
    func toy() throws {
        let trace = trace(Self.more)
        let text = TraceText.write(trace)
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        let words = lines[1].split(separator: " ")
        #expect(words == ["0.000000007", "s", "a", "ping.heard", "-", "round_trip_ns=5"])
        #expect(try TraceText.parse(text, systems: Self.more) == trace)
        #expect(throws: TraceTextError.self) { try TraceText.parse(text, systems: .shipped) }
        var filter = TraceFilter()
        filter.kinds = ["ping.*"]
        #expect(filter.apply(to: trace).records == [trace.records[0]])
        var digest = TraceDigest()
        digest.fold(trace)
        var empty = TraceDigest()
        empty.begin(trace.directory)
        #expect(digest.digest(of: "a") != empty.digest(of: "a"))
    }

    @Test("Its metric and its invariant are listed, measured and judged beside the shipped ones")
    func judged() throws {
        #expect(
            Self.more.metrics.map(\.name) == Systems.shipped.metrics.map(\.name) + ["ping.time"]
        )
        #expect(
            Self.more.invariants.map(\.name)
                == Array(Systems.shipped.invariants.map(\.name).dropLast())
                + ["ping.takes-time", "metrics.occasions-add-up"]
        )
        let metric = try #require(Self.more.metrics.last)
        let gate = Gate(
            metric: metric.name,
            in: metric.unit,
            statistic: .maximum,
            comparison: .atMost,
            limit: 5
        )
        func judgement(_ roundTrips: Int64...) -> Judgement {
            var trace = trace(Self.more)
            let pings = roundTrips.map {
                TraceRecord(Pinged(roundTripNanoseconds: $0), at: .ns(7), of: ComponentIndex(0))
            }
            trace.records.replaceSubrange(0..<1, with: pings)
            let meter = RunMeter.of(trace)
            #expect(meter.metrics.map(\.name) == Self.more.metrics.map(\.name))
            #expect(meter.invariants.map(\.name) == Self.more.invariants.map(\.name))
            var judge = Judge(gates: [gate], invariants: ["ping.takes-time"])
            judge.add(RunEvidence(seed: 1, metrics: meter.metrics, invariants: meter.invariants))
            return judge.judgement
        }
        let passed = judgement(3, 5)
        #expect(passed.isGreen)
        #expect(passed.gates[0].ruleText == "max <= 5ns")
        #expect(passed.gates[0].samples == 2)
        #expect(judgement(3, 6).gates[0].verdict == .fail)
        #expect(judgement().verdict == .noData)
        let broken = try #require(judgement(5, 0).invariants.first?.result)
        #expect(broken.violationCount == 1)
        #expect(broken.violations.map(\.position) == [1])
        #expect(broken.violations[0].line.contains("ping.heard"))
    }

    @Test("The order in which systems are registered shows nowhere")
    func order() {
        let turned = Systems([.ping]) + EvidenceSystem.shipped.reversed()
        #expect(
            turned.forms.entries.map(\.text.name) == Self.more.forms.entries.map(\.text.name)
        )
        #expect(turned.metrics == Self.more.metrics)
        #expect(turned.invariants == Self.more.invariants)
        #expect(TraceText.write(trace(turned)) == TraceText.write(trace(Self.more)))
        var digests = [TraceDigest(), TraceDigest()]
        digests[0].fold(trace(turned))
        digests[1].fold(trace(Self.more))
        #expect(digests[0].run == digests[1].run)
    }

    @Test("A system cannot be registered twice")
    func twice() async {
        await #expect(processExitsWith: .failure) {
            _ = Systems.shipped + [.intercom]
        }
    }

    @Test("Two systems cannot declare metrics of one name")
    func twoMetrics() async {
        await #expect(processExitsWith: .failure) {
            _ = Systems([.ping, EvidenceSystem(SystemID(201), forms: [], meter: PingMeter.self)])
        }
    }
}

/// Measures echoes.
struct PingMeter: SystemMeter {
    private var time = Measure.time("ping.time", "How long each echo took.", "HN-01")
    private var takesTime = Invariant("ping.takes-time", "No echo takes no time.", "HN-01")

    init(_ directory: TraceDirectory) {}

    mutating func record(contentsOf records: [TraceRecord], from position: Int) {
        for (offset, record) in records.enumerated()
        where record.kind == SystemsTests.Pinged.kind {
            let pinged = SystemsTests.Pinged(record)
            time.add(pinged.roundTripNanoseconds, at: Occurrence(record))
            takesTime.check(pinged.roundTripNanoseconds > 0, record, at: position + offset)
        }
    }

    var metrics: [any AnyMeasure] { [time] }

    var invariants: [Invariant] { [takesTime] }
}

extension SystemID {
    static var ping: SystemID { SystemID(200) }
}

extension EvidenceSystem {
    static let ping = EvidenceSystem(
        .ping,
        forms: [SystemsTests.Pinged.self],
        meter: PingMeter.self
    )
}
