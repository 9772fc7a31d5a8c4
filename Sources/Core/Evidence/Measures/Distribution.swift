/// How samples of one metric are distributed, in memory that is bounded however many there are.
///
/// Samples are counted in buckets: 1,000,000 fine ones of the resolution (10 µs for times, so up to
/// 10 s), then 1,000,000 coarse ones a thousand times as wide (10 ms, so up to 10,010 s), then one
/// for everything above. A bucket holds the samples above its lower edge up to and including its
/// upper edge; bucket 0 holds all samples of zero or less. Count, mean, minimum and maximum are
/// exact. The buckets take at most 16 MB, and pages of 64 that nothing lies in take 4 bytes each.
public struct Distribution: Sendable {
    /// The width of a fine bucket, in the metric's unit.
    public let resolution: Int64
    /// How many samples there are.
    public private(set) var count = 0
    /// The least sample, if there is any.
    public private(set) var minimum: Int64?
    /// The greatest sample, if there is any.
    public private(set) var maximum: Int64?
    /// The samples' sum in 128 bits: frames of many long runs exceed 64.
    private var wideSum = (high: Int64(0), low: UInt64(0))
    /// Where in `counts` each page of buckets begins, in pages and from 1; 0 for a page of nothing.
    private var pages: [UInt32] = []
    /// The counts of the pages in use, in the order in which they were opened.
    private var counts: [Int] = []

    private static var tierBucketCount: Int64 { 1_000_000 }
    private static var coarseFactor: Int64 { 1_000 }
    private static var overflowBucket: Int { Int(2 * tierBucketCount + 1) }
    private static var pageShift: Int { 6 }
    private static var pageSize: Int { 1 << pageShift }
    private static let emptyPage = [Int](repeating: 0, count: pageSize)

    /// The resolution of times: 10 µs.
    public static let timeResolution: Int64 = 10_000

    /// Makes an empty distribution.
    ///
    /// - Parameter resolution: The width of a fine bucket, in the metric's unit; positive.
    public init(resolution: Int64 = timeResolution) {
        precondition(resolution > 0, "a resolution of \(resolution) is not positive")
        self.resolution = resolution
    }

    /// The samples' sum, in the metric's unit; the nearest 64 bits to it beyond (292 years of nanoseconds).
    public var sum: Int64 {
        let sign = wideSum.high >> 63
        let fits = wideSum.high == Int64(bitPattern: wideSum.low) >> 63
        return fits ? Int64(bitPattern: wideSum.low) : sign ^ .max
    }

    /// The mean, rounded towards zero, if there is any sample.
    public var mean: Int64? {
        count == 0 ? nil : Int64(count).dividingFullWidth(wideSum).quotient
    }

    /// Counts one sample.
    public mutating func add(_ sample: Int64) {
        let bucket = bucket(of: sample)
        counts[open(bucket >> Self.pageShift) + bucket & (Self.pageSize - 1)] += 1
        count += 1
        addToSum((sample >> 63, UInt64(bitPattern: sample)))
        minimum = min(minimum ?? sample, sample)
        maximum = max(maximum ?? sample, sample)
    }

    /// Counts one sample several times.
    package mutating func add(_ sample: Int64, times: Int) {
        guard times > 0 else { return }
        let bucket = bucket(of: sample)
        counts[open(bucket >> Self.pageShift) + bucket & (Self.pageSize - 1)] += times
        count += times
        addToSum(Int64(times).multipliedFullWidth(by: sample))
        minimum = min(minimum ?? sample, sample)
        maximum = max(maximum ?? sample, sample)
    }

    /// Counts all samples of `other`, whose resolution MUST be the same.
    public mutating func merge(_ other: Distribution) {
        precondition(resolution == other.resolution, "distributions of different resolutions")
        for (page, theirs) in other.usedPages {
            let start = open(page)
            for (offset, samples) in theirs.enumerated() {
                counts[start + offset] += samples
            }
        }
        count += other.count
        addToSum(other.wideSum)
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
        for (bucket, samples) in usedBuckets {
            passed += samples
            if passed >= rank { return min(maximum, upperEdge(of: bucket)) }
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
        let above = usedBuckets.reduce(0) { $1.index >= first ? $0 + $1.samples : $0 }
        return Proportion(numerator: Int64(above), denominator: Int64(count), samples: count)
    }

    /// The buckets in use with their upper edges and counts, in order; for histograms.
    ///
    /// - Complexity: O(buckets in use).
    public var buckets: [(upperEdge: Int64, count: Int)] {
        usedBuckets.map { (upperEdge: upperEdge(of: $0.index), count: $0.samples) }
    }

    /// The pages in use with their counts, in order.
    private var usedPages: some Sequence<(page: Int, counts: ArraySlice<Int>)> {
        pages.enumerated().lazy.filter { $0.element > 0 }.map { page, place in
            let start = Int(place - 1) << Self.pageShift
            return (page, counts[start..<start + Self.pageSize])
        }
    }

    /// The buckets in use with their counts, in order.
    private var usedBuckets: some Sequence<(index: Int, samples: Int)> {
        usedPages.lazy.flatMap { page, counts in
            counts.enumerated().lazy.filter { $0.element > 0 }
                .map { (page << Self.pageShift + $0.offset, $0.element) }
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

    /// Sees to it that a page is in use, and says where its counts begin.
    private mutating func open(_ page: Int) -> Int {
        if page >= pages.count {
            pages += Array(repeating: 0, count: page + 1 - pages.count)
        }
        if pages[page] == 0 {
            counts += Self.emptyPage
            pages[page] = UInt32(counts.count >> Self.pageShift)
        }
        return Int(pages[page] - 1) << Self.pageShift
    }

    private mutating func addToSum(_ other: (high: Int64, low: UInt64)) {
        let (low, carries) = wideSum.low.addingReportingOverflow(other.low)
        wideSum = (wideSum.high + other.high + (carries ? 1 : 0), low)
    }
}

extension Distribution: Equatable {
    /// Whether the same samples were counted, in whatever order.
    public static func == (one: Distribution, other: Distribution) -> Bool {
        one.resolution == other.resolution && one.count == other.count
            && one.wideSum == other.wideSum
            && (one.minimum, one.maximum) == (other.minimum, other.maximum)
            && one.usedBuckets.elementsEqual(other.usedBuckets, by: ==)
    }
}

extension Distribution: Codable {
    private enum CodingKeys: String, CodingKey {
        case resolution, sum, minimum, maximum, buckets
        case sumHigh = "sum_high"
    }

    /// Writes the buckets in use as pairs of index and count, in order; nothing is lost.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(resolution, forKey: .resolution)
        try container.encode(wideSum.low, forKey: .sum)
        try container.encode(wideSum.high, forKey: .sumHigh)
        try container.encodeIfPresent(minimum, forKey: .minimum)
        try container.encodeIfPresent(maximum, forKey: .maximum)
        let pairs = usedBuckets.flatMap { [$0.index, $0.samples] }
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
        guard (1...Self.timeResolution).contains(resolution) else {
            throw corrupt("no metric has buckets of \(resolution)")
        }
        guard pairs.count.isMultiple(of: 2) else {
            throw corrupt("buckets are pairs of index and count")
        }
        self.init(resolution: resolution)
        var last = -1
        for index in stride(from: 0, to: pairs.count, by: 2) {
            let (bucket, samples) = (pairs[index], pairs[index + 1])
            guard (0...Self.overflowBucket).contains(bucket), samples > 0 else {
                throw corrupt("there is no bucket \(bucket) with \(samples) samples")
            }
            guard bucket > last else { throw corrupt("bucket \(bucket) comes after \(last)") }
            last = bucket
            counts[open(bucket >> Self.pageShift) + bucket & (Self.pageSize - 1)] = samples
            let (total, overflows) = count.addingReportingOverflow(samples)
            guard !overflows else { throw corrupt("there are too many samples") }
            count = total
        }
        wideSum = (
            try container.decode(Int64.self, forKey: .sumHigh),
            try container.decode(UInt64.self, forKey: .sum)
        )
        minimum = try container.decodeIfPresent(Int64.self, forKey: .minimum)
        maximum = try container.decodeIfPresent(Int64.self, forKey: .maximum)
        guard pairs.isEmpty ? isEmpty : isSpanned(from: pairs[0], to: last) else {
            throw corrupt("the least, the greatest and the sum are of other samples")
        }
    }

    private var isEmpty: Bool { minimum == nil && maximum == nil && wideSum == (0, 0) }

    /// Whether the extremes lie in the first and the last bucket, and the sum between as many of each.
    private func isSpanned(from first: Int, to last: Int) -> Bool {
        guard let minimum, let maximum, minimum <= maximum, bucket(of: minimum) == first,
            bucket(of: maximum) == last
        else { return false }
        return Int64(count).multipliedFullWidth(by: minimum) <= wideSum
            && wideSum <= Int64(count).multipliedFullWidth(by: maximum)
    }
}
