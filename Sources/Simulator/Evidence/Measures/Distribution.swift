/// How samples of one metric are distributed, in memory that is bounded however many there are.
///
/// Samples are counted in buckets: 1,000,000 fine ones of the resolution (10 µs for times, so up to
/// 10 s), then 1,000,000 coarse ones a thousand times as wide (10 ms, so up to 10,010 s), then one
/// for everything above. A bucket holds the samples above its lower edge up to and including its
/// upper edge; bucket 0 holds all samples of zero or less. Count, sum, minimum and maximum are
/// exact. The buckets take at most 16 MB; a call's voice metrics take some 100 kB.
public struct Distribution: Sendable, Equatable {
    /// The width of a fine bucket, in the metric's unit.
    public let resolution: Int64
    /// How many samples there are.
    public private(set) var count = 0
    /// The samples' sum, in the metric's unit; adding traps beyond 64 bits (292 years of nanoseconds).
    public private(set) var sum: Int64 = 0
    /// The least sample, if there is any.
    public private(set) var minimum: Int64?
    /// The greatest sample, if there is any.
    public private(set) var maximum: Int64?
    /// Pages of counts by bucket, up to the highest one in use; an empty page counts nothing.
    private var pages: [[Int]] = []

    private static var tierBucketCount: Int64 { 1_000_000 }
    private static var coarseFactor: Int64 { 1_000 }
    private static var overflowBucket: Int { Int(2 * tierBucketCount + 1) }
    private static var pageShift: Int { 10 }

    /// The resolution of times: 10 µs.
    public static let timeResolution: Int64 = 10_000

    /// Makes an empty distribution.
    ///
    /// - Parameter resolution: The width of a fine bucket, in the metric's unit; positive.
    public init(resolution: Int64 = timeResolution) {
        precondition(resolution > 0, "a resolution of \(resolution) is not positive")
        self.resolution = resolution
    }

    /// The mean, rounded towards zero, if there is any sample.
    public var mean: Int64? {
        count == 0 ? nil : sum / Int64(count)
    }

    /// Counts one sample.
    public mutating func add(_ sample: Int64) {
        let bucket = bucket(of: sample)
        let page = bucket >> Self.pageShift
        if page >= pages.count || pages[page].isEmpty {
            open(page)
        }
        pages[page][bucket & ((1 << Self.pageShift) - 1)] += 1
        count += 1
        sum += sample
        minimum = min(minimum ?? sample, sample)
        maximum = max(maximum ?? sample, sample)
    }

    /// Counts all samples of `other`, whose resolution MUST be the same.
    public mutating func merge(_ other: Distribution) {
        precondition(resolution == other.resolution, "distributions of different resolutions")
        for (page, counts) in other.pages.enumerated() where !counts.isEmpty {
            if page >= pages.count || pages[page].isEmpty {
                open(page)
            }
            for index in counts.indices {
                pages[page][index] += counts[index]
            }
        }
        count += other.count
        sum += other.sum
        minimum = [minimum, other.minimum].compactMap(\.self).min()
        maximum = [maximum, other.maximum].compactMap(\.self).max()
    }

    /// The quantile at `perMille` thousandths by nearest rank.
    ///
    /// It is the upper edge of the bucket in which the sample of that rank lies, or the maximum if that
    /// is less: never below the sample, and above it by less than the bucket's width.
    ///
    /// - Parameter perMille: From 0 (the least sample's rank) to 1,000 (the greatest sample).
    /// - Returns: The quantile, or `nil` without a sample.
    /// - Complexity: O(buckets in use).
    public func quantile(perMille: Int) -> Int64? {
        precondition((0...1_000).contains(perMille), "there is no quantile at \(perMille) ‰")
        return sample(rank: max(1, (count * perMille + 999) / 1_000))
    }

    /// The sample of a rank, from 1 for the least, as exactly as quantiles are; `nil` beyond the last.
    ///
    /// - Complexity: O(buckets in use).
    public func sample(rank: Int) -> Int64? {
        guard let maximum, rank <= count else { return nil }
        var passed = 0
        for (page, counts) in pages.enumerated() where !counts.isEmpty {
            for (index, samples) in counts.enumerated() {
                passed += samples
                if passed >= rank {
                    return min(maximum, upperEdge(of: page << Self.pageShift + index))
                }
            }
        }
        return maximum
    }

    /// How many of all samples lie above `limit`.
    ///
    /// Exact where `limit` is a bucket's edge, a multiple of the resolution up to 10 s; elsewhere the
    /// whole bucket around `limit` counts as above it.
    ///
    /// - Complexity: O(buckets in use).
    public func shareAbove(_ limit: Int64) -> Proportion {
        let around = bucket(of: limit)
        let first = upperEdge(of: around) == limit ? around + 1 : around
        var above = 0
        for (page, counts) in pages.enumerated() where !counts.isEmpty {
            for (index, samples) in counts.enumerated()
            where page << Self.pageShift + index >= first {
                above += samples
            }
        }
        return Proportion(numerator: Int64(above), denominator: Int64(count), samples: count)
    }

    /// The buckets in use with their upper edges and counts, in order; for histograms.
    ///
    /// - Complexity: O(buckets in use).
    public var buckets: [(upperEdge: Int64, count: Int)] {
        pages.enumerated().flatMap { page, counts in
            counts.enumerated().compactMap { index, samples in
                samples == 0
                    ? nil
                    : (upperEdge: upperEdge(of: page << Self.pageShift + index), count: samples)
            }
        }
    }

    private var fineLimit: Int64 { Self.tierBucketCount * resolution }

    private func bucket(of sample: Int64) -> Int {
        guard sample > 0 else { return 0 }
        guard sample > fineLimit else { return Int(Self.ceiling(sample, by: resolution)) }
        let coarse = Self.ceiling(sample - fineLimit, by: resolution * Self.coarseFactor)
        return Int(min(Self.tierBucketCount + coarse, Int64(Self.overflowBucket)))
    }

    private func upperEdge(of bucket: Int) -> Int64 {
        let bucket = Int64(bucket)
        guard bucket > Self.tierBucketCount else { return bucket * resolution }
        guard bucket < Self.overflowBucket else { return .max }
        return fineLimit + (bucket - Self.tierBucketCount) * resolution * Self.coarseFactor
    }

    /// The quotient of two positive numbers rounded up; the common divisor is a constant for speed.
    private static func ceiling(_ dividend: Int64, by divisor: Int64) -> Int64 {
        divisor == timeResolution ? (dividend - 1) / 10_000 + 1 : (dividend - 1) / divisor + 1
    }

    private mutating func open(_ page: Int) {
        while pages.count <= page {
            pages.append([])
        }
        if pages[page].isEmpty {
            pages[page] = Array(repeating: 0, count: 1 << Self.pageShift)
        }
    }
}

extension Distribution: Codable {
    private enum CodingKeys: String, CodingKey {
        case resolution, sum, minimum, maximum, buckets
    }

    /// Writes the buckets in use as pairs of index and count, in order; nothing is lost.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(resolution, forKey: .resolution)
        try container.encode(sum, forKey: .sum)
        try container.encodeIfPresent(minimum, forKey: .minimum)
        try container.encodeIfPresent(maximum, forKey: .maximum)
        let pairs = pages.enumerated().flatMap { page, counts in
            counts.enumerated().flatMap { index, samples in
                samples == 0 ? [] : [page << Self.pageShift + index, samples]
            }
        }
        try container.encode(pairs, forKey: .buckets)
    }

    /// Reads what `encode(to:)` wrote.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let resolution = try container.decode(Int64.self, forKey: .resolution)
        let pairs = try container.decode([Int].self, forKey: .buckets)
        func corrupt(_ words: String) -> DecodingError {
            DecodingError.dataCorruptedError(
                forKey: .buckets,
                in: container,
                debugDescription: words
            )
        }
        guard resolution > 0, pairs.count.isMultiple(of: 2) else {
            throw corrupt("buckets are pairs of index and count")
        }
        self.init(resolution: resolution)
        for index in stride(from: 0, to: pairs.count, by: 2) {
            let (bucket, samples) = (pairs[index], pairs[index + 1])
            guard (0...Self.overflowBucket).contains(bucket), samples > 0 else {
                throw corrupt("there is no bucket \(bucket) with \(samples) samples")
            }
            open(bucket >> Self.pageShift)
            pages[bucket >> Self.pageShift][bucket & ((1 << Self.pageShift) - 1)] = samples
            let (total, overflows) = count.addingReportingOverflow(samples)
            guard !overflows else { throw corrupt("there are too many samples") }
            count = total
        }
        sum = try container.decode(Int64.self, forKey: .sum)
        minimum = try container.decodeIfPresent(Int64.self, forKey: .minimum)
        maximum = try container.decodeIfPresent(Int64.self, forKey: .maximum)
    }
}
