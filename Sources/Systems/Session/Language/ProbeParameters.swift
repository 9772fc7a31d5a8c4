import AppCoordination
import KodamaLanguage
import RealtimeVoice
import SansIO

extension ParameterCatalog {
    /// How the session feels for a lost path.
    static let probe: [Parameter] = [
        .boolean(
            "session.probe.enabled",
            \VoiceAppConfiguration.session.probe.isEnabled,
            meaning: "Whether the session probes while voice is lost.",
            source: "K-19"
        ),
        .duration(
            "session.probe.interval",
            \VoiceAppConfiguration.session.probe.interval,
            .milliseconds(100)...(.seconds(60)),
            meaning: "The time between two probes; the two hosts take turns.",
            source: "K-19"
        ),
        .duration(
            "session.probe.slow_after",
            \VoiceAppConfiguration.session.probe.slowAfter,
            .zero...(.seconds(3_600)),
            meaning: "How long an outage is probed as often as that.",
            source: "K-19"
        ),
        .duration(
            "session.probe.slow_interval",
            \VoiceAppConfiguration.session.probe.slowInterval,
            .milliseconds(100)...(.seconds(600)),
            meaning: "The time between two probes after that.",
            source: "K-19"
        ),
        .duration(
            "session.probe.spread",
            \VoiceAppConfiguration.session.probe.spread,
            .zero...(.seconds(60)),
            meaning: "Over how long the attempts of sessions spread whose server has come back.",
            source: "K-20"
        ),
        .duration(
            "session.probe.away_delay",
            \VoiceAppConfiguration.session.probe.awayDelay,
            .zero...(.seconds(300)),
            meaning: "How long a server that is away is left alone, and up to as long again.",
            source: "K-20"
        ),
    ]
}
