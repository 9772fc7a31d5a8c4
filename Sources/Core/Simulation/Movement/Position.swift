/// A point on level ground, in millimetres east and north of the scenario's origin.
///
/// Each lies within ±10⁹ mm (1,000 km), so that squares of differences fit 64 bits.
public struct Position: Sendable, Hashable {
    /// How far east of the origin.
    public var eastMillimetres: Int64
    /// How far north of it.
    public var northMillimetres: Int64

    /// Makes a point.
    public init(eastMillimetres: Int64, northMillimetres: Int64) {
        self.eastMillimetres = eastMillimetres
        self.northMillimetres = northMillimetres
    }

    /// Where somebody stands who has no walk.
    public static let origin = Position(eastMillimetres: 0, northMillimetres: 0)

    /// How far it is to another point, rounded down to whole millimetres.
    public func distanceMillimetres(to other: Position) -> Int64 {
        let east = eastMillimetres - other.eastMillimetres
        let north = northMillimetres - other.northMillimetres
        return Self.squareRoot(east * east + north * north)
    }

    /// The whole part of a square root, by bits: Newton's steps from a double could differ in the last.
    private static func squareRoot(_ square: Int64) -> Int64 {
        var root = Int64(Double(square).squareRoot())
        while root * root > square { root -= 1 }
        while (root + 1) * (root + 1) <= square { root += 1 }
        return root
    }
}
