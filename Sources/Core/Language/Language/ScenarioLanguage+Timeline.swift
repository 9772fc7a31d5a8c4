// What is done to the world, ordered or by chance.

extension ScenarioLanguage {
    static func timelineEntry(_ vocabularies: Vocabularies) -> MappingShape {
        MappingShape(
            name: "timeline_entry",
            noun: "an entry of the timeline",
            summary: "Something done to the world at a time or after an event.",
            fields: [
                Field("at", .instant, "So long after the start, or at a time of day."),
                Field("after", .mapping(after), "After something has happened."),
                Field("do", .mapping(action(vocabularies)), .refused, "What is done."),
            ],
            exactlyOne: ["at", "after"]
        )
    }

    static let after = MappingShape(
        name: "after",
        noun: "a trigger",
        summary: "Something that happens in the run; where it comes in no run, the scenario fails.",
        fields: [
            Field("event", .reference(.event), .refused, "The kind of record."),
            Field(
                "of",
                .reference(.component),
                .refused,
                "Whom the record is about: a phone with its apps, one app as phone.app, or another; of what a "
                    + "server writes, whom it names. Of phones alike, whose name 'do' has too, each its own."
            ),
            Field(
                "count",
                .integer(1...1_000_000_000, step: 1),
                .means("1"),
                "Which one of them counts."
            ),
            Field("delay", .time, .means("0s"), "How long after it."),
        ]
    )

    private static func action(_ vocabularies: Vocabularies) -> MappingShape {
        MappingShape(
            name: "action",
            noun: "an action",
            summary: "What is done to the world.",
            fields: vocabularies.verbs.map { Field($0.key, $0.shape(vocabularies), $0.summary) },
            exactlyOne: vocabularies.verbs.map(\.key)
        )
    }

    /// What goes wrong by chance.
    static func faultMix(_ vocabularies: Vocabularies) -> MappingShape {
        MappingShape(
            name: "fault_mix",
            noun: "an entry of faults",
            summary: "Faults of several kinds that come one after the other, drawn for each seed.",
            fields: [
                Field("of", .reference(.phone), .refused, "The phone."),
                Field(
                    "app",
                    .choice(
                        vocabularies.apps.map { Choice(word: $0.system, summary: $0.summary) },
                        noun: "app"
                    ),
                    "The app that is meant, where the phone has several that it could be."
                ),
                Field(
                    "kinds",
                    .mapping(faultKinds(vocabularies)),
                    .refused,
                    "What may happen, and how often."
                ),
                Field("every", .span, .refused, "The mean time from the end of one to the next."),
                Field("from", .instant, .means("0s"), "When the first may begin."),
                Field("until", .instant, .meansRunEnd, "When the last has ended."),
            ]
        )
    }

    private static func faultKinds(_ vocabularies: Vocabularies) -> MappingShape {
        MappingShape(
            name: "fault_kinds",
            noun: "kinds of faults",
            summary: "How often each kind is drawn, relative to the others.",
            fields: vocabularies.chances.map {
                Field($0.name, .integer(1...1_000, step: 1), $0.meaning)
            }
        )
    }
}
