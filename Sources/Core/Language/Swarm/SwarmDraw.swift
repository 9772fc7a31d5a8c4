import KodamaSimulation

/// Draws for one world, each keyed by what it is for: leaving one out changes no other.
public struct SwarmDraw: Sendable {
    private let seed: UInt64
    private let scope: String

    /// Begins the draws of the world with that seed.
    public init(seed: UInt64) {
        self.seed = seed
        scope = ""
    }

    private init(seed: UInt64, scope: String) {
        self.seed = seed
        self.scope = scope
    }

    /// The draws for a part of what these are for.
    public subscript(_ name: String) -> SwarmDraw {
        SwarmDraw(seed: seed, scope: scope.isEmpty ? name : "\(scope)/\(name)")
    }

    /// A whole number, every one alike.
    public func number(in range: ClosedRange<Int64>) -> Int64 {
        var stream = stream
        return stream.uniform(in: range)
    }

    /// A whole number at least 1 whose order of magnitude is drawn: small ones are as likely as large ones.
    public func magnitude(in range: ClosedRange<Int64>) -> Int64 {
        var stream = stream
        let (least, most) = (max(1, range.lowerBound), max(1, range.upperBound))
        let doublings =
            Int64((UInt64(most) / UInt64(least)).bitWidth)
            - Int64((UInt64(most) / UInt64(least)).leadingZeroBitCount)
        let step = stream.uniform(in: 0...max(0, doublings - 1))
        let low = least << step
        let high = min(most, low > most / 2 ? most : low * 2)
        return stream.uniform(in: min(low, high)...high)
    }

    /// Whether something happens, so many times in a hundred.
    public func happens(percent: Int64) -> Bool { number(in: 0...99) < percent }

    /// One of several, every one alike; `nil` of none.
    public func one<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[Int(number(in: 0...Int64(elements.count - 1)))]
    }

    /// One of several names, every one alike; as long as that one is among them, others change nothing.
    public func pick(_ names: [String]) -> String? {
        func rank(_ name: String) -> Int64 { self[name].number(in: 0...Int64.max - 1) }
        return names.max { rank($0) < rank($1) }
    }

    /// The named that a world has: each by itself, every other one.
    public func some(of names: [String], percent: Int64 = 50) -> [String] {
        names.filter { self[$0].happens(percent: percent) }
    }

    /// A time that a person would write, between so many milliseconds; its order of magnitude is drawn.
    public func time(milliseconds range: ClosedRange<Int64>) -> DocumentNode {
        .plain(Self.text(milliseconds: Self.rounded(magnitude(in: range), in: range)))
    }

    /// A time as scenario files write it.
    public static func text(milliseconds: Int64) -> String {
        QuantityKind.duration.text(of: milliseconds * 1_000_000)
    }

    private var stream: RandomStream {
        RandomStream(seed: seed, purpose: "swarm", entity: scope)
    }

    /// Two digits are enough, where that stays within the range.
    private static func rounded(_ value: Int64, in range: ClosedRange<Int64>) -> Int64 {
        var unit: Int64 = 1
        while value / unit >= 100 { unit *= 10 }
        return min(max(value / unit * unit, range.lowerBound), range.upperBound)
    }
}
