// What must hold for a run to pass.

extension ScenarioLanguage {
    static let expectation = [
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
                Field(
                    "after",
                    .mapping(after),
                    "Only what begins after this has happened counts; nothing, if it never does."
                ),
                Field(
                    "in",
                    .mapping(stretch),
                    "Only what begins in this stretch of the run counts."
                ),
                Field(
                    "lasts_until",
                    .instant,
                    "Only what lasts until this moment of the run or longer counts, whenever it began."
                ),
                Field(
                    "each",
                    .choice(
                        [Choice(word: "device", summary: "At every phone that gives a sample.")],
                        noun: "scope"
                    ),
                    "Where the gate must hold by itself; the worst decides and is named."
                ),
                Field(
                    "confidence",
                    .quantity(.share, 500_000...999_000, step: 1),
                    """
                    How sure it must be that the true figure keeps the limit: its interval, with runs as \
                    the unit, must clear it.
                    """
                ),
                Field("allow_no_data", .boolean, .means("false"), "Whether no data passes."),
                Field(
                    "allow_censored",
                    .boolean,
                    .means("false"),
                    """
                    Whether what was open when the run ended counts by its least alone; otherwise the gate \
                    is undecided where it could turn it.
                    """
                ),
                Field("covers", covers, "The requirements that the gate shows."),
            ],
            exclusive: [("after", "in"), ("after", "lasts_until"), ("in", "lasts_until")],
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

    private static let stretch = MappingShape(
        name: "stretch",
        noun: "a stretch of the run",
        summary: "From one moment of the run on, and before another.",
        fields: [
            Field("from", .instant, .means("0s"), "When it begins."),
            Field("until", .instant, .meansRunEnd, "When it ends."),
        ]
    )

    private static let warnings = MappingShape(
        name: "warnings",
        noun: "a mapping of statistics to limits",
        summary: "Stricter limits that only warn.",
        fields: [],
        takesStatistics: true
    )
}
