import Foundation

/// One way to damage a file.
public enum FileHarm: CustomStringConvertible {
    /// One bit is flipped, counted from the first byte's lowest.
    case bit(Int)
    /// 512 bytes are zero, counted in sectors.
    case sector(Int)
    /// Only so many bytes are left.
    case prefix(Int)

    /// Where the file is damaged.
    public var description: String {
        switch self {
        case .bit(let bit): "byte \(bit / 8) bit \(bit % 8)"
        case .sector(let sector): "sector at \(sector * 512)"
        case .prefix(let count): "the first \(count) bytes"
        }
    }

    /// The damaged file.
    public func applied(to file: [UInt8]) -> [UInt8] {
        var file = file
        switch self {
        case .bit(let bit): file[bit / 8] ^= 1 << UInt8(bit % 8)
        case .sector(let sector):
            for index in sector * 512..<min(file.count, sector * 512 + 512) { file[index] = 0 }
        case .prefix(let count): file = Array(file[..<count])
        }
        return file
    }

    /// Harms of a file of so many bytes: every sector, and of the flips some, or as many as `KODAMA_FLIPS` says,
    /// with a prefix for each 50 of them; beside all flips every prefix.
    ///
    /// - Parameters:
    ///   - byteCount: The file's size.
    ///   - part: One of the parts that they are tried in at the same time.
    ///   - partCount: How many parts there are.
    ///   - flips: How many flips, unless `KODAMA_FLIPS` says it.
    /// - Returns: The part's harms.
    public static func sample(
        of byteCount: Int,
        part: Int,
        of partCount: Int,
        flips: Int = 2_000
    ) -> [FileHarm] {
        let said = ProcessInfo.processInfo.environment["KODAMA_FLIPS"]
        let count = min(max(50, said.flatMap { Int($0) } ?? flips), byteCount * 8)
        // Odd, so that every bit of a byte has its turn.
        let step = byteCount * 8 / count | 1
        var harms = stride(from: 0, to: byteCount * 8, by: step).map(FileHarm.bit)
        harms += (0..<(byteCount + 511) / 512).map(FileHarm.sector)
        let prefixStep = count == byteCount * 8 ? 1 : max(1, byteCount * 50 / count)
        harms += stride(from: 0, to: byteCount, by: prefixStep).map(FileHarm.prefix)
        return harms.indices.filter { $0 % partCount == part }.map { harms[$0] }
    }
}

/// How often each fault was found, with the first harms that led to it.
public struct FaultTally: CustomStringConvertible {
    private var found: [(fault: String, count: Int, examples: [FileHarm])] = []

    /// Whether no fault was found.
    public var isEmpty: Bool { found.isEmpty }

    /// Makes a tally without faults.
    public init() {}

    /// Counts a fault.
    public mutating func add(_ fault: String, _ harm: FileHarm) {
        guard let index = found.firstIndex(where: { $0.fault == fault }) else {
            return found.append((fault, 1, [harm]))
        }
        found[index].count += 1
        if found[index].examples.count < 5 { found[index].examples.append(harm) }
    }

    /// The faults, the most frequent first.
    public var description: String {
        found.sorted { $0.count > $1.count }
            .map { "\($0.count) × \($0.fault): \($0.examples)" }
            .joined(separator: "\n")
    }
}
