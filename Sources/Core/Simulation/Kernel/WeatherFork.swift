public import SansIO

/// Where the weather of a run parts from that of its seed.
///
/// Up to the instant the run is the same to the bit. What links, faults and speech draw for later is
/// drawn by another seed; machines keep theirs: the world varies, not what is tested in it.
@frozen
public struct WeatherFork: Sendable, Equatable, BitwiseCopyable {
    /// From when on the weather is another one.
    public var instant: Instant
    /// The seed of what is drawn from then on.
    public var seed: UInt64

    /// Lets the weather of a run part at `instant`.
    @inlinable
    public init(at instant: Instant, seed: UInt64) {
        self.instant = instant
        self.seed = seed
    }

    /// One of many forks of the run of `seed`, all of them different.
    public init(at instant: Instant, of seed: UInt64, number: Int) {
        let entity = "\(instant.nanoseconds)/\(number)"
        self.init(
            at: instant,
            seed: RandomStream(seed: seed, purpose: "fork", entity: entity).bits(at: 0)
        )
    }
}
