public import SansIO

/// How the microphone is sampled and its track encoded.
public struct PublishedAudio: Sendable, Equatable {
    /// Opus's target rate; RTP, UDP and IP add 20 kbit/s at 20 ms a frame.
    public var bitRate: DataRate
    /// The microphone's sample rate, in hertz.
    public var sampleRateHertz: Int

    /// What an app publishes that never adapts: the SDK's speech preset, 24 kbit/s (client-sdk-swift,
    /// `Types/AudioEncoding.swift`), from 48 kHz (libwebrtc, `RTCAudioSessionConfiguration.mm`).
    public static let speech = PublishedAudio(
        bitRate: DataRate(bitsPerSecond: 24_000),
        sampleRateHertz: 48_000
    )

    /// Names a rate and a sample rate.
    public init(bitRate: DataRate, sampleRateHertz: Int) {
        self.bitRate = bitRate
        self.sampleRateHertz = sampleRateHertz
    }
}

/// What a phone says of what it can spare.
public struct PhoneReserves: Sendable, Equatable {
    /// The battery's charge in per cent; `nil` while it is unknown (`UIDevice.batteryLevel`).
    public var batteryPercent: Int?
    /// Whether the phone is charged (`UIDevice.batteryState`).
    public var isCharging = false
    /// Whether Low Power Mode is on (`ProcessInfo.isLowPowerModeEnabled`).
    public var isLowPowerMode = false
    /// Whether Low Data Mode is on for the network in use (`NWPath.isConstrained`).
    public var isLowDataMode = false

    /// A phone of which nothing is known.
    public init() {}
}
