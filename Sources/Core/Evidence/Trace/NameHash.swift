/// Hashes of names: equal in every process, on every machine, whatever indices the names have.
package enum NameHash {
    /// FNV-1a over the UTF-8 bytes (RFC 9923), spread by splitmix64's finalizer.
    ///
    /// FNV-1a alone leaves the high bits of short names nearly alike.
    package static func of(_ name: String) -> UInt64 {
        var bits: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 {
            bits = (bits ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return spread(bits)
    }

    /// Splitmix64's finalizer: a bijection that spreads every input bit over the output.
    package static func spread(_ input: UInt64) -> UInt64 {
        var bits = input
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
