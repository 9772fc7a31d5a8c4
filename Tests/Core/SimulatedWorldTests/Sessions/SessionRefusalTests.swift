@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaPhone
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("Sessions on a phone that says no")
struct SessionRefusalTests {
    private static let phone = "mika-phone"

    /// A minute with a phone in some condition, and what happens to it.
    private func run(
        _ change: (inout PhoneCondition) -> Void = { _ in },
        _ happenings: (Duration, TimedAct)...
    ) throws -> WorldRun {
        var plan = WorldPlan.session(.reachability, lasting: .seconds(60))
        change(&plan.phones[0].condition)
        for (time, action) in happenings { plan.at(time, action) }
        return try WorldRun(plan)
    }

    /// The stages that the app showed, in order.
    private func stages(_ run: WorldRun) -> [SessionStage] {
        run.values(StatusShown.self, of: Self.phone).compactMap(\.stage.value)
    }

    private func connects(_ run: WorldRun) -> Int {
        run.records(ConnectBegan.self, of: Self.phone).count
    }

    @Test("A denied microphone stops the walk with its status, and nothing connects (RS-08)")
    func denied() throws {
        let run = try run { $0.microphone.status = .denied }
        #expect(stages(run) == [.preparingDevice, .askingForMicrophone, .microphoneRefused])
        #expect(connects(run) == 0)
    }

    @Test("A user who is asked and refuses stops the walk; one who allows it talks (RS-08)")
    func asked() throws {
        let refused = try run {
            $0.microphone.status = .undetermined
            $0.microphone.isGrantedWhenAsked = false
        }
        #expect(stages(refused).last == .microphoneRefused)
        #expect(connects(refused) == 0)
        let allowed = try run {
            $0.microphone.status = .undetermined
            $0.microphone.answerDelay = .seconds(7)
        }
        #expect(stages(allowed).last == .connected)
        let began = try #require(allowed.records(ConnectBegan.self, of: Self.phone).first)
        #expect(began.instant.nanoseconds > 7_000_000_000)
        let phases = allowed.values(SceneChanged.self, of: Self.phone).map(\.phase.value)
        #expect(phases == [.active, .inactive, .active], "the alert lies over the app")
    }

    @Test("A microphone that is refused in Settings ends the app; allowed again it talks (RS-08)")
    func revoked() throws {
        let run = try run(
            { _ in },
            (.seconds(10), .phone(.leaveApp)),
            (.seconds(12), .phone(.setMicrophone("session", isGranted: false))),
            (.seconds(15), .phone(.openApp("session"))),
            (.seconds(25), .phone(.setMicrophone("session", isGranted: true))),
            (.seconds(30), .phone(.openApp("session")))
        )
        let ends = run.records(AppTerminated.self, of: Self.phone).map(\.instant.nanoseconds)
        #expect(ends == [12_000_000_000, 25_000_000_000])
        #expect(stages(run).contains(.microphoneRefused))
        #expect(stages(run).last == .connected)
        #expect(run.violationCount == 0)
    }

    @Test("A locked keychain stops the walk; once it is unlocked the user's tap connects (RS-03)")
    func locked() throws {
        let run = try run(
            { $0.secureStorage = .locked },
            (.seconds(10), .session(.connect)),
            (.seconds(20), .phone(.unlock)),
            (.seconds(21), .session(.connect))
        )
        let failures = stages(run).filter { $0 == .deviceIdentityFailed }.count
        #expect(failures == 2)
        #expect(stages(run).last == .connected)
    }

    @Test("A keychain that fails later does not end a conversation (RS-03)")
    func failingLater() throws {
        let change = TimedAct.phone(.secureStorage(.failing))
        let run = try run({ _ in }, (.seconds(10), change))
        #expect(stages(run).last == .connected)
        #expect(run.records(FaultBegan.self, of: Self.phone).count == 1)
    }

    @Test("An engine that does not start stops the walk with its status (RS-08)")
    func engineFails() throws {
        let run = try run({ $0.engine.failures = 1 }, (.seconds(10), .session(.connect)))
        #expect(stages(run).contains(.engineFailed))
        #expect(stages(run).last == .connected, "the second start succeeds")
        #expect(connects(run) == 1)
    }

    @Test("An engine that starts late delays the connect by as much (RS-08)")
    func engineLate() throws {
        let prompt = try run()
        let late = try run { $0.engine.delay = .seconds(3) }
        let (one, other) = (
            try #require(prompt.records(ConnectBegan.self, of: Self.phone).first),
            try #require(late.records(ConnectBegan.self, of: Self.phone).first)
        )
        let difference = other.instant.nanoseconds - one.instant.nanoseconds
        #expect(abs(difference - 3_000_000_000) < 500_000_000)
    }

    @Test(
        "After a phone call the engine is tried until it starts; the user reads of a third failure (RS-15)",
        arguments: [(2, false), (3, true)]
    )
    func engineAfterCall(failures: Int, isRead: Bool) throws {
        var engine = EngineCondition()
        engine.failures = failures
        let run = try run(
            { _ in },
            (.seconds(10), .phone(.engine(engine))),
            (.seconds(20), .phone(.phoneCallBegins)),
            (.seconds(30), .phone(.phoneCallEnds))
        )
        #expect(stages(run).contains(.engineFailed) == isRead)
        #expect(stages(run).last == .connected)
    }

    /// How often a token was asked for in two minutes with an outage that a retry ends.
    private func tokenRequests(
        offset: Duration = .zero,
        jump: Duration? = nil
    ) throws -> (count: Int, last: SessionStage?) {
        var plan = WorldPlan.session(.reachability, lasting: .seconds(120))
        plan.phones[0].condition.clockOffset = offset
        if let jump { plan.at(.seconds(20), .phone(.clock(offset: jump))) }
        plan.at(.seconds(30), .phone(.block(nil, nil, lasting: .seconds(60))))
        let run = try WorldRun(plan)
        return (run.records(TokenRequested.self, of: Self.phone).count, stages(run).last)
    }

    @Test("A wrong clock costs nothing; one that jumps past a token's end a request (RS-11)")
    func clock() throws {
        let right = try tokenRequests()
        let wrong = try tokenRequests(offset: .seconds(-86_400))
        let ahead = try tokenRequests(jump: .seconds(3_600))
        let behind = try tokenRequests(jump: .seconds(-3_600))
        #expect(right.count == 1)
        #expect(wrong.count == 1)
        #expect(ahead.count > 1)
        #expect(behind.count == 1)
        for run in [right, wrong, ahead, behind] { #expect(run.last == .connected) }
    }

    @Test("An API that is silent takes a request and keeps it; one that is dark is found by TCP")
    func silentAPI() throws {
        func requests(_ act: APIServerAct) throws -> [TokenAnswered] {
            let run = try run({ _ in }, (.zero, TimedAct(act, to: ServicesPlan.apiName)))
            #expect(stages(run).last == .connected)
            return run.values(TokenAnswered.self, of: Self.phone)
        }
        let dark = try requests(.goDark(lasting: .seconds(3)))
        #expect(dark.map(\.outcome) == [TraceWord(number: 200)])
        let silent = try requests(.silence(lasting: .seconds(3)))
        // The second request is answered; the first stays open beside it until its own time is over.
        #expect(silent.map(\.outcome) == [TraceWord(number: 200), TraceWord(.timedOut)])
    }

    @Test("What the user taps while the app is launched comes once it runs")
    func earlyTouch() throws {
        let run = try run({ _ in }, (.milliseconds(1), .session(.mute)))
        #expect(stages(run).last == .connected)
        let flows = run.values(AudioFlowing.self, of: Self.phone)
        #expect(!flows.contains { $0.direction.value == .fromPhone })
    }
}
