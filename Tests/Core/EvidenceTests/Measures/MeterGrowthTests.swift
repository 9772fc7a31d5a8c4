@testable import KodamaCalls
@testable import KodamaEvidence
@testable import KodamaIntercom
import SansIO
import Testing

/// Meters that looked at everybody for each record would take an hour for what takes a second.
@Suite("A record costs a meter what it concerns, not who is there (HN-01)", .timeLimit(.minutes(1)))
struct MeterGrowthTests {
    /// A record of a component at a second.
    private static func record(
        _ form: some TraceForm,
        at second: Int,
        of component: Int,
        about subject: Int? = nil
    ) -> TraceRecord {
        TraceRecord(
            form,
            at: .zero.advanced(by: .seconds(second)),
            of: ComponentIndex(component),
            about: subject.map { ComponentIndex($0) } ?? .none
        )
    }

    private static func end(at second: Int) -> TraceRecord {
        TraceRecord(RunEnded(), at: .zero.advanced(by: .seconds(second)), of: .none)
    }

    @Test("Cards of 500 phones in one group, each of which loses its radio twice (S-UI-001)")
    func cards() {
        let count = 500
        let phones = (0..<count).map { "p\($0)" }
        let names = phones + phones.map { "\($0).intercom" } + phones.map { "\($0)/cellular" }
        let directory = TraceDirectory(names: names + ["match"], systems: .shipped)
        var meter = CardMeter(directory)
        for app in count..<2 * count {
            let identified = MemberIdentified(number: Int64(app))
            meter.record(Self.record(identified, at: 1, of: app))
            meter.record(Self.record(GroupJoined(group: 1), at: 1, of: app))
        }
        for round in 1...2 {
            for radio in 2 * count..<3 * count {
                let down = FaultBegan(fault: .radioDown, parameter: 0)
                meter.record(Self.record(down, at: 2 * round, of: radio))
            }
            for radio in 2 * count..<3 * count {
                let up = FaultBegan(fault: .radioUp, parameter: 0)
                meter.record(Self.record(up, at: 2 * round + 1, of: radio))
            }
        }
        meter.record(Self.end(at: 9))
        let shown = meter.metrics.first { $0.metric.name == "group.card.shown.time" }
        let occasions = shown?.result(TraceLines(directory)).occasions
        #expect(occasions?.censoredCount == count * (count - 1))
    }

    @Test("Headsets of half a million phones (A-F-002)")
    func headsets() {
        let count = 500_000
        let directory = TraceDirectory(names: (0..<count).map { "p\($0)" }, systems: .shipped)
        var meter = PhoneMeter(directory)
        let routed = AudioRouted(
            isAttached: true,
            isUsed: false,
            isRunning: true
        )
        let records = (0..<count).map { Self.record(routed, at: 1, of: $0) }
        meter.record(contentsOf: records + [Self.end(at: 2)], from: 0)
        let unused = meter.metrics.first { $0.metric.name == "phone.headset.unused.time" }
        #expect(unused?.result(TraceLines(directory)).known.samples == count)
    }

    @Test("Two thousand calls at once, each of whose phones loses its path ten times (VP-05)")
    func calls() {
        let count = 4_000
        let phones = (0..<count).map { "p\($0)" }
        let names = phones + phones.map { "\($0).calls" } + ["api"]
        let directory = TraceDirectory(names: names, systems: .shipped)
        var records: [TraceRecord] = []
        for call in 0..<count / 2 {
            let apps = [count + 2 * call, count + 2 * call + 1]
            let placed = CallPlaced(call: Int64(call))
            records.append(Self.record(placed, at: 1, of: 2 * count, about: apps[0]))
            for app in apps {
                records.append(Self.record(CallConnected(call: Int64(call)), at: 2, of: app))
            }
        }
        for round in 1...10 {
            for app in count..<2 * count {
                let lost = PathLost(cause: .link)
                records.append(Self.record(lost, at: 2 * round + 1, of: app))
            }
            for app in count..<2 * count {
                records.append(Self.record(PathUsable(), at: 2 * round + 2, of: app))
            }
        }
        records.append(Self.end(at: 30))
        var meter = CallMeter(directory)
        meter.record(contentsOf: records, from: 0)
        let unheard = meter.metrics.first { $0.metric.name == "call.unheard.time" }
        #expect(unheard?.result(TraceLines(directory)).occasions.count == count)
    }
}
