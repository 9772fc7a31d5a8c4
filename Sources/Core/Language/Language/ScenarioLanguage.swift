/// The scenario language, table by table.
package enum ScenarioLanguage {
    /// The longest run: twelve weeks, the longest that a requirement asks for (K-11).
    package static let durationMax: Int64 = 12 * 7 * 24 * 3_600_000_000_000

    /// Requirement ids.
    static let covers = Shape.list(of: .reference(.requirement), counts: 1...200)

    /// A whole scenario file, with everything that can be tuned.
    static func root(_ vocabularies: Vocabularies) -> MappingShape {
        MappingShape(
            name: "scenario",
            noun: "a scenario",
            summary: "A story: cast, network, timeline, expectations.",
            fields: head + [
                Field(
                    "parameters",
                    .parameters(vocabularies.parameters, .scenario),
                    "Figures of all phones, their apps and the servers that differ from the preset's."
                ),
                Field(
                    "phones",
                    .list(of: .mapping(PhoneShapes.phone(vocabularies)), counts: 1...1000),
                    .refused,
                    "The phones, and the apps on them."
                ),
                Field(
                    "links",
                    .list(of: .mapping(LinkShapes.link), counts: 0...100_000),
                    "The links between phones; without one, two cannot reach each other."
                ),
                Field(
                    "people",
                    .list(of: .mapping(PeopleShapes.person), counts: 0...1000),
                    "The people who talk at the phones."
                ),
                Field(
                    "walks",
                    .list(of: .mapping(WalkShapes.walk), counts: 0...1000),
                    "Where people are over time; links between their phones reach as far as radios do."
                ),
                Field(
                    "ridges",
                    .list(of: .mapping(RidgeShapes.ridge), counts: 0...100),
                    "What stands between the radios of people who walk."
                ),
                Field(
                    "talk",
                    .list(
                        of: .variants(PeopleShapes.talk, noun: "an entry of talk"),
                        counts: 0...1000
                    ),
                    "Who talks when."
                ),
                Field(
                    "timeline",
                    .list(of: .mapping(timelineEntry(vocabularies)), counts: 0...10_000),
                    "What is done to the world, and when; any order."
                ),
                Field(
                    "faults",
                    .list(of: .mapping(faultMix(vocabularies)), counts: 0...1000),
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
}
