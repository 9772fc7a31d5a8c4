/// A phone as scenarios write it.
enum PhoneShapes {
    /// An entry of `phones`.
    static func phone(_ vocabularies: Vocabularies) -> MappingShape {
        MappingShape(
            name: "phone",
            noun: "a phone",
            summary: "A phone, and the apps on it.",
            fields: [
                Field("name", .name, .refused, "A name that nothing else has."),
                Field(
                    "count",
                    .integer(1...1_000_000, step: 1),
                    "How many alike there are, called name-1, name-2 and so on; without it one. What an "
                        + "entry of the timeline or of faults does to the name, it does to each."
                ),
                Field("radios", .mapping(radios), "The phone's ways to the Internet."),
                Field(
                    "clock",
                    clockOffset,
                    .means("0s"),
                    "How much later than true the phone's clock is; negative for earlier."
                ),
                Field(
                    "clock_drift",
                    .quantity(.share, -500...500, step: 1),
                    .means("0%"),
                    "How much faster than true its audio clock runs."
                ),
                Field("condition", .mapping(condition), "What the phone refuses at the start."),
                Field(
                    "parameters",
                    .parameters(vocabularies.parameters, .phone),
                    "Figures of this phone and its apps; they win over the scenario's."
                ),
                Field("apps", .mapping(apps(vocabularies)), .refused, "The apps on it."),
            ]
        )
    }

    private static func apps(_ vocabularies: Vocabularies) -> MappingShape {
        MappingShape(
            name: "apps",
            noun: Problem.appsNoun,
            summary: "The apps that a phone has; {} behind one says nothing more of it.",
            fields: vocabularies.apps.map {
                Field($0.system, .mapping($0.shape), $0.summary)
            }
        )
    }

    static let radios = MappingShape(
        name: "radios",
        noun: "a phone's radios",
        summary: "The radios that a phone has; each is a link called phone/radio.",
        fields: [
            Field("wifi", radioShape, "Wi-Fi, preferred whenever it is up."),
            Field("cellular", radioShape, "The cellular radio."),
        ]
    )

    private static let radioShape = Shape.scalar(
        .word(Choice(word: "none", summary: "The phone has none."), or: .reference(.profile)),
        or: radio
    )

    private static let radio = MappingShape(
        name: "radio",
        noun: "a radio",
        summary: "A way to the servers; its own keys change both directions of its profile.",
        fields: LinkShapes.shaping + [
            Field("up", .boolean, .means("true"), "Whether it has an address at the start."),
            Field(
                "outages",
                .scalar(
                    .choice(
                        [Choice(word: "driving", summary: "As measured in cars across the USA.")],
                        noun: "kind of outages"
                    ),
                    or: outages
                ),
                "Outages that come by themselves."
            ),
        ],
        exclusive: LinkShapes.directionExclusive
    )

    private static let outages = MappingShape(
        name: "outages",
        noun: "outages",
        summary: "Outages that come by themselves: Poisson in time, log-normal in length.",
        fields: [
            Field(
                "per_hour",
                .integer(1...3_600, step: 1),
                .refused,
                "How many begin in an hour of being up."
            ),
            Field("median", .span, .refused, "The median length."),
            Field(
                "spread",
                .quantity(.share, 0...5_000_000, step: 1_000),
                .means("100%"),
                "The standard deviation of the length's natural logarithm; 100% is 1."
            ),
            Field("shortest", .span, .means("1s"), "The shortest length."),
            Field("longest", .span, .means("60s"), "The longest length."),
        ]
    )
}
