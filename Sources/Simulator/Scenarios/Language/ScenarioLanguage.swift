/// The scenario language, table by table.
enum ScenarioLanguage {
    /// The longest run: a week.
    static let durationMax: Int64 = 7 * 24 * 3_600_000_000_000

    /// Any time within a run, from its start on.
    static let time = Shape.quantity(.duration, 0...durationMax, step: 1)
    /// Any time span within a run, not empty.
    static let span = Shape.quantity(.duration, 1...durationMax, step: 1)
    /// A probability.
    static let probability = Shape.quantity(.share, 0...1_000_000, step: 1)
    /// Requirement ids.
    static let covers = Shape.list(of: .reference(.requirement), counts: 1...200)

    /// A whole scenario file, with everything that can be tuned.
    static func root(_ parameters: ParameterCatalog) -> MappingShape {
        MappingShape(
            name: "scenario",
            noun: "a scenario",
            summary: "A story: cast, network, timeline, expectations.",
            fields: head + [
                Field(
                    "parameters",
                    .parameters(parameters, nil),
                    "Figures of every device's app and of the servers that differ from the preset's."
                ),
                Field(
                    "devices",
                    .list(of: device(parameters), counts: 1...1000),
                    .refused,
                    "The phones."
                ),
                Field(
                    "links",
                    .list(of: .mapping(link), counts: 0...100_000),
                    "The links between phones; without one, two cannot reach each other."
                ),
                Field(
                    "people",
                    .list(of: .mapping(person), counts: 0...1000),
                    "The people who talk at the phones."
                ),
                Field(
                    "talk",
                    .list(of: .variants(talk, noun: "an entry of talk"), counts: 0...1000),
                    "Who talks when."
                ),
                Field(
                    "timeline",
                    .list(of: .mapping(timelineEntry), counts: 0...10_000),
                    "What is done to the world, and when; any order."
                ),
                Field(
                    "faults",
                    .list(of: .mapping(faultMix), counts: 0...1000),
                    "What goes wrong by chance, drawn for each seed."
                ),
                Field(
                    "expect",
                    .list(of: .variants(expectation, noun: "an expectation"), counts: 0...1000),
                    "What must hold for a run to pass."
                ),
            ]
        )
    }

    private static let head: [Field] = [
        Field("version", .formatVersion, .refused, "The version of the language, 1."),
        Field("scenario", .name, .refused, "The scenario's name."),
        Field("summary", .sentence, "What the story is about, in one sentence."),
        Field(
            "extends",
            .path,
            "A scenario file whose keys hold where this one is silent; parameters are merged."
        ),
        Field("covers", covers, "The requirements that the scenario as a whole shows."),
        Field("seeds", .integer(1...1_000_000, step: 1), .means("1"), "How many seeds are run."),
        Field(
            "first_seed",
            .integer(0...1_000_000_000_000, step: 1),
            .means("1"),
            "The first seed; the others follow it."
        ),
        Field(
            "outcome",
            .choice(
                [
                    Choice(word: "pass", summary: "Every gate passes."),
                    Choice(word: "fail", summary: "A gate fails, which the scenario documents."),
                ],
                noun: "outcome"
            ),
            .means("pass"),
            "Whether its runs are to pass."
        ),
        Field("because", .sentence, "Why a gate fails, where the outcome is to fail."),
        Field(
            "where",
            .sweptValues,
            "The swept values at which a gate may fail; all other points must pass."
        ),
        Field(
            "sweep",
            .sweep,
            "Values by name, in all combinations, or a list of points; $name stands for the value."
        ),
        Field("duration", span, .refused, "How long a run lasts, up to 168h."),
        Field(
            "audio",
            .choice(
                [
                    Choice(word: "real", summary: "Recorded speech, encoded, carried and mixed."),
                    Choice(
                        word: "sized",
                        summary: "Speech from the truth, frames with sizes only."
                    ),
                ],
                noun: "audio mode"
            ),
            "Whether the intercom's sound is real or only counted; real if it is not said."
        ),
        Field(
            "media",
            .choice(
                [
                    Choice(word: "sized", summary: "Every frame, with its size."),
                    Choice(
                        word: "reachability",
                        summary: "No frames: what is heard follows from the state of the path."
                    ),
                ],
                noun: "media mode"
            ),
            "How much of a session's voice is carried; sized if it is not said."
        ),
        Field("clock", .timeOfDay, "The time of day at which a run starts."),
        Field(
            "preset",
            .choice(
                Preset.allCases.map { Choice(word: $0.rawValue, summary: "") },
                noun: "preset"
            ),
            .means(Preset.standard.rawValue),
            "The figures to start from; parameters win over it."
        ),
    ]

    private static let person = MappingShape(
        name: "person",
        noun: "a person",
        summary: "Somebody who talks at a phone.",
        fields: [
            Field("name", .name, .refused, "A name that nothing else has."),
            Field("holds", .reference(.device), .refused, "The phone that hears the person."),
            Field(
                "voice",
                .reference(.voice),
                "The recorded voice; without it one is chosen by the person's place in the list."
            ),
            surroundings,
        ]
    )

    private static let talk = [
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
                Field("for", span, .refused, "How long it lasts."),
            ]
        ),
        MappingShape(
            name: "turns",
            noun: "turns",
            summary: "One person speaks again and again, with time for an answer in between.",
            fields: [
                Field("turns", .reference(.person), .refused, "Who speaks."),
                Field("every", span, .refused, "From the beginning of a turn to the next one's."),
                Field("for", span, .refused, "How long a turn lasts."),
                Field("from", .instant, .means("0s"), "When the first one begins."),
                Field("until", .instant, .meansRunEnd, "When the last one has ended."),
            ]
        ),
    ]

    private static let expectation = [
        MappingShape(
            name: "metric_gate",
            noun: "a gate",
            summary: "Bounds on figures of one metric; each statistic is a gate of its own.",
            fields: [
                Field("metric", .reference(.metric), .refused, "The metric."),
                Field(
                    "warn",
                    .mapping(warnings),
                    "Stricter limits that only warn, by statistic."
                ),
                Field(
                    "samples",
                    .integer(1...1_000_000_000, step: 1),
                    .means("1"),
                    "How many samples a figure needs to count; fewer give no data."
                ),
                Field("allow_no_data", .boolean, .means("false"), "Whether no data passes."),
                Field("covers", covers, "The requirements that the gate shows."),
            ],
            takesStatistics: true
        ),
        MappingShape(
            name: "invariant_gate",
            noun: "an invariant",
            summary: "Something that must hold at every record.",
            fields: [
                Field("invariant", .reference(.invariant), .refused, "The invariant."),
                Field("covers", covers, "The requirements that it shows."),
            ]
        ),
    ]

    private static let warnings = MappingShape(
        name: "warnings",
        noun: "a mapping of statistics to limits",
        summary: "Stricter limits that only warn.",
        fields: [],
        takesStatistics: true
    )
}
