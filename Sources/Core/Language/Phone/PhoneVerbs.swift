import KodamaNetwork
import KodamaPhone

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
                fields: [phone, PhoneShapes.secureStorage, PhoneShapes.disk, PhoneShapes.engine],
                exactlyOne: [PhoneShapes.secureStorage, PhoneShapes.disk, PhoneShapes.engine]
                    .map(\.key)
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
            let known = builder.phone(named: phone), let does = body["does"]
        else { return nil }
        let words = builder.vocabulary.language.userWords.filter { $0.word == does.text }
        guard let word = words.first else { return nil }
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
        case .inside:
            guard let word = meant(words, on: (phone, known), body, &builder),
                let system = word.system
            else { return nil }
            return inside(system, word, on: (phone, known), body, &builder)
        }
    }

    /// In which app of the phone the user does something, of those that know the word; `nil` after a
    /// report.
    private static func meant(
        _ words: [UserWord],
        on phone: (name: String, known: KnownPhone),
        _ body: CheckedValue,
        _ builder: inout PlanBuilder
    ) -> UserWord? {
        let systems = words.compactMap(\.system)
        let all = systems.joined(separator: " or ")
        let there = words.filter { $0.system.map(phone.known.has) ?? false }
        guard !there.isEmpty else {
            let other = words.compactMap(\.instead).first { instead in
                builder.vocabulary.language.userWords.contains {
                    $0.word == instead && $0.needed.map(phone.known.has) ?? false
                }
            }
            let problem: Problem =
                systems.count == 1
                ? .otherApp(phone.name, needs: all)
                : .noAppForAct(words[0].word, phone.name, needs: all, instead: other)
            builder.report(problem, at: body["of"]?.place ?? body.place)
            return nil
        }
        if let named = body["app"], let system = named.text {
            if let word = there.first(where: { $0.system == system }) { return word }
            let own = builder.vocabulary.language.userWords.filter {
                $0.system == system || $0.needed == system
            }
            let like = Suggestion.nearest(to: words[0].word, among: own.map(\.word))
            let problem: Problem =
                systems.contains(system)
                ? .otherApp(phone.name, needs: system)
                : .actOfOtherApp(words[0].word, all, instead: like)
            builder.report(problem, at: named.place)
            return nil
        }
        guard there.count == 1 else {
            let problem = Problem.whichApp(phone.name, among: there.compactMap(\.system))
            if phone.known.isSound { builder.report(problem, at: body.place) }
            return nil
        }
        return there[0]
    }

    /// The user does something in a system's app, if that heeds it.
    private static func inside(
        _ system: String,
        _ word: UserWord,
        on phone: (name: String, known: KnownPhone),
        _ body: CheckedValue,
        _ builder: inout PlanBuilder
    ) -> Deed? {
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
        let target = AppPlan.component(system, on: phone.name)
        var deed = Deed(TimedAct(word.act(system), to: target))
        if let app, let vain = word.vain { deed.vain = { vain(app.settings, $0) } }
        return deed
    }

    private static func userShape(_ vocabularies: Vocabularies) -> MappingShape {
        let apps = vocabularies.apps.map { Choice(word: $0.system, summary: $0.summary) }
        return MappingShape(
            name: "user",
            noun: "'user'",
            summary: "The user of a phone does something.",
            fields: [
                phone,
                Field(
                    "does",
                    .choice(vocabularies.userWords.choices, noun: "act of a user"),
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
