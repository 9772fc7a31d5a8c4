@testable import KodamaPhone
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Effect = NetworkMonitor.Effect

@Suite("What apps hear of the network")
struct NetworkMonitorTests {
    private static let session = AppID(0)
    private static let other = AppID(1)
    private static let wifi = InterfaceLease(.wifi, lease: 0)
    private static let cellular = InterfaceLease(.cellular, lease: 0)

    private static var bothUp: NetworkMonitor {
        NetworkMonitor(
            interfaces: [(.cellular, isUp: true), (.wifi, isUp: true)],
            appCount: 2,
            suspendedSocketLife: .seconds(10)
        )
    }

    @Test("Each app is told by itself: a suspended one later, what it missed, once (RS-07, RS-11)")
    func twoApps() throws {
        var story = Transcript(Self.bothUp)
        for app in [Self.session, Self.other] {
            try story.expect(.appLaunched(app), at: .zero) {
                Effect.pathChanged(app, .satisfied(.wifi))
            }
        }
        try story.expect(.appSuspended(Self.other), at: .seconds(1))
        try story.expect(.interfaceChanged(.wifi, isUp: false, .immediate), at: .seconds(2)) {
            Effect.addresses([Self.cellular])
            Effect.breakSockets(Self.session, Self.wifi)
            Effect.pathChanged(Self.session, .satisfied(.cellular))
        }
        try story.expect(.appResumed(Self.other, asleep: .seconds(2)), at: .seconds(3)) {
            Effect.breakSockets(Self.other, Self.wifi)
            Effect.pathChanged(Self.other, .satisfied(.cellular))
        }
    }

    @Test("The phone's addresses are its own, whether an app runs or not")
    func addresses() {
        #expect(Self.bothUp.addresses == [Self.wifi, Self.cellular])
    }

    @Test("The monitor keeps the laws of its contract", arguments: 0..<4 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        for seed in decade * 50..<decade * 50 + 50 {
            try checkLaws(
                seed: seed,
                steps: 300,
                make: { Self.bothUp },
                event: { random, _ in Self.event(&random) }
            )
        }
    }

    private static func event(_ random: inout LawRandom) -> NetworkMonitor.Event {
        let app = AppID(random.below(2))
        switch random.below(8) {
        case 0: return .appLaunched(app)
        case 1: return .appSuspended(app)
        case 2: return .appResumed(app, asleep: .seconds(random.below(20)))
        case 3: return .appEnded(app)
        default:
            let (kind, isUp, notice) = random.interfaceChange()
            return .interfaceChanged(kind, isUp: isUp, notice)
        }
    }
}

extension LawRandom {
    /// An interface, whether it comes up, and how the system speaks of it.
    mutating func interfaceChange() -> (NetworkInterface, isUp: Bool, PathNotice) {
        let delay: Duration? = chance(percent: 70) ? .milliseconds(below(9_000)) : nil
        return (
            chance(percent: 50) ? .wifi : .cellular,
            isUp: chance(percent: 60),
            PathNotice(delay: delay, breaksSockets: chance(percent: 50))
        )
    }
}
