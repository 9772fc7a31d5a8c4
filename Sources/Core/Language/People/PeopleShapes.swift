/// The people as scenarios write them, and who talks when.
enum PeopleShapes {
    static let person = MappingShape(
        name: "person",
        noun: "a person",
        summary: "Somebody who talks at a phone.",
        fields: [
            Field("name", .name, .refused, "A name that nothing else has."),
            Field("holds", .reference(.phone), .refused, "The phone that hears the person."),
            Field(
                "voice",
                .reference(.voice),
                "The recorded voice; without it one is chosen by the person's position in the list."
            ),
            surroundings,
        ]
    )

    static let talk = [
        MappingShape(
            name: "conversation",
            noun: "a conversation",
            summary: "Talk spurts and pauses of two people.",
            fields: [
                Field(
                    "conversation",
                    .choice(
                        [Choice(word: "p59", summary: "After ITU-T P.59.")],
                        noun: "kind of conversation"
                    ),
                    .refused,
                    "The model that it follows."
                ),
                Field(
                    "between",
                    .list(of: .reference(.person), counts: 2...2),
                    .refused,
                    "The two people."
                ),
                Field("from", .instant, .means("0s"), "When it begins."),
                Field("until", .instant, .meansRunEnd, "When it ends."),
            ]
        ),
        MappingShape(
            name: "monologue",
            noun: "a monologue",
            summary: "One person talks without a pause of 200 ms or more.",
            fields: [
                Field("monologue", .reference(.person), .refused, "Who talks."),
                Field("at", .instant, .refused, "When it begins."),
                Field("for", .span, .refused, "How long it lasts."),
            ]
        ),
        MappingShape(
            name: "turns",
            noun: "turns",
            summary: "One person speaks again and again, with time for an answer in between.",
            fields: [
                Field("turns", .reference(.person), .refused, "Who speaks."),
                Field("every", .span, .refused, "From the beginning of a turn to the next one's."),
                Field("for", .span, .refused, "How long a turn lasts."),
                Field("from", .instant, .means("0s"), "When the first one begins."),
                Field("until", .instant, .meansRunEnd, "When the last one has ended."),
            ]
        ),
    ]
}
