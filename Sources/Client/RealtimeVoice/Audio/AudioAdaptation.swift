public import SansIO

/// When and to what `AudioAdapter` lowers the published audio (AN-12).
public struct AudioAdaptation: Sendable, Equatable {
    /// Whether the published audio adapts.
    ///
    /// Off, an app publishes at one rate, as with the SDK alone: libwebrtc holds Opus at its target unless
    /// adaptive packet times are on (`media/engine/webrtc_voice_engine.cc`, `UpdateAllowedBitrateRange`).
    public var isEnabled = false
    /// The rate while nothing asks for less: the SDK's speech preset, 24 kbit/s.
    public var fullRate = PublishedAudio.speech.bitRate
    /// The rate that saves: 16 kbit/s, the least that RFC 7587, section 3.1.1, recommends for wideband speech.
    public var savingRate = DataRate(bitsPerSecond: 16_000)
    /// The lowest rate: the SDK's telephone preset, 12 kbit/s.
    ///
    /// Opus stays wideband there, at an impairment of 23 where 24 kbit/s have 20 (Alahmadi and others, ACM TOMM
    /// 2021). Less would save little: 12 kbit/s are 32 on the wire, 8 would be 28.
    public var leastRate = DataRate(bitsPerSecond: 12_000)
    /// The sample rate at less than the full rate, in hertz: 16 kHz, which libwebrtc takes for slow devices
    /// (`RTCAudioSessionConfiguration.mm`) and which holds all of wideband speech.
    public var savingSampleRateHertz = 16_000
    /// The charge from which down the battery is low, in per cent: 20, at which iOS offers Low Power Mode.
    public var batteryLowPercent = 20
    /// The charge from which up it is not low any more without being charged, in per cent; an assumption.
    public var batteryRestoredPercent = 25
    /// How far a round trip exceeds the path's quickest where a queue has built up: 250 ms, an assumption
    /// between the gaps of cellular links and the 400 ms each way that ITU-T G.114 sets as the limit.
    public var queueMax: Duration = .milliseconds(250)
    /// For how long voice must have flowed at its rate, without a queue, before the rate rises a step; an
    /// assumption: four of ICE's checks, which come every 2.5 s.
    public var raiseAfter: Duration = .seconds(10)
    /// What that time grows to, doubling with each queue that follows a rise; an assumption.
    public var raiseAfterMax: Duration = .seconds(600)
    /// Whether a conversation on the cellular radio begins at the saving rate, until that has been carried.
    public var beginsLowOnCellular = true

    /// The default figures; nothing adapts.
    public init() {}
}
