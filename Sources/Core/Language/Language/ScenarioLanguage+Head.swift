import KodamaEvidence

// What a scenario says of itself.

extension ScenarioLanguage {
    static let head: [Field] = [
        Field("version", .formatVersion, .refused, "The version of the language, 2."),
        Field("scenario", .name, .refused, "The scenario's name."),
        Field("summary", .sentence, "What the story is about, in one sentence."),
        Field(
            "extends",
            .path,
            "A scenario file whose keys hold where this one is silent; parameters are merged."
        ),
        Field(
            "seeds",
            .word(
                Choice(
                    word: "auto",
                    summary: "As many as decide the verdict: looked at after 20, 40 and so on."
                ),
                or: .integer(1...1_000_000, step: 1)
            ),
            .means("1"),
            "How many seeds are run."
        ),
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
        Field("duration", .span, .refused, "How long a run lasts, up to 2016h, twelve weeks."),
        Field(
            "voice",
            .choice(
                VoiceMode.allCases.map { Choice(word: $0.rawValue, summary: $0.summary) },
                noun: "voice mode"
            ),
            "How much of the voice is carried; real where an app can carry sound, else sized."
        ),
        Field("clock", .timeOfDay, "The time of day at which a run starts."),
        Field(
            "preset",
            .choice(
                Preset.allCases.map { Choice(word: $0.rawValue, summary: $0.summary) },
                noun: "preset"
            ),
            .means(Preset.standard.rawValue),
            "The figures to start from; parameters win over it."
        ),
    ]
}
