public import SansIO

/// How speech is encoded: 48 kHz mono, VoIP application, variable bit rate.
public struct OpusEncoderConfiguration: Sendable, Equatable {
    /// The target rate; 6 to 128 kbit/s.
    public var bitrate = DataRate(bitsPerSecond: 24_000)
    /// libopus's effort; 0 to 10.
    ///
    /// 5 costs about half of 10.
    public var complexity: Int = 5
    /// Whether each packet carries a coarse copy of the frame before it (LBRR).
    ///
    /// With libopus 1.3.1 this turns hybrid fullband into SILK wideband for every frame, so it is off by default.
    public var usesInBandFEC: Bool = false
    /// The loss that the encoder protects against; 0 to 100 per cent.
    public var expectedLossPercent: Int = 0

    /// Makes the default configuration.
    public init() {}
}
