@testable import KodamaPhone
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Effect = SceneManager.Effect

@Suite("Which app is in front")
struct SceneManagerTests {
    private static let session = AppID(0)
    private static let other = AppID(1)

    private static var twoApps: SceneManager {
        SceneManager(appCount: 2, transitionTime: .milliseconds(300))
    }

    @Test("An app that is opened over another sends it to the background (RS-07)")
    func another() throws {
        var story = Transcript(Self.twoApps)
        try story.expect(.opened(Self.session, isLaunch: true), at: .zero) {
            Effect.phaseChanged(Self.session, .active)
        }
        try story.expect(.opened(Self.other, isLaunch: false), at: .seconds(1)) {
            Effect.phaseChanged(Self.session, .inactive)
            Effect.phaseChanged(Self.other, .inactive)
        }
        try story.expectWake(at: .milliseconds(1_300)) {
            Effect.phaseChanged(Self.session, .background)
            Effect.phaseChanged(Self.other, .active)
        }
    }

    @Test("An alert over an app makes it inactive, and so does a call (RS-07)")
    func covers() throws {
        var story = Transcript(Self.twoApps)
        try story.expect(.opened(Self.session, isLaunch: true), at: .zero) {
            Effect.phaseChanged(Self.session, .active)
        }
        try story.expect(.alert(Self.session, isShown: true), at: .seconds(1)) {
            Effect.phaseChanged(Self.session, .inactive)
        }
        try story.expect(.phoneCall(isOn: true), at: .seconds(2))
        try story.expect(.alert(Self.session, isShown: false), at: .seconds(3))
        try story.expect(.phoneCall(isOn: false), at: .seconds(4)) {
            Effect.phaseChanged(Self.session, .active)
        }
        try story.expect(.alert(Self.other, isShown: true), at: .seconds(5))
        // What rings and is answered covers it all the while.
        try story.expect(.ring(isOn: true), at: .seconds(6)) {
            Effect.phaseChanged(Self.session, .inactive)
        }
        try story.expect(.phoneCall(isOn: true), at: .seconds(7))
        try story.expect(.ring(isOn: false), at: .seconds(7))
        try story.expect(.phoneCall(isOn: false), at: .seconds(8)) {
            Effect.phaseChanged(Self.session, .active)
        }
    }

    @Test("Scenes keep the laws of their contract", arguments: 0..<4 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        for seed in decade * 50..<decade * 50 + 50 {
            try checkLaws(
                seed: seed,
                steps: 300,
                make: { Self.twoApps },
                event: { random, _ in Self.event(&random) }
            )
        }
    }

    private static func event(_ random: inout LawRandom) -> SceneManager.Event {
        let app = AppID(random.below(2))
        let flag = random.chance(percent: 50)
        switch random.below(6) {
        case 0: return .left
        case 1: return .controlCentre(isOpen: flag)
        case 2: return .phoneCall(isOn: flag)
        case 3: return .alert(app, isShown: flag)
        case 4: return random.chance(percent: 30) ? .ended(app) : .left
        default: return .opened(app, isLaunch: flag)
        }
    }
}
