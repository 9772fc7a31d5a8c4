import Evidence
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
            ["round_trip_ns"],
            "An echo came back."
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
        #expect(words == ["7", "a", "ping.heard", "-", "round_trip_ns=5"])
        #expect(try TraceText.parse(text, systems: Self.more) == trace)
        #expect(throws: TraceTextError.self) { try TraceText.parse(text) }
        var filter = TraceFilter()
        filter.kinds = ["ping.*"]
        #expect(filter.apply(to: trace).records == [trace.records[0]])
        var digest = TraceDigest()
        digest.fold(trace)
        var empty = TraceDigest()
        empty.begin(trace.directory)
        #expect(digest.digest(of: "a") != empty.digest(of: "a"))
        var meter = RunMeter()
        meter.fold(trace)
        #expect(meter.metrics.count == MetricCatalog.all.count)
    }

    @Test("The order in which systems are registered shows nowhere")
    func order() {
        let turned = Systems([.ping]) + EvidenceSystem.shipped.reversed()
        #expect(
            turned.forms.entries.map(\.text.name) == Self.more.forms.entries.map(\.text.name)
        )
        #expect(TraceText.write(trace(turned)) == TraceText.write(trace(Self.more)))
        var digests = [TraceDigest(), TraceDigest()]
        digests[0].fold(trace(turned))
        digests[1].fold(trace(Self.more))
        #expect(digests[0].run == digests[1].run)
    }

    @Test("A system cannot be registered twice")
    func twice() async {
        await #expect(processExitsWith: .failure) {
            _ = Systems.shipped + [.voice]
        }
    }
}

extension SystemID {
    static var ping: SystemID { SystemID(200) }
}

extension EvidenceSystem {
    static let ping = EvidenceSystem(.ping, forms: [SystemsTests.Pinged.self])
}
