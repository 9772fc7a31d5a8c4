/// Stretches of time that do not overlap, with their places in the file.
///
/// - Complexity: Adding one behind all others takes constant time, finding an overlap O(log *n*).
struct DisjointSpans {
    private var spans: [(span: Range<Duration>, place: Place)] = []

    /// Adds a stretch.
    ///
    /// - Returns: The place of one that it overlaps; it is then left out.
    mutating func insert(_ span: Range<Duration>, at place: Place) -> Place? {
        // The first that ends behind the new one's beginning is the only one that can be in its way.
        var low = 0
        var high = spans.count
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].span.upperBound <= span.lowerBound {
                low = middle + 1
            } else {
                high = middle
            }
        }
        if low < spans.count, spans[low].span.overlaps(span) { return spans[low].place }
        spans.insert((span, place), at: low)
        return nil
    }
}
