import AppCoordination
@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaLanguage
@testable import KodamaSession
@testable import KodamaSimulation
@testable import KodamaWorld
import SansIO
import SansIOTesting
import Testing

@Suite("What a world holds and where it stops")
struct LimitsTests {
    /// What a world holds at its end.
    private struct Holdings: Equatable {
        var frames: [Int]
        var datagrams: Int
        var events: Int
        var framesAfterLeaving: [Int]
    }

    private static func holdings(_ plan: WorldPlan, seed: UInt64) throws -> Holdings {
        var world = try World(plan: plan, seed: seed, material: nil)
        var sink = TraceDigest()
        try world.run(into: &sink)
        var holdings = Holdings(
            frames: world.intercoms.map { $0.sound.frames.count },
            datagrams: world.stage.network.datagrams.count,
            events: world.stage.pendingCount,
            framesAfterLeaving: []
        )
        for app in world.intercoms { app.hear(.groupLeft, on: &world.stage) }
        holdings.framesAfterLeaving = world.intercoms.map { $0.sound.frames.count }
        return holdings
    }

    @Test(
        "Apps that leave at the end hand every frame back to their phones (law L11)",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func noLeak(seed: UInt64) throws {
        var direction = LinkDirection.after(.milliseconds(30))
        direction.jitter = .halfNormal(deviation: .milliseconds(30))
        direction.loss = .independent(.percent(5))
        direction.duplication = .percent(5)
        direction.corruption = .percent(5)
        direction.allowsReordering = true
        let plan = WorldPlan.conversation(lasting: .seconds(10), over: direction)
        let holdings = try Self.holdings(plan, seed: seed)
        #expect(holdings.frames.contains { $0 > 0 })
        #expect(holdings.framesAfterLeaving == [0, 0])
    }

    @Test("After ten minutes a world holds no more than after one")
    func flatMemory() throws {
        for minutes in [1, 10] {
            let plan = WorldPlan.conversation(lasting: .seconds(60 * minutes))
            let holdings = try Self.holdings(plan, seed: 5)
            // Nine frames may wait in a phone's pre-roll, and what its jitter buffer delays.
            #expect(holdings.frames.allSatisfy { $0 <= 9 + 5 })
            #expect(holdings.datagrams <= 12)
            // Microphone, speaker and wake of each phone, the next spurts, datagrams on their way.
            #expect(holdings.events <= 6 + 2 + holdings.datagrams)
            #expect(holdings.framesAfterLeaving == [0, 0])
        }
    }

    @Test("Deliveries without end at one instant stop the run and name the culprit")
    func livelock() throws {
        var plan = WorldPlan.pair(lasting: .seconds(2))
        let entry = TimelineEntry(
            LinkAct.change(to: plan.links[0].profile),
            to: plan.links[0].name,
            trigger: .at(.milliseconds(1_234))
        )
        // Two phones with an app each, two people, a link and the timeline.
        let limit = DeliveryLimits(componentCount: 8).perInstant
        plan.timeline = Array(repeating: entry, count: limit)
        _ = try WorldRun(plan)
        plan.timeline.append(entry)
        do {
            _ = try WorldRun(plan)
            Issue.record("the run went on")
        } catch WorldError.livelock(let instant, let component, let count) {
            #expect(count == limit)
            #expect(instant == .zero.advanced(by: .milliseconds(1_234)))
            #expect(component.hasPrefix("timeline entry"))
        }
    }

    @Test("Something that is due again each nanosecond stops the run, and a storm does not (HN-02)")
    func rush() throws {
        var limits = DeliveryLimits(componentCount: 8)
        // A storm as large as may be, over and over, each in a stretch of its own.
        for round in 0..<3 as Range<Int64> {
            let start = Instant.zero.advanced(by: DeliveryLimits.stretch * Int(round))
            for step in 0..<Int64(limits.perStretch) {
                let now = start.advanced(by: .nanoseconds(step))
                if let excess = limits.excess(at: now) { Issue.record("\(excess)") }
            }
        }
        var looping = DeliveryLimits(componentCount: 8)
        let count = (0...).first { step in
            looping.excess(at: .zero.advanced(by: .nanoseconds(Int64(step)))) != nil
        }
        #expect(count == looping.perStretch)
        let excess = DeliveryLimits.Excess.stretch(looping.perStretch)
        let words = excess.error(at: .zero, for: "mika-phone").description
        #expect(words.contains("more than \(looping.perStretch) deliveries in 100000000 ns"))
        #expect(words.contains("the last one for mika-phone"))
    }

    @Test("No room object that a phone can count has the port of a request")
    func ports() {
        let last = UInt64(UInt32.max) * RoomPorts.perRoom + RoomPorts.perRoom - 1
        #expect(last < RoomPorts.firstRequest)
        #expect(RoomPorts.firstRequest + UInt64(UInt32.max) < 1 << Phone.appPortShift)
    }

    @Test("A recorded app does the same again, alone (HN-06)")
    func replay() throws {
        var direction = LinkDirection.after(.milliseconds(30))
        direction.loss = .independent(.percent(10))
        direction.jitter = .halfNormal(deviation: .milliseconds(20))
        let plan = WorldPlan.conversation(lasting: .seconds(6), over: direction)
        var world = try World(plan: plan, seed: 11, material: nil)
        let app = try #require(world.intercoms.first { $0.phone.name == "taro-phone" })
        app.seat.recording = MachineRecording(of: app.seat.machine)
        var sink = TraceDigest()
        try world.run(into: &sink)
        let recording = try #require(app.seat.recording)
        #expect(recording.calls.count > 600)
        #expect(recording.calls.contains { $0.event == nil })
        let machine = app.seat.machine
        #expect(try recording.replay() == machine)
        // Watching changes nothing.
        #expect(sink.run == (try WorldRun(plan, seed: 11)).digest.run)
    }

    @Test("A recording that was changed is found out by its replay")
    func changedRecording() throws {
        let plan = WorldPlan.conversation(lasting: .seconds(3))
        var world = try World(plan: plan, seed: 11, material: nil)
        let app = try #require(world.intercoms.first { $0.phone.name == "taro-phone" })
        app.seat.recording = MachineRecording(of: app.seat.machine)
        var sink = TraceDigest()
        try world.run(into: &sink)
        var recording = try #require(app.seat.recording)
        recording.noteCall(.groupLeft, at: world.end)
        #expect(throws: TranscriptMismatch.self) { try recording.replay() }
    }

    @Test("Real sound without voices is refused in words")
    func noVoices() {
        let error = #expect(throws: WorldError.self) {
            try WorldRun(.story(.real, lasting: .seconds(1)))
        }
        #expect(error?.description.contains("voice: sized") == true)
    }
}
