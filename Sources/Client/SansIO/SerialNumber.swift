/// A 32-bit counter that wraps, ordered as RFC 1982 says.
///
/// Of two numbers that lie less than 2^31 apart on the circle, the one ahead is the greater. At a
/// distance of exactly 2^31 RFC 1982 leaves the order open; here the difference is -2^31 both ways,
/// so either number counts as behind the other.
@frozen
public struct SerialNumber: Sendable, Hashable, BitwiseCopyable {
    /// The counter as it travels.
    public var rawValue: UInt32

    /// Makes the number with this counter value.
    @inlinable
    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// How far this number lies ahead of `other`; negative if behind.
    @inlinable
    public func distance(ahead other: SerialNumber) -> Int32 {
        Int32(bitPattern: rawValue &- other.rawValue)
    }

    /// The number that lies `steps` ahead, over the wrap if need be.
    @inlinable
    public func advanced(by steps: UInt32) -> SerialNumber {
        SerialNumber(rawValue &+ steps)
    }
}

/// Gives wrapping numbers their place on a line without end.
///
/// Each number is taken as the one nearest to the greatest so far. The greatest does not go back,
/// so a late packet cannot draw the line after itself.
public struct SerialUnwrapper: Sendable, Equatable {
    private var greatest: Int64?

    /// Starts a line; the first number stands where it is.
    public init() {}

    /// The number's place on the line.
    public mutating func unwrap(_ number: SerialNumber) -> Int64 {
        guard let greatest else {
            self.greatest = Int64(number.rawValue)
            return Int64(number.rawValue)
        }
        let last = SerialNumber(UInt32(truncatingIfNeeded: greatest))
        let place = greatest + Int64(number.distance(ahead: last))
        self.greatest = max(greatest, place)
        return place
    }
}
