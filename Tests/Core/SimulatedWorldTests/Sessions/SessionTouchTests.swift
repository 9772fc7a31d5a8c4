@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("What users do in a session app that is not in front")
struct SessionTouchTests {
    private static let phone = "mika-phone"

    /// A minute with a phone whose app is opened at the start, unless `isOpened` is false.
    private func run(
        isOpened: Bool = true,
        _ happenings: (Duration, TimedAct)...
    ) throws -> WorldRun {
        var plan = WorldPlan.session(.reachability, lasting: .seconds(60))
        if !isOpened { plan.phones[0].apps[0].start = .closed }
        for (time, action) in happenings { plan.at(time, action) }
        return try WorldRun(plan)
    }

    private func acts(_ run: WorldRun) -> [UserAct] {
        run.acts(of: Self.phone)
    }

    /// When those were done, in milliseconds.
    private func times(_ run: WorldRun) -> [Int64] {
        run.records(UserActed.self, of: Self.phone).map { $0.instant.nanoseconds / 1_000_000 }
    }

    private func lastStage(_ run: WorldRun) -> SessionStage? {
        run.values(StatusShown.self, of: Self.phone).compactMap(\.stage.value).last
    }

    @Test(
        "Who ends a conversation opens the app that was left or killed, and it stays ended (RS-05)",
        arguments: [
            (PhoneAct.leaveApp, UserAct.leaveApp), (.lock, .lock),
            (.killApp("session"), .killApp),
        ]
    )
    func disconnects(away: PhoneAct, word: UserAct) throws {
        let run = try run(
            (.seconds(10), .phone(away)),
            (.seconds(30), .session(.disconnect)),
            (.seconds(40), .phone(.leaveApp)),
            (.seconds(42), .phone(.openApp("session")))
        )
        #expect(acts(run) == [.openApp, word, .openApp, .disconnect, .leaveApp, .openApp])
        #expect(run.records(ConnectBegan.self, of: Self.phone).count == 1)
        #expect(run.violationCount == 0)
    }

    @Test("Who asks for the conversation opens the app, and it hears of that once it runs (RS-04)")
    func connects() throws {
        let run = try run(isOpened: false, (.seconds(10), .session(.connect)))
        #expect(acts(run) == [.openApp, .connect])
        let scene = try #require(run.records(SceneChanged.self, of: Self.phone).first)
        #expect(times(run) == [10_000, scene.instant.nanoseconds / 1_000_000])
        #expect(lastStage(run) == .connected)
        #expect(run.violationCount == 0)
    }

    @Test("Who mutes has the app open, talks with the agent again and is heard by nobody (K-22)")
    func mutes() throws {
        let run = try run(
            (.seconds(10), .phone(.leaveApp)),
            (.seconds(30), .session(.mute))
        )
        #expect(acts(run) == [.openApp, .leaveApp, .openApp, .mute])
        let flows = run.records(AudioFlowing.self, of: Self.phone)
            .filter { $0.instant.nanoseconds >= 30_000_000_000 }
        #expect(flows.map { AudioFlowing($0).direction.value } == [.toPhone])
        #expect(run.violationCount == 0)
    }

    @Test("What never reaches the app is nobody's wish")
    func lost() throws {
        let run = try run(
            (.seconds(10), .phone(.killApp("session"))),
            (.seconds(20), .session(.disconnect)),
            (.milliseconds(20_001), .phone(.killApp("session"))),
            (.seconds(30), .phone(.openApp("session")))
        )
        #expect(acts(run) == [.openApp, .killApp, .openApp, .killApp, .openApp])
        #expect(lastStage(run) == .connected)
        #expect(run.violationCount == 0)
    }

    @Test("An app in front need not be opened")
    func inFront() throws {
        let run = try run((.seconds(10), .session(.mute)))
        #expect(acts(run) == [.openApp, .mute])
        #expect(times(run) == [0, 10_000])
    }

    @Test(
        "Of what is done in one instant the last counts (D-05)",
        arguments: [
            (SessionAppAct.disconnect, SessionAppAct.connect, SessionStage.connected),
            (.connect, .disconnect, .disconnected),
        ]
    )
    func tie(first: SessionAppAct, second: SessionAppAct, stage: SessionStage) throws {
        let run = try run((.seconds(20), .session(first)), (.seconds(20), .session(second)))
        #expect(lastStage(run) == stage)
        #expect(run.violationCount == 0)
    }
}
