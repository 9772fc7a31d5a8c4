@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaNetwork
@testable import KodamaWorld
import SansIO
import Testing

@Suite("Everything that travels is counted, and recorded for who asks")
struct PacketRecordTests {
    /// Half a minute of a session whose signalling is filtered for a while, beside two phones that talk
    /// by radio.
    private static func plan() -> WorldPlan {
        var plan = WorldPlan.session(.sized, lasting: .seconds(30))
        plan.at(.seconds(8), .phone(.block(nil, .signalling, lasting: .seconds(4))))
        return plan
    }

    /// A run that recorded all packets: its trace, and the digest of what was coarser.
    private static func recorded(
        _ plan: WorldPlan
    ) throws -> (trace: RecordedTrace, digest: TraceDigest) {
        var world = try World(plan: plan, seed: 1, material: nil, recordsPackets: true)
        var sink = SinkPair(
            TraceRecorder(scenario: plan.name, seed: 1, level: .packets),
            CoarseSink(TraceDigest(), level: .media)
        )
        try world.run(into: &sink)
        return (sink.first.trace, sink.second.sink)
    }

    @Test("A run whose packets are recorded is the run that it is without (HN-01)")
    func sameRun() throws {
        let plain = try WorldRun(Self.plan())
        let (trace, digest) = try Self.recorded(Self.plan())
        #expect(digest.run == plain.digest.run)
        #expect(trace.records.filter { $0.kind != PacketCarried.kind } == plain.trace.records)
        #expect(!plain.trace.records.contains { $0.kind == PacketCarried.kind })
    }

    @Test("What the links say at the end is the sum of the packets that they were given (HN-01)")
    func sums() throws {
        let (trace, _) = try Self.recorded(Self.plan())
        var packets: [ComponentIndex: Int64] = [:]
        var bytes: [ComponentIndex: Int64] = [:]
        var dropped: [ComponentIndex: Int64] = [:]
        for record in trace.records where record.kind == PacketCarried.kind {
            let packet = PacketCarried(record)
            packets[record.component, default: 0] += 1
            bytes[record.component, default: 0] += packet.bytes
            let arrives = packet.fate.value == .delivered || packet.fate.value == .duplicated
            if !arrives { dropped[record.component, default: 0] += 1 }
            #expect(packet.arrives > record.instant || !arrives)
        }
        let carried = trace.records.filter { $0.kind == LinkCarried.kind }
        #expect(carried.count == 4, "two radios, two directions each")
        for record in carried {
            let sum = LinkCarried(record)
            packets[record.component, default: 0] -= sum.packets
            bytes[record.component, default: 0] -= sum.bytes
            dropped[record.component, default: 0] -= sum.dropped
        }
        for sums in [packets, bytes, dropped] { #expect(sums.values.allSatisfy { $0 == 0 }) }
    }

    @Test("What each radio sent is a sample, and all of them are what the phones sent (HN-01)")
    func radios() throws {
        let run = try WorldRun(Self.plan())
        guard case .distribution(let radios) = run.metric("network.up.radio.bytes") else {
            Issue.record("the metric has no samples")
            return
        }
        #expect(radios.count == 2)
        #expect(radios.sum == run.count("network.up.bytes"))
    }

    @Test("A packet that a filter takes is counted and recorded as blocked")
    func blocked() throws {
        let (trace, _) = try Self.recorded(Self.plan())
        let blocked = trace.records.filter {
            $0.kind == PacketCarried.kind && PacketCarried($0).fate.value == .blocked
        }
        #expect(!blocked.isEmpty)
        #expect(blocked.allSatisfy { PacketCarried($0).cargo.value == .stream })
        #expect(blocked.allSatisfy { (8..<12).contains($0.instant.nanoseconds / 1_000_000_000) })
        let run = try WorldRun(Self.plan())
        guard case .proportion(let share) = run.metric("network.packets.dropped") else {
            Issue.record("the metric is no share")
            return
        }
        #expect(share.numerator == Int64(blocked.count))
    }
}
