public import SansIO

/// Uniform draws; each consumes exactly one index, so setting `index` addresses any of them.
extension RandomStream {
    /// A whole number from 0 up to, not including, `bound`, which is not zero.
    ///
    /// The high word of draw × bound (Lemire, ACM TOMACS 2019) without rejection: a number's
    /// probability differs from 1/bound by less than 2⁻⁶⁴, and one draw stays one index.
    @inlinable
    public mutating func uniform(below bound: UInt64) -> UInt64 {
        precondition(bound > 0, "there is no number below zero to draw")
        return next().multipliedFullWidth(by: bound).high
    }

    /// A whole number from `range`, both ends included; the bias is that of `uniform(below:)`.
    @inlinable
    public mutating func uniform(in range: ClosedRange<Int64>) -> Int64 {
        let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
        let offset = width == .max ? next() : next().multipliedFullWidth(by: width &+ 1).high
        return range.lowerBound &+ Int64(bitPattern: offset)
    }

    /// A duration from `range`, both ends included, every nanosecond alike.
    @inlinable
    public mutating func duration(in range: ClosedRange<Duration>) -> Duration {
        let (least, most) = (range.lowerBound.wholeNanoseconds, range.upperBound.wholeNanoseconds)
        return .nanoseconds(uniform(in: least...most))
    }

    /// Whether an event of this probability happens.
    ///
    /// Certain and impossible events consume their index too, so that two configurations which
    /// differ in a probability alone still meet the same weather.
    @inlinable
    public mutating func bernoulli(_ probability: Probability) -> Bool {
        uniform(below: 1_000_000) < UInt64(probability.partsPerMillion)
    }

    /// Puts the elements into an order drawn from all orders alike (Fisher and Yates).
    ///
    /// Consumes one index fewer than there are elements, none for an empty collection.
    ///
    /// - Parameter elements: What to shuffle, in place.
    /// - Complexity: O(n), where n is the number of elements.
    @inlinable
    public mutating func shuffle<Elements>(_ elements: inout Elements)
    where Elements: MutableCollection & RandomAccessCollection {
        var remaining = elements.count
        while remaining > 1 {
            let chosen = Int(uniform(below: UInt64(remaining)))
            remaining -= 1
            elements.swapAt(
                elements.index(elements.startIndex, offsetBy: remaining),
                elements.index(elements.startIndex, offsetBy: chosen)
            )
        }
    }
}
