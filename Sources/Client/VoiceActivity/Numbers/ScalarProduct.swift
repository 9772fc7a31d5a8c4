/// The scalar product of two vectors of small whole numbers.
enum ScalarProduct {
    /// Multiplies and adds, the same whole number in both builds.
    ///
    /// - Parameters:
    ///   - first: A vector.
    ///   - second: Another.
    ///   - count: How many numbers each has: a multiple of 8.
    /// - Returns: The sum of the products.
    @inline(__always)
    static func of(
        _ first: UnsafePointer<Int16>,
        _ second: UnsafePointer<Int16>,
        _ count: Int
    ) -> Int32 {
        #if DEBUG
        // Not optimised, vectors are a hundred times slower than single numbers.
        var (sum, index): (Int32, Int) = (0, 0)
        while index < count {
            sum &+= Int32(first[index]) &* Int32(second[index])
            index &+= 1
        }
        return sum
        #else
        var sums = SIMD4<Int32>()
        for index in stride(from: 0, to: count, by: 8) {
            sums &+= ofPairs(.at(first + index), .at(second + index))
        }
        return sums.wrappedSum()
        #endif
    }

    /// The scalar products of four pairs of numbers each: one instruction, if written just so.
    @inline(__always)
    static func ofPairs(_ first: SIMD8<Int16>, _ second: SIMD8<Int16>) -> SIMD4<Int32> {
        let products =
            SIMD8<Int32>(truncatingIfNeeded: first) &* SIMD8<Int32>(truncatingIfNeeded: second)
        return products.evenHalf &+ products.oddHalf
    }
}

extension SIMD8<Int16> {
    /// Eight numbers in memory.
    @inline(__always)
    static func at(_ numbers: UnsafePointer<Int16>) -> Self {
        UnsafeRawPointer(numbers).loadUnaligned(as: Self.self)
    }
}
