/// One entity's own sequence of random numbers: keyed, counter-based, shared with nobody.
///
/// Draw `i` is splitmix64's finalizer over `key + i·γ`, a pure function of (seed, purpose, entity,
/// index). A new component, a longer run or one more fault disturbs nobody else's draws.
@frozen
public struct RandomStream: Sendable, Equatable, BitwiseCopyable {
    /// The hash of seed, purpose and entity.
    public let key: UInt64
    /// The number of the next draw, from 0.
    public var index: UInt64 = 0

    /// Opens the stream of one entity for one purpose.
    ///
    /// - Parameters:
    ///   - seed: The run's seed.
    ///   - purpose: What is drawn, such as `"loss"`.
    ///   - entity: The entity's name, such as `"aoi-phone/ren-phone"`.
    public init(seed: UInt64, purpose: StaticString, entity: String) {
        var key = Self.finalize(seed &+ Self.gamma)
        purpose.withUTF8Buffer { bytes in
            for byte in bytes {
                key = Self.finalize((key ^ UInt64(byte)) &+ Self.gamma)
            }
        }
        key = Self.finalize(key &+ Self.gamma)
        for byte in entity.utf8 {
            key = Self.finalize((key ^ UInt64(byte)) &+ Self.gamma)
        }
        self.key = key
    }

    /// Draw number `index`, in any order.
    @inlinable
    public func bits(at index: UInt64) -> UInt64 {
        Self.finalize(key &+ index &* Self.gamma)
    }

    /// The next draw.
    @inlinable
    public mutating func next() -> UInt64 {
        defer { index &+= 1 }
        return bits(at: index)
    }

    /// 2^64 over the golden ratio, made odd (Steele, Lea and Flood, OOPSLA 2014).
    @inlinable
    static var gamma: UInt64 { 0x9E37_79B9_7F4A_7C15 }

    /// Splitmix64's finalizer: a bijection that spreads every input bit over the output.
    @inlinable
    static func finalize(_ input: UInt64) -> UInt64 {
        var bits = input
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
