import SansIO
import Testing

@Suite("A wall clock that a machine was told")
struct WallClockTests {
    private static func seconds(_ seconds: Int64) -> WallTime {
        WallTime(nanosecondsSince1970: seconds * 1_000_000_000)
    }

    private static func instant(_ seconds: Int64) -> Instant {
        Instant(nanoseconds: seconds * 1_000_000_000)
    }

    @Test("It counts on from what it showed; one that nobody told counts from 1970")
    func reading() {
        let told = WallClock(showing: Self.seconds(1_000), at: Self.instant(10))
        #expect(told.reading(at: Self.instant(15)) == Self.seconds(1_005))
        #expect(told.reading(at: .zero) == Self.seconds(990))
        #expect(WallClock().reading(at: Self.instant(15)) == Self.seconds(15))
        #expect(Self.seconds(5).advanced(by: .seconds(-7)) == Self.seconds(-2))
    }
}
