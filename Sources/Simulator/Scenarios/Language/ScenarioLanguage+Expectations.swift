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
