/// How many samples lie at or below each of some values: what an empirical distribution is drawn from.
///
/// Each point is exact; between two points the curve lies between their counts.
public struct CumulativeCounts: Sendable, Equatable, Codable {
    /// The values, rising, in the metric's unit.
    public var values: [Int64]
    /// How many samples lie at or below each value.
    public var counts: [Int]

    /// Of no sample.
    public init() {
        values = []
        counts = []
    }
}

extension Distribution {
    /// The cumulative counts at so many values that a picture shows no difference from all of them.
    ///
    /// A bucket's upper edge becomes a point if, since the last point, a `pointCount`-th of the samples
    /// or of the range has passed; where a stretch without samples ends, its beginning becomes one too,
    /// so that a step is drawn as a step. The last point is the maximum with all samples.
    ///
    /// - Parameter pointCount: How finely both axes are divided; at most four times as many points come
    ///   out, a few in practice.
    /// - Returns: The points, none of no sample.
    /// - Complexity: O(buckets in use).
    public func cumulativeCounts(pointCount: Int) -> CumulativeCounts {
        var result = CumulativeCounts()
        guard let minimum, let maximum else { return result }
        let sampleStep = max(1, count / pointCount)
        let valueStep = max(1, (maximum - minimum) / Int64(pointCount))
        var passed = 0
        var previous: (value: Int64, count: Int)?
        for (edge, samples) in buckets {
            let value = min(edge, maximum)
            passed += samples
            if let last = result.values.last, let lastCount = result.counts.last {
                let isFar = value - last >= valueStep
                guard isFar || passed - lastCount >= sampleStep || passed == count else {
                    previous = (value, passed)
                    continue
                }
                if let previous, previous.value > last, value - previous.value >= valueStep {
                    result.values.append(previous.value)
                    result.counts.append(previous.count)
                }
            }
            result.values.append(value)
            result.counts.append(passed)
            previous = nil
        }
        return result
    }
}
