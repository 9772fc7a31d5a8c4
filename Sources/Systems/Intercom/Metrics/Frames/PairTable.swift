import KodamaEvidence

/// Values for ordered pairs of devices, numbered in the order in which pairs are first met.
struct PairTable<Value> {
    /// The values, by the pairs' numbers.
    var values: [Value] = []
    /// The pairs' numbers plus one, by origin and listener; 0 for pairs not met.
    private var numbers: [UInt32] = []
    private var width = 0
    /// The numbers of pairs with a device from `widthMax` on: a square of all of them is gigabytes.
    private var far: [Pair: Int] = [:]
    /// The devices that each device is in a pair with, ascending.
    private var partners: [Int: [Int]] = [:]
    /// What each pair starts with: in an array, so that a table is handed over as a few words.
    private let fresh: [Value]

    private struct Pair: Hashable {
        let origin: Int
        let listener: Int
    }

    /// Up to 4 MiB of numbers.
    private static var widthMax: Int { 1_024 }

    /// Makes a table that starts each pair with a copy of `fresh`.
    init(startingWith fresh: Value) {
        self.fresh = [fresh]
    }

    /// The number of the pair, if it was met.
    func existing(_ origin: Int, _ listener: Int) -> Int? {
        guard origin < width, listener < width else {
            return far.isEmpty ? nil : far[Pair(origin: origin, listener: listener)]
        }
        let number = numbers[origin &* width &+ listener]
        return number == 0 ? nil : Int(number) &- 1
    }

    /// The number of the pair, which is started if it was not met yet.
    mutating func number(_ origin: Int, _ listener: Int) -> Int {
        if let number = existing(origin, listener) {
            return number
        }
        values += fresh
        note(listener, asPartnerOf: origin)
        note(origin, asPartnerOf: listener)
        guard max(origin, listener) < Self.widthMax else {
            far[Pair(origin: origin, listener: listener)] = values.count - 1
            return values.count - 1
        }
        widen(to: max(origin, listener) + 1)
        numbers[origin * width + listener] = UInt32(values.count)
        return values.count - 1
    }

    /// The devices that `device` is in a pair with, on either side, ascending.
    func partners(of device: Int) -> [Int] { partners[device] ?? [] }

    private mutating func note(_ other: Int, asPartnerOf device: Int) {
        let known = partners[device] ?? []
        let rank = known.firstIndex { $0 >= other } ?? known.endIndex
        guard rank == known.endIndex || known[rank] != other else { return }
        partners[device, default: []].insert(other, at: rank)
    }

    /// The numbers of the pairs met that `device` is part of, on either side.
    func numbers(with device: Int) -> [Int] {
        partners(of: device).flatMap { other in
            let pairs = [existing(device, other), other == device ? nil : existing(other, device)]
            return pairs.compactMap(\.self)
        }
    }

    private mutating func widen(to needed: Int) {
        guard needed > width else { return }
        let wider = max(8, needed.nextPowerOfTwo)
        var moved = Array(repeating: UInt32(0), count: wider * wider)
        for origin in 0..<width {
            for listener in 0..<width {
                moved[origin * wider + listener] = numbers[origin * width + listener]
            }
        }
        numbers = moved
        width = wider
    }
}

extension Int {
    /// The least power of two that is not below this positive number.
    var nextPowerOfTwo: Int {
        self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount)
    }
}

extension PairTable: Sendable where Value: Sendable {}
