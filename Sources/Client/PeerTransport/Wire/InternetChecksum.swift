/// The Internet checksum (RFC 1071): the one's complement of the one's complement sum of all 16-bit
/// words, an odd last byte padded with zero.
///
/// Finds every single flipped bit and every burst of up to 15 bits. It guards against accidents
/// until packets are sealed; against intent it guards nothing.
enum InternetChecksum {
    /// The sum over the bytes; zero, as RFC 1071 checks it, if a correct checksum is among them.
    static func compute(_ bytes: UnsafeRawBufferPointer) -> UInt16 {
        var sum: UInt64 = 0
        var place = 0
        while place + 1 < bytes.count {
            sum += UInt64(bytes[place]) << 8 | UInt64(bytes[place + 1])
            place += 2
        }
        if place < bytes.count { sum += UInt64(bytes[place]) << 8 }
        while sum > 0xFFFF { sum = (sum >> 16) + (sum & 0xFFFF) }
        return ~UInt16(sum)
    }
}
