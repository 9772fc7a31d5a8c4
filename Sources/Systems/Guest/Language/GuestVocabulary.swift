import KodamaLanguage
import KodamaSession

extension Vocabulary {
    /// The app, and the verb by which its user talks to it.
    static let guest: Vocabulary = {
        var vocabulary = Vocabulary(of: GuestPlan.system)
        var app = AppShape(
            of: GuestPlan.system,
            "A program beside the simulator, in any language, which runs in virtual time.",
            fields: [
                Field(
                    "program",
                    .sentence,
                    .refused,
                    "The program's label; the command line says which command it is (--guest LABEL=COMMAND)."
                ),
                Field(
                    "settings",
                    .list(of: .sentence, counts: 0...64),
                    "What the program is told of itself at its launch, each as name=value."
                ),
                Field(
                    "notifications",
                    .choice(
                        [
                            Choice(word: "granted", summary: "The user allows them."),
                            Choice(word: "denied", summary: "The user refuses them."),
                        ],
                        noun: "permission"
                    ),
                    .means("granted"),
                    "Whether the user allows its notifications."
                ),
            ],
            read: plan
        )
        app.usesLinks = true
        vocabulary.app = app
        vocabulary.verbs = [.tell]
        vocabulary.servers = [GuestRelay.componentName, ServicesPlan.apiName]
        vocabulary.bystanders = [ServicesPlan.roomsName, ServicesPlan.agentsName]
        return vocabulary
    }()

    private static func plan(
        _ value: CheckedValue,
        _ tuning: Tuning,
        _ builder: inout PlanBuilder
    ) -> any AppSettings {
        let label = value["program"]?.text ?? ""
        if let program = value["program"], label.isEmpty || label.contains(where: " =".contains) {
            builder.report(
                "'\(label)' is no label of a program: write a word such as pigeon",
                code: "bad-label",
                at: program
            )
        }
        var settings: [GuestPlan.Setting] = []
        for entry in value["settings"]?.entries ?? [] {
            let parts = (entry.text ?? "").split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard parts.count == 2, !parts[0].isEmpty else {
                builder.report(
                    "'\(entry.text ?? "")' is no setting: write name=value, such as interval=2s",
                    code: "bad-setting",
                    at: entry
                )
                continue
            }
            settings.append(GuestPlan.Setting(name: String(parts[0]), value: String(parts[1])))
        }
        return GuestPlan(
            label: label,
            settings: settings,
            allowsNotifications: value["notifications"]?.text != "denied"
        )
    }
}

extension Verb {
    /// Reads `do: { tell-guest: { of: mika, text: "send 5" } }`.
    fileprivate static let tell: Verb = {
        let phone = NameKind.phoneRunning(GuestPlan.system)
        let fields = [
            Field("of", .reference(phone), .refused, "The phone whose guest is told."),
            Field("text", .sentence, .refused, "What it is told, in words that the program knows."),
        ]
        let summary = "The user tells a guest something."
        return Verb("tell-guest", summary, of: fields) { body, builder in
            guard let name = builder.refer(body["of"], to: phone), let text = body["text"]?.text
            else { return nil }
            let app = AppPlan.component(GuestPlan.system, on: name)
            return Deed(TimedAct(GuestAct.tell(text), to: app))
        }
    }()
}
