import AppCoordination
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import PeerTransport
import SansIO

extension ParameterCatalog {
    /// Everything that can be tuned in how the intercom of groups watches and changes paths.
    static let group = ParameterCatalog(
        handover + probes + judge,
        constraints: [
            Constraint("handover.double_sending", notAbove: "handover.double_sending_max"),
            Constraint("handover.probing_time", notAbove: "handover.probing_time_max"),
            Constraint("handover.return_delay", notAbove: "handover.return_delay_max"),
            Constraint("handover.poor_loss", notAbove: "handover.bad_loss"),
            Constraint("handover.poor_silence", notAbove: "handover.bad_silence"),
            Constraint("handover.poor_jitter", notAbove: "handover.bad_jitter"),
            Constraint("handover.poor_round_trip", notAbove: "handover.bad_round_trip"),
        ]
    ).scoped(.app(IntercomAppPlan.system)).lacking { $0.securedIntercomLack }

    private static let handover: [Parameter] = [
        phase(
            "local_patience",
            \GroupTuning.configuration.handover.localPatience,
            .zero...(.seconds(30)),
            "How long the radio alone is tried at first."
        ),
        phase(
            "double_sending",
            \GroupTuning.configuration.handover.doubleSending,
            .milliseconds(500)...(.milliseconds(1_500)),
            "How long everything is sent twice at least when the path changes."
        ),
        phase(
            "double_sending_max",
            \GroupTuning.configuration.handover.doubleSendingMax,
            .milliseconds(500)...(.seconds(60)),
            "How long a poor radio is backed by sending everything twice before it is given up."
        ),
        phase(
            "recovery_time",
            \GroupTuning.configuration.handover.recoveryTime,
            .milliseconds(500)...(.seconds(30)),
            "How long a radio that was poor must be good to count as good again."
        ),
        phase(
            "probing_time",
            \GroupTuning.configuration.handover.probingTime,
            .seconds(5)...(.seconds(10)),
            "How long the radio must be good before the pair returns to it."
        ),
        phase(
            "probing_time_max",
            \GroupTuning.configuration.handover.probingTimeMax,
            .seconds(5)...(.seconds(30)),
            "After how long a probing that has not succeeded is given up."
        ),
        phase(
            "return_delay",
            \GroupTuning.configuration.handover.returnDelay,
            .zero...(.seconds(60)),
            "How long the pair stays on the Internet before it probes the radio."
        ),
        phase(
            "return_delay_max",
            \GroupTuning.configuration.handover.returnDelayMax,
            .zero...(.seconds(600)),
            "What handover.return_delay grows to at most, after returns that did not last."
        ),
        phase(
            "stable_time",
            \GroupTuning.configuration.handover.stableTime,
            .zero...(.seconds(3_600)),
            "How long a return must last to have been right."
        ),
        phase(
            "standby_time",
            \GroupTuning.configuration.handover.standbyTime,
            .zero...(.seconds(3_600)),
            "How long the Internet stays up as backup after the radio carries alone."
        ),
        phase(
            "internet_timeout",
            \GroupTuning.configuration.handover.internetTimeout,
            .seconds(1)...(.seconds(120)),
            "How long the Internet may take to come up before it is asked for again."
        ),
        phase(
            "internet_retry_delay",
            \GroupTuning.configuration.handover.internetRetryDelay,
            .milliseconds(100)...(.seconds(60)),
            "How long after a failure the Internet is asked for again."
        ),
        phase(
            "notice_period",
            \GroupTuning.configuration.handover.noticePeriod,
            .milliseconds(500)...(.seconds(60)),
            "How often the other side is told again how a path is."
        ),
    ]

    private static let probes: [Parameter] = [
        phase(
            "ping_period",
            \GroupTuning.configuration.probe.period,
            .milliseconds(500)...(.seconds(5)),
            "The time from ping to ping on a good or dead path, and on a merely slow Internet."
        ),
        phase(
            "probing_period",
            \GroupTuning.configuration.probe.probingPeriod,
            .milliseconds(20)...(.milliseconds(150)),
            "The time from ping to ping while probing, and on any other path that is up."
        ),
    ]

    private static func phase(
        _ name: String,
        _ path: any ConfigurationPath<GroupTuning, Duration>,
        _ range: ClosedRange<Duration>,
        _ meaning: String
    ) -> Parameter {
        .duration(
            "handover.\(name)",
            path,
            range,
            meaning: meaning,
            source: "S-HO-001, S-HO-002"
        )
    }

    private static let judge: [Parameter] = [
        share("poor_loss", \GroupTuning.judge.loss.poor, "From which loss on the path is poor."),
        share("bad_loss", \GroupTuning.judge.loss.bad, "From which loss on the path is bad."),
        limit(
            "poor_silence",
            \GroupTuning.judge.silence.poor,
            "For how long something due may fail to come before the path is poor."
        ),
        limit(
            "bad_silence",
            \GroupTuning.judge.silence.bad,
            "For how long something due may fail to come before the path is bad."
        ),
        limit(
            "poor_jitter",
            \GroupTuning.judge.jitter.poor,
            "From which interarrival jitter on the path is poor."
        ),
        limit(
            "bad_jitter",
            \GroupTuning.judge.jitter.bad,
            "From which interarrival jitter on the path is bad."
        ),
        limit(
            "poor_round_trip",
            \GroupTuning.judge.roundTrip.poor,
            "From which round trip on the path is poor."
        ),
        limit(
            "bad_round_trip",
            \GroupTuning.judge.roundTrip.bad,
            "From which round trip on the path is bad."
        ),
        .boolean(
            "handover.whole_group",
            \GroupTuning.wantsWholeGroup,
            meaning:
                "Whether the radio also counts as poor while it does not reach all who are in the "
                + "group.",
            source: "S-HO-003, A-F-011"
        ),
    ]

    private static func share(
        _ name: String,
        _ path: any ConfigurationPath<GroupTuning, Probability>,
        _ meaning: String
    ) -> Parameter {
        .share(
            "handover.\(name)",
            path,
            Probability(partsPerMillion: 1_000)...Probability(partsPerMillion: 1_000_000),
            meaning: meaning,
            source: "S-HO-003"
        )
    }

    private static func limit(
        _ name: String,
        _ path: any ConfigurationPath<GroupTuning, Duration>,
        _ meaning: String
    ) -> Parameter {
        .duration(
            "handover.\(name)",
            path,
            .milliseconds(20)...(.seconds(10)),
            meaning: meaning,
            source: "S-HO-003"
        )
    }
}
