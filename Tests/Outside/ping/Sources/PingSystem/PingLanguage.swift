import KodamaLanguage
import SansIO
import PingClient

// What scenarios can say of the system.

extension PingRequester.Configuration: Tunable {}

/// The app as a scenario puts it on a phone.
struct PingSettings: AppSettings {
    static let system = "ping"

    var configuration: PingRequester.Configuration
}

/// What the timeline can do to the app.
enum PingAct: SystemAct {
    /// The user wants so many answers at once.
    case want(count: Int)
}

extension Vocabulary {
    /// The app, its parameters, and a verb.
    static let ping: Vocabulary = {
        var vocabulary = Vocabulary(of: PingSettings.system)
        var app = AppShape(
            of: PingSettings.system,
            "Asks its server at intervals.",
            read: { _, tuning, _ in
                PingSettings(configuration: tuning[PingRequester.Configuration.self])
            }
        )
        app.needsRadio = true
        vocabulary.app = app
        vocabulary.verbs = [.want]
        vocabulary.servers = [PingHost.serverName]
        vocabulary.parameters = ParameterCatalog(figures).scoped(.app(PingSettings.system))
        return vocabulary
    }()

    private static let figures: [Parameter] = [
        .duration(
            "ping.interval",
            \PingRequester.Configuration.interval,
            .milliseconds(100)...(.seconds(60)),
            meaning: "The time from one request to the next.",
            source: "Our own choice"
        ),
        .duration(
            "ping.patience",
            \PingRequester.Configuration.patience,
            .milliseconds(50)...(.seconds(10)),
            meaning: "How long an answer is waited for at first.",
            source: "Our own choice"
        ),
        .integer(
            "ping.attempts",
            \PingRequester.Configuration.attemptsMax,
            1...100,
            meaning: "How often one thing is asked for.",
            source: "Our own choice"
        ),
    ]
}

extension Verb {
    /// Reads `do: { ping-now: { of: phone, count: 5 } }`.
    fileprivate static let want: Verb = {
        let phone = NameKind.phoneRunning(PingSettings.system)
        let fields = [
            Field("of", .reference(phone), .refused, "The phone whose user wants it."),
            Field("count", .integer(1...50, step: 1), .refused, "How many at once."),
        ]
        return Verb("ping-now", "The user wants answers at once.", of: fields) { body, builder in
            guard let name = builder.refer(body["of"], to: phone),
                let count = body["count"]?.number
            else { return nil }
            let app = AppPlan.component(PingSettings.system, on: name)
            return Deed(TimedAct(PingAct.want(count: Int(count)), to: app))
        }
    }()
}
