@testable import KodamaLanguage
import SansIO

// A system that the product does not have: phones that ping one another through a relay. It is all
// in this file, and it sees of the language what any system sees.

/// The ping app on a phone.
struct PingAppPlan: AppSettings {
    static let system = "ping"

    /// The phone that is pinged.
    var partner: String?
    /// What parameters set.
    var configuration = PingConfiguration()
}

/// What can be tuned in the app.
struct PingConfiguration: Tunable {
    /// The time between two pings.
    var interval: Duration = .seconds(1)
}

/// What can be tuned in the relay.
struct RelayConfiguration: Tunable {
    /// How long the relay keeps a ping.
    var delay: Duration = .milliseconds(10)
}

/// What can be done to the app.
enum PingAct: SystemAct {
    /// Its user taps, so that this many pings go out at once.
    case burst(Int)
    /// It says nothing.
    case hush
    /// It goes on.
    case resume
}

extension Vocabulary {
    /// Phones that ping one another through a relay.
    static let ping: Vocabulary = {
        var vocabulary = Vocabulary(of: PingAppPlan.system)
        vocabulary.app = AppShape(
            of: PingAppPlan.system,
            "Pings another phone through a relay.",
            fields: [Field("partner", .name, "The phone that is pinged.")],
            opens: { _ in "1s" },
            read: { body, tuning, _ in
                PingAppPlan(
                    partner: body["partner"]?.text,
                    configuration: tuning[PingConfiguration.self]
                )
            }
        )
        vocabulary.verbs = [burst]
        vocabulary.userWords = [
            UserWord("hush", "Silences the app.", .inside(PingAppPlan.system)) { _ in PingAct.hush }
        ]
        vocabulary.chances = [
            Chance("quiet", "It says nothing for 1 to 5 s.", app: .system(PingAppPlan.system)) {
                let app = AppPlan.component(PingAppPlan.system, on: $0.phone.name)
                $0.add(PingAct.hush, then: PingAct.resume, to: app, apart: $0.seconds(1...5))
            }
        ]
        vocabulary.servers = ["relay"]
        vocabulary.parameters = ParameterCatalog(joining: [
            ParameterCatalog([interval]).scoped(.app(PingAppPlan.system)),
            ParameterCatalog([delay]).scoped(.servers(of: PingAppPlan.system)),
        ])
        vocabulary.asSpecified = { $0[PingConfiguration.self].interval = .seconds(2) }
        return vocabulary
    }()

    private static let burst = Verb(
        "burst",
        "Many pings go out at once.",
        .mapping(
            MappingShape(
                name: "burst",
                noun: "'burst'",
                summary: "Many pings go out at once.",
                fields: [
                    Field("of", .reference(.phoneRunning(PingAppPlan.system)), .refused, "Whose."),
                    Field("count", .integer(1...100, step: 1), .means("10"), "How many."),
                ]
            )
        )
    ) { body, builder in
        let phone = builder.refer(body["of"], to: .phoneRunning(PingAppPlan.system))
        guard let phone, let count = body["count"], let number = count.number else { return nil }
        guard number != 13 else {
            builder.report("13 pings bring bad luck", code: "bad-luck", at: count)
            return nil
        }
        let app = AppPlan.component(PingAppPlan.system, on: phone)
        return Deed(TimedAct(PingAct.burst(Int(number)), to: app))
    }

    private static let interval = Parameter.duration(
        "ping.interval",
        \PingConfiguration.interval,
        .milliseconds(100)...(.seconds(60)),
        meaning: "The time between two pings.",
        source: "The test"
    )

    private static let delay = Parameter.duration(
        "relay.delay",
        \RelayConfiguration.delay,
        .zero...(.seconds(1)),
        meaning: "How long the relay keeps a ping.",
        source: "The test"
    )
}

extension KodamaSystem {
    /// The words of pings.
    static let ping = KodamaSystem("ping", vocabulary: .ping)
}
