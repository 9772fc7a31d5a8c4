@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaNetwork
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("What the timeline does to sessions")
struct SessionTroubleTests {
    private static let phone = "mika-phone"

    private func run(
        _ trouble: TimedAct,
        lasting duration: Duration = .seconds(60)
    ) throws -> WorldRun {
        var plan = WorldPlan.session(lasting: duration)
        plan.at(.milliseconds(10_500), trouble)
        return try WorldRun(plan)
    }

    /// When voice was heard in a direction, in nanoseconds.
    private func heard(_ direction: VoiceDirection, in run: WorldRun) -> [Int64] {
        run.records(VoiceHeard.self, of: Self.phone)
            .filter { VoiceHeard($0).direction.value == direction }
            .map(\.instant.nanoseconds)
    }

    /// The longest time without voice in a direction, from the first frame heard to the last.
    private func gap(_ direction: VoiceDirection, in run: WorldRun) -> Int64 {
        let times = heard(direction, in: run)
        return zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .max
    }

    @Test("Left alone, voice flows both ways without a gap, and each turn is answered (K-09)")
    func undisturbed() throws {
        let run = try WorldRun(.session(lasting: .seconds(60)))
        for direction in VoiceDirection.allCases {
            #expect(gap(direction, in: run) <= 25_000_000)
        }
        #expect(run.distribution("voice.round_trip.time")?.count == 6)
        #expect(run.distribution("session.connect.time")?.count == 1)
    }

    @Test("A cut of signalling alone leaves voice flowing but for the resume")
    func signallingCut() throws {
        let run = try run(.phone(.block(nil, .signalling, lasting: .seconds(8))))
        for direction in VoiceDirection.allCases {
            #expect(gap(direction, in: run) <= 100_000_000)
        }
    }

    @Test("A cut of media alone silences both directions at once (K-01c)")
    func mediaCut() throws {
        let run = try run(.phone(.block(nil, .media, lasting: .seconds(4))))
        for direction in VoiceDirection.allCases {
            #expect((4_000_000_000...4_500_000_000).contains(gap(direction, in: run)))
        }
    }

    @Test("A block of one radio leaves a phone that uses the other alone")
    func otherRadio() throws {
        let run = try run(.phone(.block(.cellular, nil, lasting: .seconds(20))))
        for direction in VoiceDirection.allCases {
            #expect(gap(direction, in: run) <= 25_000_000)
        }
        #expect(run.records(PathLost.self).isEmpty)
    }

    @Test("A suspended app does nothing and hears nothing until the user is back (D-05)")
    func background() throws {
        var plan = WorldPlan.session(lasting: .seconds(60))
        plan.at(.milliseconds(10_500), .phone(.leaveApp))
        plan.at(.milliseconds(30_500), .phone(.openApp("session")))
        let run = try WorldRun(plan)
        let quiet = 17_000_000_000...30_400_000_000 as ClosedRange<Int64>
        let own = run.trace.records.filter {
            run.phone(of: $0.component) == Self.phone
                && quiet.contains($0.instant.nanoseconds)
                && $0.kind != SpeechBegan.kind && $0.kind != SpeechEnded.kind
        }
        #expect(own.isEmpty, "\(own.map { TraceText.line($0, run.trace.directory) })")
        #expect(heard(.fromPhone, in: run).contains { $0 > 31_000_000_000 })
        #expect(run.violationCount == 0)
    }

    @Test("A killed app falls silent at once, and its identity survives (RS-03)")
    func killed() throws {
        var plan = WorldPlan.session(lasting: .seconds(60))
        plan.at(.milliseconds(10_500), .phone(.killApp("session")))
        plan.at(.milliseconds(20_500), .phone(.openApp("session")))
        let run = try WorldRun(plan)
        #expect(run.records(AppTerminated.self, of: Self.phone).count == 1)
        let between = heard(.toPhone, in: run).filter { $0 > 10_600_000_000 && $0 < 20_500_000_000 }
        #expect(between.isEmpty)
        #expect(heard(.toPhone, in: run).contains { $0 > 22_000_000_000 })
        #expect(run.violationCount == 0)
    }

    @Test(
        "What ends one reason for the server to be away leaves the others (K-01b)",
        arguments: [.clear, .crash(downtime: .seconds(1))] as [RoomServerFault]
    )
    func awayForTwoReasons(second: RoomServerFault) throws {
        var plan = WorldPlan.session(lasting: .seconds(60))
        plan.at(.seconds(10), .rooms(.crash(downtime: .seconds(10))))
        plan.at(.seconds(12), .rooms(second))
        // What happens once happens again.
        plan.at(.seconds(30), .rooms(.crash(downtime: .seconds(10))))
        plan.at(.seconds(32), .rooms(second))
        let run = try WorldRun(plan)
        let usable = run.records(PathUsable.self).map(\.instant.nanoseconds)
            .filter { $0 > 10_000_000_000 }
        #expect(usable == [20_000_000_000, 40_000_000_000])
    }

    @Test(
        "A wall keeps one phone from the servers: a portal takes its connects, a firewall resets them (K-19)",
        arguments: [.portal, .firewall] as [Wall]
    )
    func wall(_ wall: Wall) throws {
        var plan = WorldPlan.session(lasting: .seconds(120))
        plan.addSession("taro-phone")
        for second in [10, 70] as [Int64] {
            plan.at(.seconds(second), .phone(.wall(wall, lasting: .seconds(30))))
        }
        let run = try WorldRun(plan)
        #expect(run.records(PathLost.self, of: "taro-phone").isEmpty)
        let usable = run.records(PathUsable.self, of: Self.phone).map(\.instant.nanoseconds)
        #expect(usable == [40_000_000_000, 100_000_000_000])
        for begin in [10, 70] as [Int64] {
            let span = begin * 1_000_000_000..<(begin + 30) * 1_000_000_000
            let ended = run.records(AttemptEnded.self, of: Self.phone)
                .filter { span.contains($0.instant.nanoseconds) }
                .compactMap { AttemptEnded($0).failure.value }
            #expect(!ended.isEmpty)
            #expect(ended.contains(.socketBroken) == (wall == .firewall), "\(ended)")
        }
        #expect(heard(.toPhone, in: run).contains { $0 > 106_000_000_000 })
        #expect(run.violationCount == 0)
    }

    @Test(
        "Whatever the room server does, voice is back within half a minute",
        arguments: [
            .crash(downtime: .seconds(3)), .goDark(downtime: .seconds(3)),
            .restart(downtime: .seconds(3)), .drain,
            .leave(identity: "mika-phone", .init(.reconnect, .stateMismatch)),
            .leave(identity: "mika-phone", .init(.resume, .connectionTimeout)),
        ] as [RoomServerFault]
    )
    func server(fault: RoomServerFault) throws {
        let run = try run(.rooms(fault))
        for direction in VoiceDirection.allCases {
            #expect(gap(direction, in: run) < 30_000_000_000)
            #expect(heard(direction, in: run).contains { $0 > 55_000_000_000 })
        }
        #expect(run.violationCount == 0)
    }

    @Test("A muted phone is heard by nobody and hears on")
    func mute() throws {
        var plan = WorldPlan.session(lasting: .seconds(40))
        plan.at(.milliseconds(10_500), .session(.mute))
        plan.at(.milliseconds(20_500), .session(.unmute))
        let run = try WorldRun(plan)
        #expect((9_900_000_000...10_300_000_000).contains(gap(.fromPhone, in: run)))
        #expect(gap(.toPhone, in: run) <= 25_000_000)
    }
}
