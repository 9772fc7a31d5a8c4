import KodamaSimulation

/// Ridges between people who walk, as scenarios write them.
enum RidgeShapes {
    static let ridge = MappingShape(
        name: "ridge",
        noun: "a ridge",
        summary: """
            A ridge on level ground: radios of two phones reach hardly around its crest. Its sides fall one in three; who \
            walks over it sees both sides from the top.
            """,
        fields: [
            Field("from", .mapping(end), .refused, "Where its crest begins."),
            Field("to", .mapping(end), .refused, "Where its crest ends."),
            Field(
                "height",
                .quantity(.distance, 1_000...9_000_000, step: 1),
                .refused,
                "How high the crest is above the level ground; 1m to 9km."
            ),
        ]
    )

    private static let end = MappingShape(
        name: "crest_end",
        noun: "an end of a crest",
        summary: "A point where a ridge's crest ends.",
        fields: [
            Field("east", WalkShapes.ordinate, .means("0m"), "How far east of the origin it lies."),
            Field(
                "north",
                WalkShapes.ordinate,
                .means("0m"),
                "How far north of the origin it lies."
            ),
        ]
    )
}

extension PlanBuilder {
    /// The ridges between those who walk.
    mutating func ridges(_ root: CheckedValue, plan: WorldPlan) -> [Ridge] {
        (root["ridges"]?.entries ?? []).compactMap { value in
            guard let from = value["from"], let to = value["to"],
                let height = value["height"]?.number
            else { return nil }
            let ridge = Ridge(
                start: Position(crestEnd: from),
                end: Position(crestEnd: to),
                heightMillimetres: height
            )
            guard ridge.start != ridge.end else {
                report(.emptyRidge, at: to.place)
                return nil
            }
            if plan.walks.isEmpty {
                report(.orderInVain(because: "nobody walks", nil), at: value.place)
            }
            return ridge
        }
    }
}

extension Position {
    /// An end of a ridge's crest.
    fileprivate init(crestEnd value: CheckedValue) {
        self.init(
            eastMillimetres: value["east"]?.number ?? 0,
            northMillimetres: value["north"]?.number ?? 0
        )
    }
}
