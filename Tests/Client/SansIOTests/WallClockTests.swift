import SansIO
import Testing

@Suite("The user's clock and identities")
struct WallClockTests {
    private let reading = WallTime(secondsSince1970: 1_800_000_000)

    @Test("A clock goes on as monotonic time does, and holds at the ends of what can be said")
    func goesOn() {
        let clock = WallClock(showing: reading, at: Instant(nanoseconds: 5))
        #expect(clock.reading(at: Instant(nanoseconds: 5)) == reading)
        let later = clock.reading(at: Instant(nanoseconds: 2_000_000_005))
        #expect(later.secondsSince1970 == 1_800_000_002)
        let end = WallClock(showing: WallTime(nanosecondsSince1970: .max - 1))
        #expect(end.reading(at: Instant(nanoseconds: 9)).nanosecondsSince1970 == .max)
    }

    @Test("A clock that nobody was told of counts from 1970")
    func untold() {
        let fifteen = Instant(nanoseconds: 15_000_000_000)
        #expect(WallClock().reading(at: fifteen) == WallTime(secondsSince1970: 15))
    }

    @Test("Times far away are held within what can be said")
    func held() {
        #expect(WallTime(secondsSince1970: .max).nanosecondsSince1970 == .max)
        #expect(WallTime(secondsSince1970: .min).nanosecondsSince1970 == .min)
        #expect(reading.advanced(by: .seconds(8_000_000_000)).nanosecondsSince1970 == .max)
        #expect(reading.advanced(by: .seconds(-1)).secondsSince1970 == 1_799_999_999)
    }

    @Test("An identity is read as it is written, in either case, and nothing else is one")
    func identities() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<100 {
            let id = UniqueID(from: &generator)
            #expect(UniqueID(id.text) == id)
            #expect(UniqueID(id.text.lowercased()) == id)
            #expect(id.high & 0xF000 == 0x4000)
            #expect(id.low >> 62 == 0b10)
        }
        #expect(UniqueID(high: 1, low: 2).text == "00000000-0000-0001-0000-000000000002")
        for text in ["", "x", "00000000-0000-0001-0000-00000000000", "+0000000-0000-0001-0000-0"] {
            #expect(UniqueID(text) == nil, "\(text)")
        }
    }
}
