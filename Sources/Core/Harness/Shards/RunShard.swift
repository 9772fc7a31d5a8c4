/// Which of all runs one process does: every n-th, from its index on, in the order of scenarios, points
/// and seeds.
///
/// Neighbours cost about the same, so taking turns makes shards equally long.
public struct RunShard: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Which shard, from 1.
    public var index: Int
    /// How many shards there are.
    public var count: Int

    /// More shards than runs that a file can ask for make no sense.
    public static let countMax = 100_000

    /// Names a shard; `nil` if there is none of that index.
    public init?(index: Int, count: Int) {
        guard (1...Self.countMax).contains(count), (1...count).contains(index) else { return nil }
        self.index = index
        self.count = count
    }

    /// Reads `2/5`.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]) else {
            return nil
        }
        self.init(index: index, count: count)
    }

    /// The shard as it is asked for: `2/5`.
    public var description: String { "\(index)/\(count)" }

    /// Whether a run is among the shard's.
    ///
    /// - Parameter position: The run's position among all, from 0.
    /// - Returns: Whether this shard does it.
    func holds(_ position: Int) -> Bool { position % count == index - 1 }
}

/// Consecutive seeds.
public struct SeedRange: Sendable, Hashable, Codable {
    /// The first.
    public var first: UInt64
    /// How many there are.
    public var count: Int

    /// The range of seeds that follow each other.
    public init(_ seeds: [UInt64]) {
        first = seeds.first ?? 0
        count = seeds.count
    }

    /// The seeds.
    public var seeds: [UInt64] { (0..<count).map { first &+ UInt64($0) } }
}
