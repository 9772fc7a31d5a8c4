extension PhoneShapes {
    /// What a phone grants its apps at the start, and what it refuses.
    static let condition = MappingShape(
        name: "phone_condition",
        noun: "a phone's condition",
        summary: "What the phone grants its apps and what it refuses; without a key it grants.",
        fields: [
            Field(
                "microphone",
                .scalar(microphoneStatus, or: microphone),
                "Whether apps may use the microphone."
            ),
            secureStorage,
            disk,
            engine,
        ]
    )

    /// A clock's error.
    static let clockOffset = Shape.quantity(
        .duration,
        -ScenarioLanguage.durationMax...ScenarioLanguage.durationMax,
        step: 1
    )

    private static let microphoneStatus = Shape.choice(
        [
            Choice(word: "granted", summary: "The user allowed it."),
            Choice(word: "denied", summary: "The user refused it."),
            Choice(word: "undetermined", summary: "The user was never asked."),
        ],
        noun: "permission"
    )

    private static let microphone = MappingShape(
        name: "microphone_permission",
        noun: "a microphone's permission",
        summary: "Whether apps may use the microphone, and what the user says when asked.",
        fields: [
            Field("status", microphoneStatus, .refused, "What the user said before."),
            Field(
                "answer",
                .choice(
                    [
                        Choice(word: "granted", summary: "The user allows it."),
                        Choice(word: "denied", summary: "The user refuses it."),
                        Choice(word: "never", summary: "The user does not answer."),
                    ],
                    noun: "answer"
                ),
                .means("granted"),
                "What the user says when asked."
            ),
            Field("after", .time, .means("2s"), "How long the user takes to answer."),
        ]
    )

    static let secureStorage = Field(
        "secure_storage",
        .choice(
            [
                Choice(word: "available", summary: "It reads and writes."),
                Choice(word: "locked", summary: "It does neither until the first unlock."),
                Choice(word: "failing", summary: "It does neither."),
            ],
            noun: "condition of the keychain"
        ),
        "How the keychain answers."
    )

    static let disk = Field(
        "disk",
        .choice(
            [
                Choice(word: "free", summary: "It has room."),
                Choice(word: "full", summary: "No file grows any more, and none is made."),
            ],
            noun: "condition of the disk"
        ),
        "Whether the disk has room for what apps keep in databases."
    )

    static let engine = Field(
        "engine",
        .mapping(
            MappingShape(
                name: "voice_engine",
                noun: "a voice engine",
                summary: "How the apps' voice engines start.",
                fields: [
                    Field("delay", .time, .means("0s"), "How long a start takes."),
                    Field(
                        "failures",
                        .word(
                            Choice(word: "all", summary: "Every start fails."),
                            or: .integer(0...1_000_000, step: 1)
                        ),
                        .means("0"),
                        "How many starts fail before the first that does not."
                    ),
                ]
            )
        ),
        "How the apps' voice engines start."
    )
}
