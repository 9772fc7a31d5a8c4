import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import SansIO

extension ParameterCatalog {
    /// Everything that can be tuned in the frameworks by which phones of a group find each other.
    static let groupServices = ParameterCatalog(joining: [
        ParameterCatalog(
            nearby,
            constraints: [
                Constraint("nearby.cold_least", notAbove: "nearby.cold_most"),
                Constraint("nearby.warm_least", notAbove: "nearby.warm_most"),
                Constraint("nearby.notice_least", notAbove: "nearby.notice_most"),
            ]
        ).lacking { $0.securedIntercomLack },
        ParameterCatalog(reach).lacking { $0.walks.isEmpty ? "nobody walks" : nil },
        ParameterCatalog(
            match,
            constraints: [
                Constraint("match.set_up_least", notAbove: "match.set_up_most"),
                Constraint("match.relay_delay_least", notAbove: "match.relay_delay_most"),
                Constraint("match.notice_least", notAbove: "match.notice_most"),
            ]
        ).lacking { $0.securedIntercomLack },
    ]).scoped(.servers(of: IntercomAppPlan.system))

    private static let nearby: [Parameter] = [
        time(
            "nearby.cold_least",
            \NearbyConfiguration.coldSetUpLeast,
            "How long a link between radios that have not talked takes at least."
        ),
        time(
            "nearby.cold_most",
            \NearbyConfiguration.coldSetUpMost,
            "How long a link between radios that have not talked takes at most."
        ),
        time(
            "nearby.warm_least",
            \NearbyConfiguration.warmSetUpLeast,
            "How long a link between radios that have talked takes at least."
        ),
        time(
            "nearby.warm_most",
            \NearbyConfiguration.warmSetUpMost,
            "How long a link between radios that have talked takes at most."
        ),
        time(
            "nearby.invite_timeout",
            \NearbyConfiguration.inviteTimeout,
            "How long an invitation may take."
        ),
        time(
            "nearby.notice_least",
            \NearbyConfiguration.noticeLeast,
            "After how much silence a lost connection is noticed at the earliest."
        ),
        time(
            "nearby.notice_most",
            \NearbyConfiguration.noticeMost,
            "After how much silence a lost connection is noticed at the latest."
        ),
        never("nearby.notice_never", \NearbyConfiguration.noticeNever),
    ]

    private static let reach: [Parameter] = [
        level(
            "nearby.radio_budget",
            \PeerRadioModel.budgetMilliDecibels,
            40_000...140_000,
            "What may be lost between two phones' antennas until their margin is gone, where people walk."
        ),
        level(
            "nearby.radio_shadowing",
            \PeerRadioModel.shadowingMilliDecibels,
            0...12_000,
            "The standard deviation of what trees and bodies add to the path loss, where people walk."
        ),
    ]

    private static let match: [Parameter] = [
        time(
            "match.set_up_least",
            \MatchConfiguration.setUpLeast,
            "How long it takes at least until players who look for each other are connected."
        ),
        time(
            "match.set_up_most",
            \MatchConfiguration.setUpMost,
            "How long it takes at most until players who look for each other are connected."
        ),
        time(
            "match.relay_delay_least",
            \MatchConfiguration.relayDelayLeast,
            "What the way over the match service adds at least."
        ),
        time(
            "match.relay_delay_most",
            \MatchConfiguration.relayDelayMost,
            "What the way over the match service adds at most."
        ),
        time(
            "match.notice_least",
            \MatchConfiguration.noticeLeast,
            "After how much silence a player is counted as lost at the earliest."
        ),
        time(
            "match.notice_most",
            \MatchConfiguration.noticeMost,
            "After how much silence a player is counted as lost at the latest."
        ),
        never("match.notice_never", \MatchConfiguration.noticeNever),
        .integer(
            "match.message_bytes",
            \MatchConfiguration.messageBytesMax,
            1...89_088,
            meaning: "The longest unreliable message in bytes.",
            source: "D-10"
        ),
        .integer(
            "match.messages_per_second",
            \MatchConfiguration.messagesPerSecondMax,
            1...1_000_000,
            meaning: "How many messages a second the service carries for one player.",
            source: "S-ARCH-003"
        ),
    ]

    private static func time<Root: Tunable>(
        _ name: String,
        _ path: any ConfigurationPath<Root, Duration>,
        _ meaning: String
    ) -> Parameter {
        .duration(name, path, .zero...(.seconds(600)), meaning: meaning, source: "D-09, D-10")
    }

    private static func level(
        _ name: String,
        _ path: any ConfigurationPath<PeerRadioModel, Int64>,
        _ range: ClosedRange<Int64>,
        _ meaning: String
    ) -> Parameter {
        .level(name, path, range, meaning: meaning, source: "D-09, ITU-R P.1411")
    }

    private static func never<Root: Tunable>(
        _ name: String,
        _ path: any ConfigurationPath<Root, Probability>
    ) -> Parameter {
        .share(
            name,
            path,
            .zero...Probability(partsPerMillion: 1_000_000),
            meaning: "How often a loss is never noticed.",
            source: "D-09, D-10"
        )
    }
}
