import KodamaLanguage
import KodamaSimulation
import SansIO

/// What a user says into the agent's answers; nothing by default.
package struct ListenerConfiguration: Tunable {
    /// How often an answer is interrupted; no source counts it.
    var bargesIn = Probability.zero
    /// How often a backchannel is said into one: 16 to 19 % of contributions to conversations are backchannels
    /// (Knudsen and others, Front Psychol 2020), which scenarios about it take.
    var backchannels = Probability.zero
    /// How long one who interrupts speaks, and how long a backchannel lasts; both are assumptions.
    var bargeIn = LatencyLaw(median: .milliseconds(1_500), sigmaMillionths: 300_000)
    var backchannel = LatencyLaw(median: .milliseconds(400), sigmaMillionths: 400_000)

    /// Whether anything is said.
    var isOn: Bool { bargesIn != .zero || backchannels != .zero }

    package init() {}
}

extension ParameterCatalog {
    /// What a user says into the agent's answers.
    static let listener = ParameterCatalog([
        .share(
            "listener.barges_in",
            \ListenerConfiguration.bargesIn,
            .zero...(.one),
            meaning: "How often a user interrupts an answer of the agent's, with 'voice: sized'.",
            source: "K-09"
        ),
        .share(
            "listener.backchannels",
            \ListenerConfiguration.backchannels,
            .zero...(.one),
            meaning: "How often a user says a backchannel into one that they don't interrupt.",
            source: "Knudsen and others, Front Psychol 2020"
        ),
        .duration(
            "listener.backchannel.median",
            \ListenerConfiguration.backchannel.median,
            .milliseconds(50)...(.seconds(5)),
            meaning: "The median length of a backchannel.",
            source: "K-09"
        ),
    ])
    .scoped(.app(SessionAppPlan.system))
}
