import KodamaSimulation
import KodamaWorld

/// What the real detector and encoder do, as quantiles at 33 equal steps of probability.
///
/// Measured by `kodama-lab calibrate` on 188 recorded spurts (asterisk-core-sounds-en-g722 and -it-g722
/// 1.6.1-1, 180 s each) with libopus 1.3.1 at the default settings. Spurts lie on the grid of 5 ms
/// that they were cut by, and so do the delays.
enum SizedSoundTables {
    /// From a spurt's onset to the end of the first frame judged speech, in nanoseconds.
    static let onsetDelay = QuantileTable([
        5_000_000, 5_000_000, 5_000_000, 10_000_000, 10_000_000, 10_000_000, 10_000_000, 10_000_000,
        10_000_000, 10_000_000, 10_000_000, 15_000_000, 15_000_000, 15_000_000, 15_000_000,
        15_000_000, 15_000_000, 15_000_000, 20_000_000, 20_000_000, 20_000_000, 20_000_000,
        20_000_000, 20_000_000, 20_000_000, 25_000_000, 25_000_000, 25_000_000, 25_000_000,
        25_000_000, 25_000_000, 30_000_000, 75_000_000,
    ])
    /// From a spurt's end to the end of the last frame judged speech, in nanoseconds.
    static let hangover = QuantileTable([
        -30_000_000, -10_000_000, -5_000_000, -5_000_000, -5_000_000, -5_000_000, -5_000_000,
        -5_000_000, -5_000_000, 0, 0, 0, 0, 0, 0, 0, 5_000_000, 5_000_000, 5_000_000, 5_000_000,
        5_000_000, 5_000_000, 5_000_000, 5_000_000, 10_000_000, 10_000_000, 10_000_000, 10_000_000,
        10_000_000, 10_000_000, 10_000_000, 10_000_000, 15_000_000,
    ])
    /// The bytes of packets that hold speech.
    static let speechPacketBytes = QuantileTable([
        26, 46, 49, 51, 53, 54, 55, 56, 57, 58, 58, 59, 60, 60, 61, 61, 62, 63, 63, 64, 64, 65, 65,
        66, 67, 67, 68, 69, 70, 71, 73, 75, 146,
    ])
    /// The bytes of packets sent around speech: pre-roll and release.
    static let quietPacketBytes = QuantileTable([
        22, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26,
        26, 26, 26, 26, 26, 26, 26, 31, 34, 61,
    ])
}
