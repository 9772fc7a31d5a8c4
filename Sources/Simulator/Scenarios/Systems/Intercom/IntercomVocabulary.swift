import AppCoordination
import PeerTransport

extension Vocabulary {
    /// The mountain intercom.
    static let intercom: Vocabulary = {
        var vocabulary = Vocabulary(of: IntercomAppPlan.system)
        var app = AppShape(
            of: IntercomAppPlan.system,
            "The mountain intercom: people of one group talk over links between their phones.",
            fields: [
                Field(
                    "group",
                    .name,
                    "The group that its user is in; without one the app is never opened."
                )
            ],
            opens: { $0.field("group") == nil ? "never" : "already" },
            read: { body, tuning, builder in
                var app = IntercomAppPlan()
                app.group = body["group"]?.text
                app.configuration = tuning[IntercomConfiguration.self]
                if let opens = body["opens"], body.field("group") == nil, opens.text != "never" {
                    builder.report(
                        .missingKey(
                            "group",
                            inside: "an intercom app that is opened",
                            summary: "The group that its user is in."
                        ),
                        at: opens.place
                    )
                }
                return app
            }
        )
        app.voices = [.real, .sized]
        app.usesLinks = true
        vocabulary.app = app
        vocabulary.parameters = .intercom
        vocabulary.asSpecified = { tuning in
            tuning[IntercomConfiguration.self].jitterBuffer.floor = .milliseconds(20)
            tuning[IntercomConfiguration.self].jitterBuffer.ceiling = .milliseconds(60)
        }
        return vocabulary
    }()
}
