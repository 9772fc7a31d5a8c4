import AppCoordination
import IncomingCalls
import KodamaBackend
public import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import SansIO

extension CallAppConfiguration: Tunable {
    /// The app with its default figures.
    init() { self.init(bundleId: "example.kodama.calls") }
}

extension ParameterCatalog {
    /// Everything that can be tuned in the calling app.
    static let calls = ParameterCatalog(app).scoped(.app(CallAppPlan.system))

    private static let app: [Parameter] = [
        .choice(
            "calls.push_rule",
            \CallAppConfiguration.calls.pushRule,
            meaning: "What a push leads to that cannot ring.",
            source: "D-01"
        ),
        optional(
            "calls.watch_interval",
            \CallAppConfiguration.calls.watchInterval,
            .seconds(60),
            meaning: "How often the server is asked about a call that rings here; 0s for never.",
            source: "D-03"
        ),
        optional(
            "calls.ring_timeout",
            \CallAppConfiguration.calls.ringTimeout,
            .seconds(600),
            meaning: "How long a call rings; 0s for as long as nobody ends it.",
            source: "D-03"
        ),
        .duration(
            "calls.connect_timeout",
            \CallAppConfiguration.calls.connectTimeout,
            .seconds(1)...(.seconds(300)),
            meaning: "How long an answered call may take until both sides are joined.",
            source: "VP-05"
        ),
        .duration(
            "calls.answer_patience",
            \CallAppConfiguration.calls.answerActionPatience,
            .zero...(.seconds(30)),
            meaning: "How long the system's answer action is kept open for the server's consent.",
            source: "VP-05"
        ),
        .boolean(
            "calls.resolves_glare",
            \CallAppConfiguration.calls.resolvesGlare,
            meaning: "Whether of two calls that users make to each other at once one gives way.",
            source: "VP-05"
        ),
        .boolean(
            "calls.registers_on_path",
            \CallAppConfiguration.calls.registersOnPath,
            meaning: "Whether the network's return registers a token that could not be registered.",
            source: "D-04"
        ),
        .boolean(
            "calls.notices_missed",
            \CallAppConfiguration.calls.noticesMissedCalls,
            meaning: "Whether the user gets a notice of calls that were missed.",
            source: "VP-05"
        ),
        optional(
            "calls.missed_interval",
            \CallAppConfiguration.calls.missedCallInterval,
            .seconds(3_600),
            meaning: "How often missed calls are asked for in front; 0s for never.",
            source: "VP-05"
        ),
    ]

    /// Everything that can be tuned in the push service.
    static let pushes = ParameterCatalog(service).scoped(.servers(of: CallAppPlan.system))

    private static let service: [Parameter] = [
        .share(
            "push.duplicates",
            \CallServicesPlan.push.duplicates,
            .zero...(.one),
            meaning: "How often the push service delivers a notification twice.",
            source: "alicinaroglu.dev"
        ),
        .duration(
            "push.duplicate_within",
            \CallServicesPlan.push.duplicateWithin,
            .milliseconds(1)...(.seconds(3_600)),
            meaning: "Within which time the second delivery follows.",
            source: "VP-02"
        ),
        .share(
            "push.stragglers",
            \CallServicesPlan.push.stragglers,
            .zero...(.one),
            meaning: "How often a notification is late beyond the usual.",
            source: "Apple developer forums, thread 823102"
        ),
        .duration(
            "push.latency",
            \CallServicesPlan.push.latency.median,
            .zero...(.seconds(60)),
            meaning: "The median of what the push service itself takes.",
            source: "Apple developer forums, thread 825224"
        ),
    ]

    /// Describes a time without which something does not happen: 0 stands for that.
    private static func optional(
        _ name: String,
        _ path: any ConfigurationPath<CallAppConfiguration, Duration?>,
        _ longest: Duration,
        meaning: String,
        source: String
    ) -> Parameter {
        Parameter(
            name: name,
            kind: .quantity(.duration),
            range: 0...longest.wholeNanoseconds,
            step: 1,
            meaning: meaning,
            source: source,
            value: { $0[CallAppConfiguration.self][keyPath: path]?.wholeNanoseconds ?? 0 },
            set: {
                let length: Duration? = $0 == 0 ? nil : .nanoseconds($0)
                $1[CallAppConfiguration.self][keyPath: path] = length
            }
        )
    }
}
