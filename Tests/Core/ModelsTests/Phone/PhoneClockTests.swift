@testable import KodamaPhone
import SansIO
import SansIOTesting
import Testing

private typealias Effect = PhoneClock.Effect

@Suite("The clock that the phone shows")
struct PhoneClockTests {
    private static let app = AppID(0)

    private static func seconds(_ seconds: Int64) -> WallTime {
        WallTime(nanosecondsSince1970: seconds * 1_000_000_000)
    }

    private static var fastClock: PhoneClock {
        PhoneClock(start: seconds(1_000), offset: .seconds(60), appCount: 1)
    }

    @Test("An app is told the time at launch and when the clock jumps, a suspended one later")
    func jumps() throws {
        var story = Transcript(Self.fastClock)
        try story.expect(.appListens(Self.app), at: .seconds(1)) {
            Effect.told(Self.app, Self.seconds(1_061))
        }
        try story.expect(.set(offset: .zero), at: .seconds(2)) {
            Effect.told(Self.app, Self.seconds(1_002))
        }
        try story.expect(.appSuspended(Self.app), at: .seconds(3))
        try story.expect(.appListens(Self.app), at: .seconds(4))
        try story.expect(.appSuspended(Self.app), at: .seconds(5))
        try story.expect(.set(offset: .seconds(-3_600)), at: .seconds(6))
        try story.expect(.appListens(Self.app), at: .seconds(7)) {
            Effect.told(Self.app, Self.seconds(-2_593))
        }
        #expect(
            story.machine.reading(at: Instant(nanoseconds: 8_000_000_000))
                == Self.seconds(-2_592)
        )
    }

    @Test("The clock keeps the laws of its contract")
    func laws() throws {
        for seed in 0..<50 as Range<UInt64> {
            try checkLaws(
                seed: seed,
                steps: 200,
                make: { Self.fastClock },
                event: { random, _ in
                    switch random.below(4) {
                    case 0: .set(offset: .seconds(random.below(3)))
                    case 1: .appSuspended(Self.app)
                    case 2: .appEnded(Self.app)
                    default: .appListens(Self.app)
                    }
                }
            )
        }
    }
}
