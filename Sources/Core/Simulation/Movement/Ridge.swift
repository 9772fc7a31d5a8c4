/// A ridge on level ground, which stands between the radios of two who are on either side of it.
///
/// Its crest is a straight line between two points, equally high all along; its sides fall to the level ground, one
/// in three (an assumption: a path as steep as hikers like).
public struct Ridge: Sendable, Equatable {
    /// Where the crest begins.
    public var start: Position
    /// Where it ends.
    public var end: Position
    /// How high it is above the level ground, in millimetres.
    public var heightMillimetres: Int64

    /// How far its foot is from the crest, in units of its height.
    private static let run = 3.0
    /// How high a walker holds a phone above the ground, in millimetres, as in `PeerRadioModel`.
    private static let phoneHeight = 1_000.0

    /// Describes a ridge.
    public init(start: Position, end: Position, heightMillimetres: Int64) {
        self.start = start
        self.end = end
        self.heightMillimetres = heightMillimetres
    }

    /// What all ridges between two points take from the radio between them, in thousandths of a decibel.
    ///
    /// Each counts as a knife's edge by itself, and all of them together.
    public static func lossMilliDecibels(
        of ridges: [Ridge],
        from one: Position,
        to other: Position
    ) -> Int64 {
        func height(_ point: Position) -> Double {
            phoneHeight + (ridges.map { $0.elevation(at: point) }.max() ?? 0)
        }
        let (near, far) = (height(one), height(other))
        let way = max(Double(one.distanceMillimetres(to: other)), 1)
        return ridges.reduce(0) { sum, ridge in
            guard let share = ridge.crossing(from: one, to: other) else { return sum }
            let sight = near + (far - near) * share
            return sum
                + PeerRadioModel.diffractionMilliDecibels(
                    overMillimetres: Double(ridge.heightMillimetres) - sight,
                    between: way * share,
                    and: way * (1 - share)
                )
        }
    }

    /// How high the ground is at a point, in millimetres above level ground.
    func elevation(at point: Position) -> Double {
        let crest = Vector(from: start, to: end)
        let way = Vector(from: start, to: point)
        let length = crest.dot(crest)
        let share = length > 0 ? min(max(way.dot(crest) / length, 0), 1) : 0
        let off = Vector(
            east: way.east - share * crest.east,
            north: way.north - share * crest.north
        )
        return max(0, Double(heightMillimetres) - off.dot(off).squareRoot() / Self.run)
    }

    /// At which share of the way between two points the crest is passed; `nil` where it is not.
    func crossing(from one: Position, to other: Position) -> Double? {
        let (way, crest) = (Vector(from: one, to: other), Vector(from: start, to: end))
        let between = Vector(from: one, to: start)
        let area = way.cross(crest)
        guard area != 0 else { return nil }
        let (share, place) = (between.cross(crest) / area, between.cross(way) / area)
        return (0...1).contains(share) && (0...1).contains(place) ? share : nil
    }
}

/// A way on level ground, in millimetres.
private struct Vector {
    var east: Double
    var north: Double

    init(east: Double, north: Double) {
        self.east = east
        self.north = north
    }

    init(from one: Position, to other: Position) {
        east = Double(other.eastMillimetres - one.eastMillimetres)
        north = Double(other.northMillimetres - one.northMillimetres)
    }

    func dot(_ other: Vector) -> Double { east * other.east + north * other.north }

    func cross(_ other: Vector) -> Double { east * other.north - north * other.east }
}
