@testable import KodamaEvidence
@testable import KodamaIntercom
import PeerTransport
import SansIO
import Testing

@Suite("The worst sample of each figure")
struct WorstSampleTests {
    @Test("Each distribution names its worst sample by value, instant and component (HN-03)")
    func distributions() throws {
        var named: Set<String> = []
        for seed in 1...24 as ClosedRange<UInt64> {
            let trace = RandomCall(seed: seed).trace
            let end = try #require(trace.records.last).instant.nanoseconds
            for metric in RunMeter.of(trace).metrics {
                guard case .distribution(let samples) = metric.known, samples.count > 0 else {
                    continue
                }
                let worst = try #require(metric.worst, "\(metric.name)")
                let extreme = metric.direction == .higher ? samples.minimum : samples.maximum
                #expect(worst.value == extreme, "\(metric.name)")
                #expect(worst.from <= worst.until && worst.from >= 0, "\(metric.name)")
                // What is heard last may be heard after the end.
                #expect(worst.until <= end + 1_000_000_000, "\(metric.name)")
                #expect(worst.component.map(trace.directory.names.contains) == true)
                named.insert(metric.name)
            }
        }
        // Random calls are those of the plain intercom: without groups and two ways at a time, too
        // short for a stall with a minute's calm before it and for ten seconds of silence, and
        // without sound. Each of these has tests of its own.
        let declared = Systems.withoutSessions.metrics.filter {
            $0.form == .distribution && $0.name.hasPrefix("voice.")
        }
        #expect(
            declared.map(\.name).filter { !named.contains($0) } == [
                "voice.delay.growth.time", "voice.delay.after_stall.time",
                "voice.openings.needless", "voice.edge.step.pcm16", "voice.edge.level.db",
            ]
        )
    }

    @Test("A share or a sum names the first observation that adds most, and none if none does")
    func sums() throws {
        var builder = TraceBuilder(["left", "right"])
        builder.add(GroupJoined(group: 1), at: 0, "left")
        builder.add(GroupJoined(group: 1), at: 0, "right")
        for index in 0..<5 as Range<Int64> {
            builder.add(
                PacketArrived(index: index, bytes: 60, content: .voice, path: .local),
                at: 100 + index * 20,
                "left",
                "right"
            )
        }
        var clean = builder
        clean.end(at: 1_000)
        #expect(late(clean.trace)?.worst == nil)
        builder.add(FrameDiscarded(index: 2, reason: TraceWord(.late)), at: 150, "left", "right")
        builder.add(FrameDiscarded(index: 4, reason: TraceWord(.late)), at: 190, "left", "right")
        builder.end(at: 1_000)
        let worst = try #require(late(builder.trace)?.worst)
        #expect(worst.value == nil)
        #expect([worst.from, worst.until] == [150_000_000, 150_000_000])
        #expect([worst.component, worst.subject] == ["left", "right"])
        #expect(worst.cause?.contains("frame.discarded") == true)
    }

    @Test("A reconnect names its phone, its span, and the loss that led to it (K-01a)")
    func reconnect() throws {
        var scene = SessionScene(.sized)
        scene.talk(1_000..<10_000, 17_000..<50_000, 52_000..<200_000)
        scene.outage(10_000..<14_000, cause: .link)
        scene.outage(50_000..<51_000, cause: .link)
        let metrics = RunMeter.of(scene.trace(until: 100_000)).metrics
        for name in ["session.reconnect.time", "session.audio.lost.share"] {
            let worst = try #require(metrics.first { $0.name == name }?.worst, "\(name)")
            #expect(worst.component == "aoi-phone")
            #expect(worst.until == 17_060_000_000)
            #expect(worst.cause?.contains("path.lost") == true)
        }
    }

    @Test("The sum of a phone's losses is shown with the time that holds them all (K-10)")
    func lostTime() throws {
        var scene = SessionScene(.sized)
        scene.talk(1_000..<10_000, 17_000..<50_000, 52_000..<200_000)
        scene.outage(10_000..<14_000, cause: .link)
        scene.outage(50_000..<51_000, cause: .link)
        let metrics = RunMeter.of(scene.trace(until: 100_000)).metrics
        let metric = metrics.first { $0.name == "session.audio.lost.time" }
        let worst = try #require(metric?.worst)
        let lost = try #require(worst.value)
        #expect(lost > 8_000_000_000)
        #expect(worst.from < 11_000_000_000)
        #expect(worst.until == 52_060_000_000)
        #expect(worst.cause?.contains("path.lost") == true)
    }

    @Test("Over runs the worst is the same however they are pooled; of equals the lowest seed's")
    func pooling() throws {
        func run(_ seed: UInt64, _ milliseconds: Int64) -> RunEvidence {
            var trace = Timeline(speech: "##", sent: "##", played: "2#").trace
            for index in trace.records.indices {
                trace.records[index].instant = trace.records[index].instant.advanced(
                    by: .milliseconds(milliseconds)
                )
            }
            let meter = RunMeter.of(trace)
            return RunEvidence(seed: seed, metrics: meter.metrics)
        }
        let runs = [run(5, 3), run(2, 1), run(9, 0)]
        let gate = Gate(
            metric: "voice.bytes",
            in: .bytes,
            statistic: .value,
            comparison: .atMost,
            limit: 1
        )
        func judgement(_ order: [Int]) -> Judgement {
            var left = Judge(gates: [gate])
            var right = Judge(gates: [gate])
            for (position, index) in order.enumerated() {
                if position < 2 { left.add(runs[index]) } else { right.add(runs[index]) }
            }
            left.merge(right)
            return left.judgement
        }
        let first = judgement([0, 1, 2])
        #expect(judgement([2, 1, 0]) == first)
        #expect(judgement([1, 0, 2]) == first)
        let worst = try #require(first.metrics.first { $0.name == "voice.bytes" }?.worst)
        #expect(worst.seed == 2)
        let sample = try #require(first.gates[0].worst?.sample)
        #expect(sample.seed == 2)
        #expect(sample.component == worst.component)
    }

    @Test("A gate on the greatest or the least sample names that one, whichever side is wrong")
    func ends() throws {
        let metric = try #require(
            RunMeter.of(RandomCall(seed: 1).trace).metrics.first { metric in
                guard case .distribution(let samples) = metric.value else { return false }
                return samples.minimum != samples.maximum
            }
        )
        let rules: [(Statistic, Comparison)] = [
            (.maximum, .atLeast), (.maximum, .atMost), (.minimum, .atLeast), (.minimum, .atMost),
        ]
        for (statistic, comparison) in rules {
            let gate = Gate(
                metric: metric.name,
                in: metric.unit,
                statistic: statistic,
                comparison: comparison,
                limit: 0
            )
            var judge = Judge(gates: [gate])
            judge.add(RunEvidence(seed: 1, metrics: [metric]))
            let worst = try #require(judge.judgement.gates[0].worst)
            #expect(worst.sample?.value == worst.value, "\(gate.ruleText)")
        }
    }

    private func late(_ trace: RecordedTrace) -> MetricResult? {
        RunMeter.of(trace).metrics.first { $0.name == "voice.late" }
    }
}
