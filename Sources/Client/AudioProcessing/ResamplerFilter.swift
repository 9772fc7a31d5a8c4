/// The low-pass filter between 16 kHz and 48 kHz.
///
/// A windowed sinc at 48 kHz: 97 taps, cut-off 7.7 kHz, Kaiser window with β = 6 (Kaiser, 1974), each
/// of the three phases scaled so that it sums to exactly 1 and rounded to 14 fractional bits. The
/// largest sum of magnitudes is 35,444 per phase and 55,445 for half of the taps, so that sums of
/// full-scale samples stay within 32 bits.
enum ResamplerFilter {
    /// How many fractional bits a tap has.
    static let unityBits: Int32 = 14
    /// What stands for 1.
    static let unity: Int32 = 1 << unityBits
    /// The taps of the longest phase; shorter ones are filled with a zero.
    static let tapsPerPhase = 33

    /// All taps, oldest sample first; symmetric.
    static let taps: [Int16] = firstHalf + [15_770] + firstHalf.reversed()

    /// The taps of the three outputs that follow one input, oldest sample first.
    static let phases: [Int16] = {
        var phases = [Int16](repeating: 0, count: 3 * tapsPerPhase)
        for phase in 0..<3 {
            for (step, index) in stride(from: phase, to: taps.count, by: 3).enumerated() {
                phases[phase * tapsPerPhase + tapsPerPhase - 1 - step] = taps[index]
            }
        }
        return phases
    }()

    private static let firstHalf: [Int16] = [
        -5, -2, 7, 12, 6, -12, -25, -14, 18, 44, 29, -24, -70, -54, 27, 105, 92, -24, -147, -147,
        11, 198, 223, 18, -255, -325, -71, 316, 460, 156, -379, -639, -291, 441, 881, 502, -498,
        -1_224, -845, 546, 1_772, 1_471, -583, -2_876, -2_982, 607, 7_026, 13_215,
    ]
}
