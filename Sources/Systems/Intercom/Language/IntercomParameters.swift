import AppCoordination
public import KodamaLanguage
import OpusAudio
import PeerTransport
import SansIO
import VoiceActivity

extension IntercomConfiguration: Tunable {}

extension ParameterCatalog {
    /// Everything that can be tuned in the intercom app.
    ///
    /// Defaults are not repeated here: they are read from the configuration itself.
    package static let intercom = ParameterCatalog(
        voiceActivity + keepalive + codec + jitterBuffer
            + [firstSequence, fades.ofSound, comfortNoise.ofSound],
        constraints: [
            Constraint("jitter.floor", notAbove: "jitter.ceiling"),
            Constraint("keepalive.probing_period", notAbove: "keepalive.period"),
        ]
    ).scoped(.app(IntercomAppPlan.system))

    private static let voiceActivity: [Parameter] = [
        .integer(
            "vad.threshold",
            \IntercomConfiguration.detector.threshold,
            0...1000,
            meaning: "The score, in thousandths, from which a frame out of silence is speech.",
            source: "S-VAD-001"
        ).ofSound,
        .duration(
            "vad.attack",
            \IntercomConfiguration.gate.attack,
            .milliseconds(40)...(.milliseconds(60)),
            step: .milliseconds(20),
            meaning: "How long speech must last before sending starts.",
            source: "S-VAD-003"
        ),
        .duration(
            "vad.release",
            \IntercomConfiguration.gate.release,
            .milliseconds(200)...(.milliseconds(400)),
            step: .milliseconds(20),
            meaning: "How long sending goes on after the last speech.",
            source: "S-VAD-003"
        ),
        .duration(
            "vad.preroll",
            \IntercomConfiguration.gate.preRoll,
            .zero...(.milliseconds(500)),
            step: .milliseconds(20),
            meaning: "How much of the past is sent first when sending starts.",
            source: "S-VAD-004, D-16"
        ),
    ]

    private static let keepalive: [Parameter] = [
        .duration(
            "keepalive.period",
            \IntercomConfiguration.keepalive.period,
            .milliseconds(500)...(.seconds(5)),
            meaning: "How often a keepalive goes out in silence.",
            source: "S-VAD-002"
        ),
        .duration(
            "keepalive.probing_period",
            \IntercomConfiguration.keepalive.probingPeriod,
            .milliseconds(20)...(.seconds(1)),
            meaning: "How often a keepalive goes out while a path is probed.",
            source: "S-VAD-002"
        ),
    ]

    private static let codec: [Parameter] = [
        .rate(
            "opus.bitrate",
            \IntercomConfiguration.codec.bitrate,
            DataRate(bitsPerSecond: 6000)...DataRate(bitsPerSecond: 128_000),
            meaning: "The rate that the encoder aims at.",
            source: "RFC 6716, 2.1.1"
        ).ofSound,
        .integer(
            "opus.complexity",
            \IntercomConfiguration.codec.complexity,
            0...10,
            meaning: "How hard the encoder tries.",
            source: "libopus, OPUS_SET_COMPLEXITY"
        ).ofSound,
        // Sized frames carry copies, too: the listener's buffer repairs from them.
        .boolean(
            "opus.fec",
            \IntercomConfiguration.codec.usesInBandFEC,
            meaning: "Whether each packet carries a coarse copy of the frame before it.",
            source: "RFC 6716, 2.1.7"
        ),
        .percent(
            "opus.expected_loss",
            \IntercomConfiguration.codec.expectedLossPercent,
            0...100,
            meaning: "The loss that the encoder protects against.",
            source: "libopus, OPUS_SET_PACKET_LOSS_PERC"
        ).ofSound,
    ]

    private static let firstSequence = Parameter.integer(
        "stream.first_sequence",
        \IntercomConfiguration.firstSequence,
        0...Int(UInt32.max),
        meaning: "The number of a stream's first voice frame; past 4294967295 comes 0.",
        source: "RFC 3550, 5.1"
    )

    private static let fades = Parameter.boolean(
        "playout.fades",
        \IntercomConfiguration.fadesSpurts,
        meaning: "Whether talk spurts are faded in over 5 ms and out over 10.",
        source: "D-14"
    )

    private static let comfortNoise = Parameter.boolean(
        "playout.comfort_noise",
        \IntercomConfiguration.playsComfortNoise,
        meaning: "Whether pauses hold the noise of the talker's room instead of silence.",
        source: "RFC 3389"
    )

    private static let jitterBuffer: [Parameter] = [
        .duration(
            "jitter.floor",
            \IntercomConfiguration.jitterBuffer.floor,
            .zero...(.milliseconds(200)),
            meaning: "The least playout delay above the path's fastest packet.",
            source: "D-15"
        ),
        .duration(
            "jitter.ceiling",
            \IntercomConfiguration.jitterBuffer.ceiling,
            .milliseconds(20)...(.seconds(2)),
            meaning: "The greatest playout delay above the path's fastest packet.",
            source: "D-15"
        ),
        .share(
            "jitter.compression",
            \IntercomConfiguration.jitterBuffer.compressionMax,
            Probability(partsPerMillion: 10_000)...Probability(partsPerMillion: 150_000),
            meaning: "The greatest share by which a frame is shortened, or stretched to fall back.",
            source: "D-16"
        ),
        .duration(
            "jitter.window",
            \IntercomConfiguration.jitterBuffer.window,
            .seconds(1)...(.seconds(120)),
            step: .milliseconds(20),
            meaning: "The stretch of media time over which delays are remembered.",
            source: "S-AUD-004"
        ),
        .share(
            "jitter.late_share",
            \IntercomConfiguration.jitterBuffer.lateShare,
            .zero...Probability(partsPerMillion: 100_000),
            meaning: "The share of frames that may come late where the target is near zero.",
            source: "S-AUD-004"
        ),
        .share(
            "jitter.late_share_per_100ms",
            \IntercomConfiguration.jitterBuffer.lateSharePer100Milliseconds,
            .zero...Probability(partsPerMillion: 100_000),
            meaning: "What 100 ms of target delay add to jitter.late_share.",
            source: "S-AUD-004"
        ),
        .duration(
            "jitter.patience",
            \IntercomConfiguration.jitterBuffer.patience,
            .zero...(.seconds(1)),
            meaning: "How much delay above the target is borne for one second.",
            source: "D-16"
        ),
    ]
}
