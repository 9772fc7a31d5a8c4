/// The ways that people walk, as scenarios write them.
enum WalkShapes {
    static let walk = MappingShape(
        name: "walk",
        noun: "a walk",
        summary:
            "Where a person is over time, from the start of the run on, and the phone with them.",
        fields: [
            Field("person", .reference(.person), .refused, "Who walks."),
            Field("speed", speed, .refused, "How fast, where a way point does not say otherwise."),
            Field(
                "way",
                .list(of: .mapping(stop), counts: 1...1000),
                .refused,
                "The way points, the first of which is where the person is at the start."
            ),
            Field(
                "gaps",
                .list(of: .mapping(gap), counts: 0...1000),
                "Where along the way a radio has no coverage."
            ),
        ]
    )

    private static let stop = MappingShape(
        name: "way_point",
        noun: "a way point",
        summary: "A point of a way.",
        fields: [
            Field("east", ordinate, .means("0m"), "How far east of the origin it lies."),
            Field("north", ordinate, .means("0m"), "How far north of the origin it lies."),
            Field(
                "stay",
                .quantity(.duration, 0...ScenarioLanguage.durationMax, step: 1),
                .means("0s"),
                "How long the person stays there."
            ),
            Field("speed", speed, "How fast the person comes there from the point before."),
        ]
    )

    private static let gap = MappingShape(
        name: "gap",
        noun: "a gap in the coverage",
        summary:
            "A stretch of the way where a radio has no network: it loses its address, and gets another.",
        fields: [
            Field("radio", Verb.interface, .refused, "The radio."),
            Field("from", length, .refused, "Where it begins, from the start of the way."),
            Field("to", length, .refused, "Where it ends."),
        ] + Verb.notice
    )

    /// A thousand kilometres, as far as positions go.
    private static let lengthMax: Int64 = 1_000_000_000
    static let ordinate = Shape.quantity(.distance, -lengthMax...lengthMax, step: 1)
    private static let length = Shape.quantity(.distance, 0...lengthMax, step: 1)
    /// From a tenth of a kilometre an hour to a train's pace.
    private static let speed = Shape.quantity(.speed, 100_000...500_000_000, step: 1)
}
