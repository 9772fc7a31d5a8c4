import Models

extension Verb {
    /// A phone grants or refuses something.
    static let condition = Verb(
        "condition",
        "A phone grants or refuses something.",
        .mapping(
            MappingShape(
                name: "condition_change",
                noun: "'condition'",
                summary: "The phone grants or refuses something from then on.",
                fields: [phone, PhoneShapes.secureStorage, PhoneShapes.engine],
                exactlyOne: [PhoneShapes.secureStorage.key, PhoneShapes.engine.key]
            )
        ),
        read: change
    )

    /// A phone's clock jumps.
    static let setClock = Verb(
        "set-clock",
        "A phone's clock jumps.",
        .mapping(
            MappingShape(
                name: "set_clock",
                noun: "'set-clock'",
                summary: "The phone's clock is set, as by its user or by the network.",
                fields: [
                    phone,
                    Field(
                        "to",
                        PhoneShapes.clockOffset,
                        .refused,
                        "How much later than true the clock is from then on; negative for earlier."
                    ),
                ]
            )
        ),
        read: change
    )

    private static let phone = Field("of", .reference(.phone), .refused, "The phone.")

    @Sendable
    private static func change(_ body: CheckedValue, _ builder: inout PlanBuilder) -> Deed? {
        let phone = builder.refer(body["of"], to: .phone)
        guard let phone, let act = PhoneAct(changing: body) else { return nil }
        return Deed(TimedAct(act, to: phone))
    }

    /// The user of a phone does something; the words are those of all systems.
    static let user = Verb(
        "user",
        "The user does something with the phone or one of its apps.",
        shapedBy: { .mapping(userShape($0)) }
    ) { body, builder in
        guard let phone = builder.refer(body["of"], to: .phone),
            let known = builder.phone(named: phone), let does = body["does"],
            let word = builder.vocabulary.language.userWords.first(where: { $0.word == does.text })
        else { return nil }
        let named = body["app"]
        if let needed = word.needed, !known.has(needed) {
            builder.report(.otherApp(phone, needs: needed), at: body["of"]?.place ?? body.place)
            return nil
        }
        switch word.target {
        case .phone:
            if let named {
                builder.report(.appForNothing(word.word), at: named.place)
                return nil
            }
            return Deed(TimedAct(word.act(""), to: phone))
        case .appFromOutside:
            guard let app = builder.app(named, of: phone, at: body.place) else { return nil }
            return Deed(TimedAct(word.act(app), to: phone))
        case .inside(let system):
            return inside(system, word, on: (phone, known), body, &builder)
        }
    }

    /// The user does something in a system's app, if the phone has one that heeds it.
    private static func inside(
        _ system: String,
        _ word: UserWord,
        on phone: (name: String, known: KnownPhone),
        _ body: CheckedValue,
        _ builder: inout PlanBuilder
    ) -> Deed? {
        guard phone.known.has(system) else {
            let place = body["of"]?.place ?? body.place
            builder.report(.otherApp(phone.name, needs: system), at: place)
            return nil
        }
        if let named = body["app"], named.text != system {
            builder.report(.actOfOtherApp(word.word, system), at: named.place)
            return nil
        }
        let app = phone.known.apps.first { $0.name == system }
        if let unheeded = app.flatMap({ word.unheeded($0.settings) }) {
            builder.report(
                "'\(word.word)' does nothing: \(unheeded.reason)",
                code: "act-unheeded",
                hint: unheeded.hint,
                at: body["does"] ?? body
            )
            return nil
        }
        return Deed(TimedAct(word.act(system), to: AppPlan.component(system, on: phone.name)))
    }

    private static func userShape(_ vocabularies: Vocabularies) -> MappingShape {
        let words = vocabularies.userWords.map { Choice(word: $0.word, summary: $0.meaning) }
        let apps = vocabularies.apps.map { Choice(word: $0.system, summary: $0.summary) }
        return MappingShape(
            name: "user",
            noun: "'user'",
            summary: "The user of a phone does something.",
            fields: [
                phone,
                Field(
                    "does",
                    .choice(words, noun: "act of a user"),
                    .refused,
                    "What the user does."
                ),
                Field(
                    "app",
                    .choice(apps, noun: "app"),
                    "The app that is meant, where the phone has several that it could be."
                ),
            ]
        )
    }
}
