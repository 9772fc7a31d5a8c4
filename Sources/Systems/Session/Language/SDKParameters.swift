import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import SansIO

extension RoomClientConfiguration: Tunable {}

extension ParameterCatalog {
    static let sdk: [Parameter] = [
        .choice(
            "sdk.curve",
            \RoomClientConfiguration.curve,
            meaning: "Whose reconnect policy the model of the SDK follows.",
            source: "RS-11"
        ),
        .duration(
            "sdk.join_response_timeout",
            \RoomClientConfiguration.joinResponseTimeout,
            .milliseconds(100)...(.seconds(60)),
            meaning: "How long the answer to a join or resume may take.",
            source: "client-sdk-swift, TimeInterval"
        ),
        .duration(
            "sdk.publish_timeout",
            \RoomClientConfiguration.publishTimeout,
            .milliseconds(100)...(.seconds(60)),
            meaning: "How long a publication may take.",
            source: "client-sdk-swift, TimeInterval"
        ),
        .duration(
            "sdk.validate_timeout",
            \RoomClientConfiguration.validateTimeout,
            .milliseconds(100)...(.seconds(60)),
            meaning: "How long the validating request after a failed first connect may take.",
            source: "client-sdk-swift, TimeInterval"
        ),
        .duration(
            "sdk.offline_time_max",
            \RoomClientConfiguration.offlineTimeMax,
            .zero...(.seconds(10)),
            meaning: "How long an attempt without any network takes to fail, at most.",
            source: "client-sdk-swift, issue 368"
        ),
        .boolean(
            "sdk.jitters_delays",
            \RoomClientConfiguration.jittersDelays,
            meaning: "Whether chance lengthens the waits between attempts.",
            source: "client-sdk-swift, TimeInterval"
        ),
        .duration(
            "sdk.playout_delay",
            \RoomClientConfiguration.playoutDelay,
            .zero...(.seconds(2)),
            meaning: """
                How much the phone's jitter buffer adds to a frame's way to the ear; with 'voice: real' the \
                least that it adds, up to 200 ms.
                """,
            source: "K-09"
        ),
    ]

    static let ice: [Parameter] = [
        .duration(
            "sdk.ice.unwritable_timeout",
            \RoomClientConfiguration.iceUnwritableTimeout,
            .milliseconds(100)...(.seconds(60)),
            meaning: "Since the first unanswered check, when a transport counts as disconnected.",
            source: "libwebrtc, p2p_constants"
        ),
        .integer(
            "sdk.ice.unanswered_checks",
            \RoomClientConfiguration.iceUnansweredChecks,
            1...100,
            meaning: "How many checks must be unanswered as well.",
            source: "libwebrtc, p2p_constants"
        ),
        .duration(
            "sdk.ice.failed_timeout",
            \RoomClientConfiguration.iceFailedTimeout,
            .milliseconds(100)...(.seconds(120)),
            meaning: "Since the first unanswered check, when a transport counts as failed.",
            source: "libwebrtc, p2p_constants"
        ),
        .duration(
            "sdk.ice.receiving_timeout",
            \RoomClientConfiguration.iceReceivingTimeout,
            .milliseconds(100)...(.seconds(60)),
            meaning: "How long a pair counts as receiving although no packet comes.",
            source: "libwebrtc, p2p_constants"
        ),
        .duration(
            "sdk.ice.stable_interval",
            \RoomClientConfiguration.iceStableInterval,
            .milliseconds(10)...(.seconds(60)),
            meaning: "The time between checks of a stable pair.",
            source: "libwebrtc, p2p_constants"
        ),
        .duration(
            "sdk.ice.stabilizing_interval",
            \RoomClientConfiguration.iceStabilizingInterval,
            .milliseconds(10)...(.seconds(60)),
            meaning: "The time between checks of a pair that is becoming stable.",
            source: "libwebrtc, p2p_constants"
        ),
        .duration(
            "sdk.ice.address_loss_time",
            \RoomClientConfiguration.iceAddressLossTime,
            .zero...(.seconds(60)),
            meaning: "How soon after its address is gone a pair counts as unwritable.",
            source: "client-sdk-android, pull request 900"
        ),
        .duration(
            "sdk.ice.weak_interval",
            \RoomClientConfiguration.iceWeakInterval,
            .milliseconds(10)...(.seconds(60)),
            meaning: "The time between checks of a pair that does not receive.",
            source: "libwebrtc, p2p_constants"
        ),
    ]

    static let defects: [Parameter] = [
        .boolean(
            "sdk.defects.forgets_pings_after_resume",
            \RoomClientConfiguration.defects.forgetsPingsAfterResume,
            meaning: "Whether no signal pings are sent after a quick reconnect.",
            source: "client-sdk-swift 2.16"
        ),
        .boolean(
            "sdk.defects.takes_early_full_failure_for_success",
            \RoomClientConfiguration.defects.takesEarlyFullFailureForSuccess,
            meaning: "Whether a full attempt that fails before the last one passes for a success.",
            source: "client-sdk-swift 2.16"
        ),
        .boolean(
            "sdk.defects.loses_full_mark",
            \RoomClientConfiguration.defects.losesFullMark,
            meaning: "Whether a leave that asks for a full reconnect wastes a quick attempt.",
            source: "client-sdk-swift 2.16"
        ),
        .boolean(
            "sdk.defects.completes_after_failure",
            \RoomClientConfiguration.defects.completesAfterFailure,
            meaning: "Whether the final failure still reports a completed reconnect.",
            source: "client-sdk-swift 2.16"
        ),
        .boolean(
            "sdk.defects.loses_mutes_while_signal_is_down",
            \RoomClientConfiguration.defects.losesMutesWhileSignalIsDown,
            meaning: "Whether the server never hears of a mute while signalling is down.",
            source: "client-sdk-swift, issue 367"
        ),
        .boolean(
            "sdk.defects.rearms_ping_deadline",
            \RoomClientConfiguration.defects.rearmsPingDeadline,
            meaning: "Whether signalling that dies in silence is never noticed, as before 2.15.2.",
            source: "client-sdk-swift, pull request 1052"
        ),
        .boolean(
            "sdk.defects.keeps_ghosts",
            \RoomClientConfiguration.defects.keepsGhosts,
            meaning: "Whether a departure that nobody told of is never noticed after a resume.",
            source: "client-sdk-swift 2.16; rust-sdks, pull request 1250"
        ),
    ]
}
