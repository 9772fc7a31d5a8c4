@testable import KodamaSimulation
import SansIO
import Testing

@Suite("Ridges between people who walk (D-09)")
struct RidgeTests {
    /// A crest from west to east, 10 m high, whose foot is 30 m from it.
    private static let ridge = Ridge(
        start: point(-100, 0),
        end: point(100, 0),
        heightMillimetres: 10_000
    )

    private static func point(_ east: Int64, _ north: Int64) -> Position {
        Position(eastMillimetres: east * 1_000, northMillimetres: north * 1_000)
    }

    private static func loss(_ one: Position, _ other: Position) -> Int64 {
        Ridge.lossMilliDecibels(of: [ridge], from: one, to: other)
    }

    /// Worked out apart from this code, in Python, by ITU-R P.526-15 (26) and (31) for λ = 57.4315 mm.
    @Test(
        "An edge takes 6 dB where it touches the line of sight, more the higher it rises, and nothing well below",
        arguments: [
            (9_000, 50_000, 50_000, 33_382), (0, 50_000, 50_000, 6_033),
            (-200, 50_000, 50_000, 4_033),
            (-1_000, 50_000, 50_000, 0), (1_000, 20_000, 80_000, 16_659),
        ] as [(Double, Double, Double, Int64)]
    )
    func edge(_ height: Double, _ near: Double, _ far: Double, _ expected: Int64) {
        let loss = PeerRadioModel.diffractionMilliDecibels(
            overMillimetres: height,
            between: near,
            and: far
        )
        #expect(abs(loss - expected) <= 2, "\(loss)")
    }

    @Test("Who is behind a ridge is shaded, who walks around its end or stands on it is not")
    func shade() {
        #expect(abs(Self.loss(Self.point(0, -50), Self.point(0, 50)) - 33_382) <= 2)
        #expect(
            Self.loss(Self.point(0, 50), Self.point(0, -50))
                == Self.loss(Self.point(0, -50), Self.point(0, 50))
        )
        #expect(Self.loss(Self.point(0, -50), Self.point(90, -20)) == 0, "on one side")
        #expect(Self.loss(Self.point(120, -50), Self.point(120, 50)) == 0, "around the end")
        #expect(Self.loss(Self.point(0, -50), Self.point(0, 0)) == 0, "on the crest")
        #expect(Self.loss(Self.point(-50, 0), Self.point(50, 0)) == 0, "along it")
        // From the top down both sides are seen, and from halfway up less is lost than from the foot.
        let foot = Self.loss(Self.point(0, -50), Self.point(0, 30))
        let halfway = Self.loss(Self.point(0, -50), Self.point(0, 10))
        #expect(halfway > 0 && halfway < foot, "\(halfway), \(foot)")
    }

    @Test("The ground falls one in three from the crest, and from its ends")
    func ground() {
        let heights = [Self.point(0, 0), Self.point(0, 15), Self.point(0, -30), Self.point(115, 0)]
            .map { Self.ridge.elevation(at: $0) }
        #expect(heights == [10_000, 5_000, 0, 5_000])
    }

    @Test("Two ridges take more than one")
    func two() {
        let second = Ridge(
            start: Self.point(-100, 20),
            end: Self.point(100, 20),
            heightMillimetres: 10_000
        )
        let (one, other) = (Self.point(0, -60), Self.point(0, 80))
        let both = Ridge.lossMilliDecibels(of: [Self.ridge, second], from: one, to: other)
        #expect(both > Self.loss(one, other))
    }
}
