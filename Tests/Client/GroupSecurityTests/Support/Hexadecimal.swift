/// Bytes written as hexadecimal digits, as test vectors are.
func bytes(_ digits: String) -> [UInt8] {
    let values = digits.compactMap(\.hexDigitValue)
    precondition(values.count.isMultiple(of: 2), "an odd number of digits")
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
}
