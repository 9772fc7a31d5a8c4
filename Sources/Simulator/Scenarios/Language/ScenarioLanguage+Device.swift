extension ScenarioLanguage {
    /// A phone with one of the apps.
    static func device(_ parameters: ParameterCatalog) -> Shape {
        .cases(
            of: "app",
            [intercomDevice(parameters), sessionDevice(parameters)],
            noun: "a device"
        )
    }

    private static func app(_ word: String, _ summary: String) -> Field {
        Field(
            "app",
            .choice([Choice(word: word, summary: summary)], noun: "app"),
            .refused,
            "The app that runs on it."
        )
    }

    private static let name = Field("name", .name, .refused, "A name that nothing else has.")

    private static func intercomDevice(_ parameters: ParameterCatalog) -> MappingShape {
        MappingShape(
            name: "intercom_device",
            noun: "an intercom device",
            summary: "A phone with the intercom.",
            fields: [
                name,
                app("intercom", "The mountain intercom."),
                Field("group", .name, "The group that its app joins at the start."),
                Field(
                    "clock_drift",
                    .quantity(.share, -500...500, step: 1),
                    .means("0%"),
                    "How much faster than true its audio clock runs."
                ),
                Field(
                    "parameters",
                    .parameters(parameters, .intercom),
                    "Settings of this device's app; they win over the scenario's."
                ),
            ]
        )
    }

    private static func sessionDevice(_ parameters: ParameterCatalog) -> MappingShape {
        MappingShape(
            name: "session_device",
            noun: "a session device",
            summary: "A phone with the voice session.",
            fields: [
                name,
                app("session", "A conversation with a voice agent in a room."),
                Field(
                    "count",
                    .integer(1...1_000_000, step: 1),
                    "How many alike there are, called name-1, name-2 and so on; without it one."
                ),
                Field(
                    "opens",
                    .word(
                        Choice(word: "never", summary: "Only the timeline opens it."),
                        or: .instant
                    ),
                    .means("0s"),
                    "When the user opens the app."
                ),
                Field("links", .mapping(radios), .refused, "The phone's ways to the servers."),
                Field(
                    "clock",
                    clockOffset,
                    .means("0s"),
                    "How much later than true the phone's clock is; negative for earlier."
                ),
                Field("phone", .mapping(phoneCondition), "What the phone refuses at the start."),
                Field(
                    "parameters",
                    .parameters(parameters, .session),
                    "Settings of this device's app and SDK; they win over the scenario's."
                ),
            ]
        )
    }

    private static let radios = MappingShape(
        name: "radios",
        noun: "a phone's links",
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
        fields: shaping + [
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
        exclusive: directionExclusive
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
            Field("median", span, .refused, "The median length."),
            Field(
                "spread",
                .quantity(.share, 0...5_000_000, step: 1_000),
                .means("100%"),
                "The standard deviation of the length's natural logarithm; 100% is 1."
            ),
            Field("shortest", span, .means("1s"), "The shortest length."),
            Field("longest", span, .means("60s"), "The longest length."),
        ]
    )
}
