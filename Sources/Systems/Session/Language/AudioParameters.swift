public import KodamaLanguage
import RealtimeVoice
import SansIO

extension AudioAdaptation: Tunable {}

extension ParameterCatalog {
    /// When and to what the app lowers the audio that it publishes (AN-12).
    ///
    /// The coach's session has the same.
    static let audio = ParameterCatalog(
        (rates + battery + link).shared(with: Tenant.coach),
        constraints: [
            Constraint("audio.rate.saving", notAbove: "audio.rate.full"),
            Constraint("audio.rate.least", notAbove: "audio.rate.saving"),
            Constraint("audio.battery.low", notAbove: "audio.battery.restored"),
            Constraint("audio.raise_after", notAbove: "audio.raise_after_max"),
        ]
    )
    .scoped(.app(SessionAppPlan.system))

    private static let rates: [Parameter] = [
        .boolean(
            "audio.adapts",
            \AudioAdaptation.isEnabled,
            meaning: """
                Whether the published audio follows battery and link; off, it has one rate, as with the SDK \
                alone.
                """,
            source: "AN-12"
        ),
        .rate(
            "audio.rate.full",
            \AudioAdaptation.fullRate,
            rateMin...rateMax,
            meaning: "Opus's rate while nothing asks for less, without headers.",
            source: "client-sdk-swift, AudioEncoding.presetSpeech"
        ),
        .rate(
            "audio.rate.saving",
            \AudioAdaptation.savingRate,
            rateMin...rateMax,
            meaning:
                "Its rate with a low battery, in Low Power Mode, and at first on the cellular radio.",
            source: "RFC 7587, section 3.1.1"
        ),
        .rate(
            "audio.rate.least",
            \AudioAdaptation.leastRate,
            rateMin...rateMax,
            meaning: "Its rate where the link queues, and in Low Data Mode.",
            source: "client-sdk-swift, AudioEncoding.presetTelephone"
        ),
        .integer(
            "audio.sample_rate.saving",
            \AudioAdaptation.savingSampleRateHertz,
            8_000...48_000,
            meaning: "The microphone's sample rate in hertz at less than the full rate.",
            source: "libwebrtc, RTCAudioSessionConfiguration"
        ),
    ]

    private static let battery: [Parameter] = [
        .percent(
            "audio.battery.low",
            \AudioAdaptation.batteryLowPercent,
            0...100,
            meaning: "The charge from which down the battery is low.",
            source: "Apple, Low Power Mode"
        ),
        .percent(
            "audio.battery.restored",
            \AudioAdaptation.batteryRestoredPercent,
            0...100,
            meaning: "The charge from which up it is not low any more; an assumption.",
            source: "AN-12"
        ),
    ]

    private static let link: [Parameter] = [
        .boolean(
            "audio.cellular_low",
            \AudioAdaptation.beginsLowOnCellular,
            meaning:
                "Whether the cellular radio is given the saving rate until it has carried that.",
            source: "AN-12"
        ),
        .duration(
            "audio.queue_max",
            \AudioAdaptation.queueMax,
            .milliseconds(1)...(.seconds(10)),
            meaning:
                "How far a round trip exceeds the quickest one where the link queues; an assumption.",
            source: "AN-12; ITU-T G.114"
        ),
        .duration(
            "audio.raise_after",
            \AudioAdaptation.raiseAfter,
            .seconds(1)...(.seconds(3_600)),
            meaning:
                "How long voice must have flowed without a queue before the rate rises; an assumption.",
            source: "AN-12"
        ),
        .duration(
            "audio.raise_after_max",
            \AudioAdaptation.raiseAfterMax,
            .seconds(1)...(.seconds(86_400)),
            meaning: "What that time grows to, doubled by each queue after a rise; an assumption.",
            source: "AN-12"
        ),
    ]

    /// What libopus takes (RFC 6716, section 2.1.1), up to what the project's encoder does.
    private static let rateMin = DataRate(bitsPerSecond: 6_000)
    private static let rateMax = DataRate(bitsPerSecond: 128_000)
}
