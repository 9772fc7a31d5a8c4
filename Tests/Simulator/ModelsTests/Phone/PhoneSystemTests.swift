import Models
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Effect = PhoneSystemEffect

@Suite("A phone's system")
struct PhoneSystemTests {
    private static let wifi = InterfaceLease(.wifi, lease: 0)
    private static let cellular = InterfaceLease(.cellular, lease: 0)

    private var bothUp: PhoneSystem {
        PhoneSystem(interfaces: [(.cellular, isUp: true), (.wifi, isUp: true)])
    }

    /// A story that begins with the app in front.
    private func launched() throws -> Transcript<PhoneSystem> {
        var story = Transcript(bothUp)
        try story.expect(.user(.openApp), at: .zero) {
            Effect.launchApp
            Effect.addresses([Self.wifi, Self.cellular])
            Effect.path(.satisfied(.wifi))
            Effect.scenePhase(.active)
        }
        return story
    }

    /// A story whose app was left at 10 s and suspended at 15.3 s.
    private func suspended() throws -> Transcript<PhoneSystem> {
        var story = try launched()
        try story.expect(.user(.leaveApp), at: .seconds(10)) { Effect.scenePhase(.inactive) }
        try story.expectWake(at: .milliseconds(10_300)) { Effect.scenePhase(.background) }
        #expect(story.machine.deadline?.instant.nanoseconds == 15_300_000_000)
        try story.expectWake(at: .milliseconds(15_300)) { Effect.suspendApp }
        #expect(story.machine.deadline == nil)
        return story
    }

    @Test("An app that is left goes inactive, then to the background, and is suspended (RS-07)")
    func leaving() throws {
        var story = try suspended()
        try story.expect(.user(.leaveApp), at: .seconds(16))
        try story.expect(.user(.openControlCentre), at: .seconds(17))
    }

    @Test("An app that is opened again soon is resumed with its sockets (RS-07)")
    func soonResumed() throws {
        var story = try suspended()
        try story.expect(.user(.openApp), at: .seconds(20)) {
            Effect.resumeApp
            Effect.scenePhase(.inactive)
        }
        try story.expectWake(at: .milliseconds(20_300)) { Effect.scenePhase(.active) }
    }

    @Test("After more than 10 s of suspension the sockets are dead, and say so (RS-07)")
    func lateResumed() throws {
        var story = try suspended()
        try story.expect(.user(.openApp), at: .milliseconds(25_301)) {
            Effect.resumeApp
            Effect.breakSockets(Self.wifi)
            Effect.breakSockets(Self.cellular)
            Effect.scenePhase(.inactive)
        }
    }

    @Test("A suspended app is told upon its return what it missed, once (RS-07)")
    func missed() throws {
        var story = try suspended()
        try story.expect(
            .interfaceChanged(.wifi, isUp: false, .immediate),
            at: .seconds(16)
        ) { Effect.addresses([Self.cellular]) }
        try story.expect(.user(.phoneCallBegins), at: .seconds(17))
        try story.expect(.user(.openApp), at: .seconds(18)) {
            Effect.resumeApp
            Effect.breakSockets(Self.wifi)
            Effect.path(.satisfied(.cellular))
            Effect.takeAudio
            Effect.scenePhase(.inactive)
        }
        try story.expectWake(at: .milliseconds(18_300))
        try story.expect(.user(.phoneCallEnds), at: .seconds(19)) {
            Effect.returnAudio
            Effect.scenePhase(.active)
        }
    }

    @Test("An app whose audio runs lives on in the background; the grace counts from its end")
    func audio() throws {
        var story = try launched()
        try story.expect(.audioRunning(true), at: .seconds(1))
        try story.expect(.user(.leaveApp), at: .seconds(10)) { Effect.scenePhase(.inactive) }
        try story.expectWake(at: .milliseconds(10_300)) { Effect.scenePhase(.background) }
        #expect(story.machine.deadline == nil)
        try story.expect(.audioRunning(false), at: .seconds(100))
        try story.expectWake(at: .seconds(105)) { Effect.suspendApp }
    }

    @Test("A background task lengthens the grace to 30 s")
    func backgroundTask() throws {
        var story = try launched()
        try story.expect(.backgroundTask(isRunning: true), at: .seconds(9))
        try story.expect(.user(.leaveApp), at: .seconds(10)) { Effect.scenePhase(.inactive) }
        try story.expectWake(at: .milliseconds(10_300)) { Effect.scenePhase(.background) }
        try story.expectWake(at: .seconds(40))
        try story.expectWake(at: .milliseconds(40_300)) { Effect.suspendApp }
    }

    @Test("Control Centre makes the app inactive and nothing else (D-05)")
    func controlCentre() throws {
        var story = try launched()
        try story.expect(.user(.openControlCentre), at: .seconds(1)) {
            Effect.scenePhase(.inactive)
        }
        try story.expect(.user(.closeControlCentre), at: .seconds(3)) {
            Effect.scenePhase(.active)
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("A phone call takes the audio and gives it back (RS-15)")
    func phoneCall() throws {
        var story = try launched()
        try story.expect(.user(.phoneCallBegins), at: .seconds(1)) {
            Effect.takeAudio
            Effect.scenePhase(.inactive)
        }
        try story.expect(.user(.phoneCallBegins), at: .seconds(2))
        try story.expect(.user(.phoneCallEnds), at: .seconds(9)) {
            Effect.returnAudio
            Effect.scenePhase(.active)
        }
    }

    @Test("A killed app is launched anew, and told everything again")
    func kill() throws {
        var story = try suspended()
        try story.expect(.user(.killApp), at: .seconds(20)) { Effect.terminateApp }
        try story.expect(.user(.killApp), at: .seconds(21))
        try story.expect(.user(.openApp), at: .seconds(30)) {
            Effect.launchApp
            Effect.addresses([Self.wifi, Self.cellular])
            Effect.path(.satisfied(.wifi))
            Effect.scenePhase(.active)
        }
    }

    @Test("A lost interface is told late, or never; addresses are the truth at once (RS-11)")
    func notices() throws {
        var story = try launched()
        let late = PathNotice(delay: .seconds(3), breaksSockets: false)
        try story.expect(.interfaceChanged(.wifi, isUp: false, late), at: .seconds(1)) {
            Effect.addresses([Self.cellular])
        }
        try story.expectWake(at: .seconds(4)) { Effect.path(.satisfied(.cellular)) }
        try story.expect(.interfaceChanged(.cellular, isUp: false, .never), at: .seconds(5)) {
            Effect.addresses([])
        }
        #expect(story.machine.deadline == nil)
        let another = InterfaceLease(.cellular, lease: 1)
        try story.expect(.interfaceChanged(.cellular, isUp: true, .immediate), at: .seconds(9)) {
            Effect.addresses([another])
            Effect.path(.satisfied(.cellular))
        }
        try story.expect(.interfaceChanged(.cellular, isUp: false, .immediate), at: .seconds(10)) {
            Effect.addresses([])
            Effect.breakSockets(another)
            Effect.path(.unsatisfied)
        }
        try story.expect(.interfaceChanged(.cellular, isUp: false, .immediate), at: .seconds(11))
    }

    @Test("Wi-Fi is the favourite as soon as it is back; a change behind it is not told")
    func favourites() throws {
        var story = Transcript(
            PhoneSystem(interfaces: [(.wifi, isUp: false), (.cellular, isUp: true)])
        )
        try story.expect(.user(.openApp), at: .zero) {
            Effect.launchApp
            Effect.addresses([Self.cellular])
            Effect.path(.satisfied(.cellular))
            Effect.scenePhase(.active)
        }
        let first = InterfaceLease(.wifi, lease: 1)
        try story.expect(.interfaceChanged(.wifi, isUp: true, .immediate), at: .seconds(1)) {
            Effect.addresses([first, Self.cellular])
            Effect.path(.satisfied(.wifi))
        }
        try story.expect(.interfaceChanged(.cellular, isUp: false, .immediate), at: .seconds(2)) {
            Effect.addresses([first])
            Effect.breakSockets(Self.cellular)
        }
    }

    @Test("The phone keeps the laws of its contract", arguments: 0..<4 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        var suspensions = 0
        for seed in decade * 50..<decade * 50 + 50 {
            try checkLaws(
                seed: seed,
                steps: 300,
                make: { bothUp },
                frame: { effect in
                    suspensions += effect == .suspendApp ? 1 : 0
                    return nil
                },
                event: { random, _ in Self.event(&random) }
            )
        }
        #expect(suspensions > 0, "phones that never suspend the app prove little")
    }

    private static func event(_ random: inout LawRandom) -> PhoneSystemEvent {
        switch random.below(8) {
        case 0: return .audioRunning(random.chance(percent: 30))
        case 1: return .backgroundTask(isRunning: random.chance(percent: 50))
        case 2, 3, 4:
            let delay: Duration? =
                random.chance(percent: 70) ? .milliseconds(random.below(9_000)) : nil
            return .interfaceChanged(
                random.chance(percent: 50) ? .wifi : .cellular,
                isUp: random.chance(percent: 60),
                PathNotice(delay: delay, breaksSockets: random.chance(percent: 50))
            )
        default:
            let actions = UserAction.allCases
            return .user(actions[random.below(actions.count)])
        }
    }
}
