@testable import KodamaSimulation
import SansIO
import Testing

@Suite("Where walkers are, in whole millimetres (D-09)")
struct WalkTests {
    private static let way = Walk([
        .init(position: .origin, stay: .seconds(10), speedMillimetresPerHour: 0),
        .init(
            position: Position(eastMillimetres: 30_000, northMillimetres: 40_000),
            stay: .seconds(5),
            speedMillimetresPerHour: 3_600_000
        ),
        .init(
            position: Position(eastMillimetres: 30_000, northMillimetres: 0),
            stay: .zero,
            speedMillimetresPerHour: 7_200_000
        ),
    ])

    private func at(_ milliseconds: Int64) -> Instant {
        Instant(nanoseconds: milliseconds * 1_000_000)
    }

    @Test("A walker waits, walks at its pace, rests at the way point, and stays at the end")
    func positions() {
        let expected: [(Int64, Int64, Int64)] = [
            (0, 0, 0), (10_000, 0, 0), (11_000, 600, 800), (35_000, 15_000, 20_000),
            (60_000, 30_000, 40_000), (64_999, 30_000, 40_000), (66_000, 30_000, 38_000),
            (85_000, 30_000, 0), (1_000_000, 30_000, 0),
        ]
        for (time, east, north) in expected {
            let position = Position(eastMillimetres: east, northMillimetres: north)
            #expect(Self.way.position(at: at(time)) == position, "at \(time) ms")
        }
    }

    @Test("A point of the way is reached no sooner than the walker has come so far")
    func arrivals() {
        #expect(Self.way.lengthMillimetres == 90_000)
        #expect(Self.way.arrival(atMillimetres: 0) == .zero)
        #expect(Self.way.arrival(atMillimetres: 1_000) == at(11_000))
        #expect(Self.way.arrival(atMillimetres: 50_000) == at(60_000))
        #expect(Self.way.arrival(atMillimetres: 52_000) == at(66_000))
        #expect(Self.way.arrival(atMillimetres: 90_001) == nil)
        for distance in stride(from: Int64(1), through: 90_000, by: 777) {
            guard let arrival = Self.way.arrival(atMillimetres: distance) else { continue }
            #expect(Self.way.walkedMillimetres(at: arrival) >= distance)
            let before = Instant(nanoseconds: arrival.nanoseconds - 1_000_000)
            #expect(Self.way.walkedMillimetres(at: before) < distance)
        }
    }

    @Test("A walker is looked at once a second while walking, and not while resting")
    func looks() {
        func next(_ time: Int64) -> Instant? {
            Self.way.nextLook(after: at(time), step: .seconds(1))
        }
        #expect(next(0) == at(11_000))
        #expect(next(11_000) == at(12_000))
        #expect(next(59_500) == at(60_000))
        #expect(next(60_000) == at(66_000))
        #expect(next(85_000) == nil)
    }

    @Test("Distances are rounded down, however long")
    func distances() {
        let far = Position(eastMillimetres: 1_000_000_000, northMillimetres: -1_000_000_000)
        #expect(Position.origin.distanceMillimetres(to: far) == 1_414_213_562)
        let near = Position(eastMillimetres: 1, northMillimetres: 1)
        #expect(near.distanceMillimetres(to: .origin) == 1)
    }
}
