@testable import KodamaEvidence
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("What excuses an app once excuses it no more when it is over")
struct SessionSecondCauseTests {
    /// A path that is back at 14 s, and voice that is back at 34 s, for whatever reason.
    private static func slowReturn() -> SessionScene {
        var scene = SessionScene()
        scene.talk(1_000..<10_000, 34_000..<200_000)
        scene.outage(10_000..<14_000)
        return scene
    }

    private static func recovery(_ scene: SessionScene) -> [Double]? {
        scene.findings(until: 100_000).milliseconds("session.recovery.time")
    }

    private static let whole: [Double]? = [20_060]

    /// A cause that keeps an app waiting, and when it is there, in milliseconds.
    struct Cause: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let add: @Sendable (inout SessionScene, Range<Int64>) -> Void
        /// What the app does that shows that it waits.
        let wait: @Sendable (inout SessionScene) -> Void
    }

    private static func asks(_ scene: inout SessionScene) {
        scene.add(TokenRequested(operation: 1), at: 15_000)
        scene.add(TokenAnswered(operation: 1, outcome: TraceWord(.timedOut)), at: 20_000)
        scene.add(TokenRequested(operation: 2), at: 24_000)
        scene.add(TokenAnswered(operation: 2, outcome: TraceWord(number: 200)), at: 29_000)
    }

    private static func api(_ fault: WorldFault) -> Cause {
        Cause(
            testDescription: "\(fault)",
            add: { scene, time in
                scene.add(FaultBegan(fault: fault, parameter: 0), at: time.lowerBound)
                scene.add(FaultEnded(fault: fault), at: time.upperBound)
            },
            wait: asks
        )
    }

    private static func shut(_ fault: WorldFault, _ failure: AttemptFailure) -> Cause {
        Cause(
            testDescription: "\(fault)",
            add: { scene, time in scene.serverShut(fault, time) },
            wait: { $0.attempt(.connect, 15_000..<15_200, room: 2, failure: failure) }
        )
    }

    private static let call = Cause(
        testDescription: "a call",
        add: { scene, time in scene.ownCall(time) },
        wait: { _ in }
    )

    static let causes: [Cause] = [
        api(.silentAPI), api(.darkAPI), shut(.serverFull, .refused),
        shut(.serverDrained, .refused), shut(.portClosed, .socketBroken), call,
    ]

    @Test(
        "A cause shortens the recovery while it is there, and at no other time (K-01b)",
        arguments: causes
    )
    func pairs(cause: Cause) {
        func recovery(_ times: Range<Int64>...) -> [Double]? {
            var scene = Self.slowReturn()
            for time in times { cause.add(&scene, time) }
            cause.wait(&scene)
            return Self.recovery(scene)
        }
        #expect(recovery() == Self.whole, "without the cause all of it counts")
        let excused = recovery(12_000..<28_000)
        #expect(excused != nil && excused != Self.whole)
        #expect(recovery(2_000..<3_000) == Self.whole, "a cause that is over before")
        #expect(recovery(40_000..<50_000) == Self.whole, "one that begins after")
        #expect(recovery(2_000..<3_000, 12_000..<28_000) == excused, "the second counts as one")
        let third = recovery(2_000..<3_000, 5_000..<6_000)
        #expect(third == Self.whole, "two that are over before")
    }

    /// An agent that comes, goes for a reason that is no fault of the app's, and comes again.
    private static func goes(
        twice: Bool,
        _ cause: (inout SessionScene, Int64) -> Void,
        _ reason: DisconnectReason
    ) -> Int? {
        var scene = SessionScene()
        scene.add(AgentJoined(), at: 1_000)
        cause(&scene, 4_900)
        scene.add(AgentClosed(reason: TraceWord(reason)), at: 5_000)
        scene.act(.connect, at: 6_000)
        scene.add(ConnectBegan(room: 2), at: 6_000)
        scene.add(AgentJoined(), at: 7_000)
        if twice { cause(&scene, 8_900) }
        scene.add(AgentClosed(reason: TraceWord(reason)), at: 9_000)
        return scene.broken(until: 20_000)["session.agent-survives"]
    }

    @Test("A goodbye that the user asked for excuses one end of the agent, and not the next (D-05)")
    func secondGoodbye() {
        func goodbye(_ scene: inout SessionScene, at time: Int64) {
            scene.act(.disconnect, at: time)
            scene.add(RoomLeft(room: 1, manner: TraceWord(.disconnect)), at: time)
        }
        #expect(Self.goes(twice: true, goodbye, .clientInitiated) == nil)
        #expect(Self.goes(twice: false, goodbye, .clientInitiated) == 1)
    }

    @Test("An app that was killed explains one end of the agent, and not the next (D-05)")
    func secondDeath() {
        func death(_ scene: inout SessionScene, at time: Int64) {
            scene.act(.killApp, at: time)
            scene.add(AppTerminated(), at: time)
            scene.add(AppLaunched(), at: time + 50)
        }
        #expect(Self.goes(twice: true, death, .clientInitiated) == nil)
        #expect(Self.goes(twice: false, death, .clientInitiated) == 1)
    }

    @Test("A job that the world ends explains one end of the agent, and not the next (RS-11)")
    func secondJob() {
        func fault(_ scene: inout SessionScene, at time: Int64) {
            scene.add(FaultBegan(fault: .agentLeft, parameter: 0), at: time)
        }
        #expect(Self.goes(twice: true, fault, .unknownReason) == nil)
        #expect(Self.goes(twice: false, fault, .unknownReason) == 1)
    }
}
