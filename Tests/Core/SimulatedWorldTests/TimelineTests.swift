@testable import KodamaBackend
@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaSimulation
@testable import KodamaWorld
import SansIO
import Testing

@Suite("What the timeline does to the world")
struct TimelineTests {
    private static let link = "mika-phone/taro-phone"

    /// Somebody talks all the time over a link of 8 ms while the timeline acts.
    private static func run(
        lasting duration: Duration = .seconds(4),
        _ entries: TimelineEntry...
    ) throws -> WorldRun {
        var plan = WorldPlan.story(lasting: duration, from: .milliseconds(100))
        plan.timeline = entries
        return try WorldRun(plan)
    }

    private static func disrupt(
        _ disruption: LinkDisruption,
        at start: Duration,
        for duration: Duration
    ) -> TimelineEntry {
        TimelineEntry(
            LinkAct.disrupt(disruption, lasting: duration),
            to: link,
            trigger: .at(start)
        )
    }

    /// The transits of what was sent in a stretch, bounds in milliseconds.
    private static func transits(_ run: WorldRun, _ range: Range<Int64>) -> [WorldRun.Transit] {
        run.transits(from: "mika-phone", to: "taro-phone").filter {
            range.contains($0.sent.nanoseconds / 1_000_000)
        }
    }

    @Test("A stopped link drops everything and then carries on as before")
    func stop() throws {
        let run = try Self.run(Self.disrupt(.stopped, at: .seconds(1), for: .seconds(1)))
        let stopped = Self.transits(run, 1_000..<2_000)
        #expect(stopped.count > 45)
        #expect(stopped.allSatisfy { $0.dropReason == .down && $0.arrivals.isEmpty })
        for others in [Self.transits(run, 500..<1_000), Self.transits(run, 2_000..<3_500)] {
            #expect(others.count > 20)
            #expect(others.allSatisfy { $0.delay == .milliseconds(8) })
        }
    }

    @Test("A slowed link takes so much longer until it is restored")
    func slow() throws {
        let slowed = LinkDisruption.slowed(by: .milliseconds(100))
        let run = try Self.run(Self.disrupt(slowed, at: .seconds(1), for: .seconds(1)))
        #expect(Self.transits(run, 1_000..<2_000).allSatisfy { $0.delay == .milliseconds(108) })
        // In order: what follows may not overtake the last slow packet.
        #expect(Self.transits(run, 2_110..<3_500).allSatisfy { $0.delay == .milliseconds(8) })
        #expect(Self.transits(run, 2_110..<3_500).count > 45)
    }

    @Test("A jam holds packets back, then all enter the link at once and in order (A-F-007)")
    func jam() throws {
        let run = try Self.run(Self.disrupt(.jammed, at: .seconds(1), for: .seconds(1)))
        let held = Self.transits(run, 1_000..<2_000)
        #expect(held.count > 45)
        #expect(
            Set(held.compactMap(\.arrivals.first)) == [.zero.advanced(by: .milliseconds(2_008))]
        )
        let order = run.values(PacketArrived.self, of: "taro-phone").map(\.index)
        #expect(order == order.sorted())
    }

    @Test("A link that gets another profile keeps it")
    func change() throws {
        let profile = LinkProfile(
            name: "slow",
            summary: "",
            source: "",
            forward: .after(.milliseconds(40)),
            backward: .after(.milliseconds(70))
        )
        let change = LinkAct.change(to: profile)
        let run = try Self.run(TimelineEntry(change, to: Self.link, trigger: .at(.seconds(2))))
        #expect(Self.transits(run, 500..<2_000).allSatisfy { $0.delay == .milliseconds(8) })
        #expect(Self.transits(run, 2_000..<3_500).allSatisfy { $0.delay == .milliseconds(40) })
        // The other way carries keepalives only.
        let back = run.records(PacketArrived.self, of: "mika-phone").map(\.instant.nanoseconds)
        let sent = run.records(PacketSent.self, of: "taro-phone").map(\.instant.nanoseconds)
        #expect(zip(back, sent).map { $0 - $1 } == [8_000_000, 70_000_000, 70_000_000])
    }

    @Test("An entry waits for its event, for the count it asks for and for its delay")
    func after() throws {
        var plan = WorldPlan.pair(lasting: .seconds(6))
        for start in [1, 2, 4] as [Int64] {
            plan.talk.append(
                .monologue(person: "mika", at: .seconds(start), lasting: .milliseconds(500))
            )
        }
        plan.timeline = [
            TimelineEntry(
                LinkAct.disrupt(.stopped, lasting: .milliseconds(100)),
                to: Self.link,
                trigger: .after(
                    event: "speech.began",
                    of: "mika",
                    count: 2,
                    delay: .milliseconds(300)
                )
            )
        ]
        let changes = try WorldRun(plan).records(LinkChanged.self).map(\.instant)
        #expect(changes == [2_300, 2_400].map { Instant(nanoseconds: $0 * 1_000_000) })
    }

    @Test("The world tells which entries waited in vain: for what never came, or came too late")
    func inVain() throws {
        func entry(_ count: Int, _ delay: Duration) -> TimelineEntry {
            TimelineEntry(
                LinkAct.disrupt(.stopped, lasting: .milliseconds(100)),
                to: Self.link,
                trigger: .after(event: "group.joined", of: "taro-phone", count: count, delay: delay)
            )
        }
        let stop = Self.disrupt(.stopped, at: .seconds(1), for: .milliseconds(100))
        var plan = WorldPlan.pair(lasting: .seconds(2))
        plan.timeline = [
            stop, entry(1, .seconds(1)), entry(1, .seconds(2)), entry(1_000, .zero),
        ]
        var world = try World(plan: plan, seed: 1, material: nil)
        var sink = TraceDigest()
        try world.run(into: &sink)
        let waiting = world.waitingEntries
        #expect(waiting == [2, 3])
    }

    @Test("An event at the very start counts from the start")
    func afterTheStart() throws {
        let joined = TimelineTrigger.after(
            event: "group.joined",
            of: "taro-phone",
            count: 1,
            delay: .seconds(1)
        )
        let stop = LinkAct.disrupt(.stopped, lasting: .seconds(1))
        let run = try Self.run(TimelineEntry(stop, to: Self.link, trigger: joined))
        #expect(run.records(LinkChanged.self).first?.instant == .zero.advanced(by: .seconds(1)))
    }

    @Test("Disruptions that overlap end one by one, and the link is restored after the last")
    func overlap() throws {
        let slowed = LinkDisruption.slowed(by: .milliseconds(100))
        let run = try Self.run(
            Self.disrupt(slowed, at: .seconds(1), for: .seconds(2)),
            Self.disrupt(.stopped, at: .milliseconds(1_200), for: .milliseconds(300))
        )
        #expect(Self.transits(run, 1_200..<1_500).allSatisfy { $0.dropReason == .down })
        let slow = Self.transits(run, 1_500..<3_000)
        #expect(slow.count > 70)
        #expect(slow.allSatisfy { $0.delay == .milliseconds(108) })
        let changes = run.records(LinkChanged.self).map { ($0.instant.nanoseconds / 1_000_000) }
        #expect(changes == [1_000, 1_200, 3_000])
    }
}
