/// The level of a frame as RFC 6464 defines it: in −dBov, 0 for the loudest, 127 for silence.
enum AudioLevel {
    /// The level of `pcm`: its RMS relative to 32,767, rounded to whole decibels (RFC 6465 §3).
    static func of(_ pcm: UnsafeBufferPointer<Int16>) -> UInt8 {
        var energy: Int64 = 0
        for sample in pcm {
            energy += Int64(Int32(sample) * Int32(sample))
        }
        guard energy > 0 else { return 127 }
        let meanSquare = Float(energy) / Float(pcm.count) / (32_767 * 32_767)
        // 10·log₁₀ x = 3.0103·log₂ x
        let decibels = 3.010_299_9 * Logarithm.base2(meanSquare)
        return UInt8(max(0, min(127, (-decibels).rounded())))
    }
}
