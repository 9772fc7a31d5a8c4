import KodamaShipped
import AppCoordination
import IncomingCalls
@testable import KodamaCalls
@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaPhone
@testable import KodamaSession
@testable import KodamaSimulation
@testable import KodamaWorld
import RealtimeVoice
import SansIO
import Testing

@Suite("The calling app bound to a phone, without a world")
struct CallBindingTests {
    private static let id = AppID(0)
    private static let names = [
        "phone", "phone.calls", "rooms", "agent", "api", "provider", "push",
    ]

    /// A payload that announces a call.
    private static func payload(_ callId: String) -> String {
        """
        {"aps": {"content-available": 1}, "type": "call.incoming", "callId": "\(callId)", \
        "fromUserId": "mika", "fromDisplayName": "mika", "room": "r"}
        """
    }

    /// A phone without a network, with the calling app alone, that has registered for pushes and was left.
    private struct Bench: ~Copyable {
        let phone: Phone
        let app: CallApp
        private let components: [any Component]
        /// Apps hold their system without owning it.
        private let systems: [any WorldSystem]
        private var stage = Stage.empty()

        init(_ calls: CallsConfiguration = CallsConfiguration()) throws {
            var plan = WorldPlan(name: "bench", duration: .seconds(60), systems: .shipped)
            plan.voice = .reachability
            var settings = CallAppPlan()
            settings.user = "taro"
            settings.configuration.calls = calls
            var phonePlan = PhonePlan(name: "phone")
            phonePlan.apps = [AppPlan(settings, start: .closed)]
            plan.phones = [phonePlan]
            let launches = RandomStream(seed: 1, purpose: "launch", entity: "phone")
            let installed = InstalledApp(launches: launches, microphone: PermissionCondition())
            phone = Phone(
                plan: phonePlan,
                index: ComponentIndex(0),
                seed: 1,
                radios: [],
                system: PhoneSystem(apps: [installed], interfaces: [])
            )
            var setting = Setting(
                plan: plan,
                seed: 1,
                tracks: [],
                material: nil,
                taps: [:],
                phones: [phone],
                firstApps: [ComponentIndex(1)]
            )
            let session = SessionSystem(in: setting, servers: (2...4).map(ComponentIndex.init))
            setting.systems = [session]
            let system = CallSystem(in: setting, servers: (5...6).map(ComponentIndex.init))
            let installation = Installation(
                phone: phone,
                id: CallBindingTests.id,
                index: ComponentIndex(1),
                name: "phone.calls"
            )
            let made = try system.app(settings, installation)
            app = try #require(made as? CallApp)
            phone.install(app)
            systems = [session, system]
            components = [phone, app] + session.servers + system.servers
            hear(.foundOpen(CallBindingTests.id))
            hear(.pushTokenIssued(CallBindingTests.id, [1, 2, 3]))
            hear(.user(.leaveApp))
        }

        mutating func hear(_ event: PhoneEvent) {
            phone.hear(event, on: &stage)
            stage.settle()
        }

        /// Lets everything happen that is due within a time, and one thing more; returns all records so far.
        mutating func run(for time: Duration) -> [TraceRecord] {
            let until = stage.now.advanced(by: time)
            let end = Instant.zero.advanced(by: .seconds(3_600))
            while stage.now < until, let delivery = stage.next(before: end) {
                components[delivery.receiver].deliver(delivery, on: &stage)
                stage.settle()
            }
            var recorder = TraceRecorder(scenario: "bench", seed: 1)
            recorder.begin(TraceDirectory(names: CallBindingTests.names, systems: .shipped))
            stage.flush(into: &recorder, all: true)
            return recorder.trace.records
        }

        /// The push that nobody answers for yet comes to an app that is not running.
        mutating func push(_ payload: String) -> [TraceRecord] {
            hear(.user(.killApp(CallBindingTests.id)))
            hear(.pushArrived(CallBindingTests.id, payload: payload))
            return run(for: .seconds(8))
        }

        var callCount: Int? { app.process?.seat.ask { $0.calls.count } }
    }

    @Test("The handler of a push returns behind its report, so that the rule is kept (D-01, D-20)")
    func dutyBehindReport() throws {
        for payload in ["{}", "no JSON at all", Self.payload("c-1")] {
            var bench = try Bench()
            let records = bench.push(payload)
            #expect(records.count { $0.kind == CallRinging.kind } == 1, "\(payload)")
            #expect(!records.contains { $0.kind == PushUnreported.kind }, "\(payload)")
            #expect(bench.app.phase == .running)
        }
    }

    @Test("A push that is completed quietly is found when its handler returns (D-20)")
    func quietlyCompleted() throws {
        var bench = try Bench(.asSpecified)
        let records = bench.push("{}")
        let breaches = records.filter { $0.kind == PushUnreported.kind }
        #expect(breaches.map { PushUnreported($0).breach.value } == [.handlerReturned])
        #expect(bench.app.process == nil)
        #expect(bench.app.phase == .notRunning)
    }

    @Test("What the app keeps in files outlives its process, its calls do not (VP-02)")
    func relaunch() throws {
        var bench = try Bench()
        let first = bench.push(Self.payload("c-1"))
        #expect(first.count { $0.kind == CallRinging.kind } == 1)
        #expect(bench.callCount == 1)
        let kept = try #require(bench.app.storage.callMemory)
        #expect(kept.contains(" c-1 "))
        bench.hear(.user(.killApp(Self.id)))
        #expect(bench.app.process == nil)
        #expect(bench.app.storage.callMemory == kept)
        bench.hear(.user(.openApp(Self.id)))
        _ = bench.run(for: .seconds(8))
        #expect(bench.callCount == 0)
        // The same push again is a flash of the screen and no call.
        let second = bench.push(Self.payload("c-1"))
        let rings = second.filter { $0.kind == CallRinging.kind }
        let ends = second.filter { $0.kind == CallRingEnded.kind }
        #expect(bench.callCount == 0)
        #expect(rings.last?.instant == ends.last?.instant)
    }

    @Test("A report without a push is of the call that the app names, not of a push's (VP-02)")
    func reportWithoutPush() throws {
        var bench = try Bench()
        _ = bench.push(Self.payload("c-1"))
        let app = bench.app
        let calls = app.process?.seat.ask { $0.calls }
        let uuid = try #require(calls?.first?.uuid)
        #expect(app.callOfSystem[uuid] == 1)
        let other = UniqueID(high: 0, low: 6)
        app.reports(other)
        #expect(app.callOfSystem[other] == nil)
    }

    @Test("An app that forgets its calls at relaunch rings twice for one (VP-02)")
    func forgetful() throws {
        var bench = try Bench(.asSpecified)
        _ = bench.push(Self.payload("c-1"))
        #expect(bench.app.storage.callMemory == nil)
        let second = bench.push(Self.payload("c-1"))
        #expect(second.count { $0.kind == CallRinging.kind } >= 1)
        #expect(bench.callCount == 1)
    }

    @Test("An app that ends its background task when its time is up is suspended, not killed")
    func backgroundTime() throws {
        var bench = try Bench()
        _ = bench.push(Self.payload("c-1"))
        // Without a network the server cannot be told of the end: the app asks for time, and gets 30 s.
        bench.hear(.user(.call(.decline)))
        let records = bench.run(for: .seconds(40))
        #expect(!records.contains { $0.kind == AppTerminated.kind })
        #expect(bench.app.phase == .suspended)
    }

    @Test("What the system says is to the calling app what it is to an app on a phone (VP-08)")
    func news() {
        let (operation, action) = (OperationID(number: 3), ActionID(number: 4))
        let (push, call) = (PushID(number: 5), UniqueID(high: 0, low: 6))
        let heard: [(SystemNews, CallAppEvent?)] = [
            (.launched(.push), .launched),
            (.scene(.inactive), .scenePhaseChanged(.inactive)),
            (.path(.unsatisfied), .pathChanged(.unsatisfied)),
            (.push(.token([1])), .pushTokenReceived([1])),
            (.push(.tokenInvalidated), .pushTokenInvalidated),
            (
                .push(.received(push, payload: "nonsense", duty: operation)),
                .pushReceived(push, .dictionary([]))
            ),
            (.call(.reportFinished(operation, nil)), .reportFinished(operation, nil)),
            (
                .call(.requestFinished(operation, isAccepted: false)),
                .requestFinished(operation, isAccepted: false)
            ),
            (.call(.actionRequested(action, .end(call))), .actionRequested(action, .end(call))),
            (.call(.actionTimedOut(action)), .actionTimedOut(action)),
            (.call(.audioActivated), .audioActivated),
            (.call(.audioDeactivated), .audioDeactivated),
            (.audio(.interruptionBegan), nil),
            (.notificationTapped, nil),
            (.backgroundTimeExpired(operation), .backgroundTimeExpired),
            (
                .answer(operation, .voiceEngine(.failed(.insufficientPriority))),
                .voiceEngineAnswered(operation, isRunning: false)
            ),
            (.answer(.ofSDK, .voiceEngine(.failed(.cannotStartRecording))), .voiceEngineStopped),
            (
                .answer(operation, .microphonePermission(isGranted: true)),
                .microphonePermissionAnswered(operation, isGranted: true)
            ),
        ]
        for (news, event) in heard { #expect(CallAppEvent(news) == event, "\(news)") }
    }
}
