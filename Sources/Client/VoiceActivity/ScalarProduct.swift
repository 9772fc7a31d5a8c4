/// The scalar product of two vectors of small whole numbers.
enum ScalarProduct {
    /// Multiplies and adds, the same whole number in both builds.
    ///
    /// - Parameters:
    ///   - first: A vector.
    ///   - second: Another.
    ///   - count: How many numbers each has: a multiple of 8 and a constant, so that the compiler
    ///     multiplies and adds pairs in one instruction.
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
        typealias Eight = SIMD8<Int16>
        let (left, right) = (UnsafeRawPointer(first), UnsafeRawPointer(second))
        var sum = SIMD8<Int32>()
        for offset in stride(from: 0, to: 2 * count, by: MemoryLayout<Eight>.size) {
            let one = left.loadUnaligned(fromByteOffset: offset, as: Eight.self)
            let other = right.loadUnaligned(fromByteOffset: offset, as: Eight.self)
            sum &+= SIMD8<Int32>(truncatingIfNeeded: one) &* SIMD8<Int32>(truncatingIfNeeded: other)
        }
        return sum.wrappedSum()
        #endif
    }
}
