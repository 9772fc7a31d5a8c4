/// The sum of the products of `count` samples each, which MUST fit 32 bits.
///
/// Written so that the compiler can turn it into multiply-and-add instructions on vectors.
@inline(__always)
func dotProduct(
    _ left: UnsafePointer<Int16>,
    _ right: UnsafePointer<Int16>,
    count: Int
) -> Int32 {
    var sum: Int32 = 0
    for index in 0..<count {
        sum &+= Int32(left[index]) &* Int32(right[index])
    }
    return sum
}
