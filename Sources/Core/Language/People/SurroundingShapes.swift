extension PeopleShapes {
    /// The noises around a person.
    static let surroundings = Field(
        "surroundings",
        .list(
            of: .mapping(surrounding),
            counts: 0...SurroundingPlan.Noise.allCases.count
        ),
        "The noises that the phone hears beside the person, all the time; needs voice: real."
    )

    private static let surrounding = MappingShape(
        name: "surrounding",
        noun: "an entry of surroundings",
        summary: "A noise around a person.",
        fields: [
            Field(
                "noise",
                .choice(
                    SurroundingPlan.Noise.allCases.map {
                        Choice(word: $0.rawValue, summary: summary(of: $0))
                    },
                    noun: "noise"
                ),
                .refused,
                "What makes it: "
                    + SurroundingPlan.Noise.allCases.map { "\($0.rawValue), \(summary(of: $0))" }
                    .joined(separator: "; ") + "."
            ),
            Field(
                "snr",
                .quantity(.level, -20_000...60_000, step: 1),
                "How much louder the person's active speech is, from 0 to 8 kHz; -20dB to 60dB."
            ),
            Field(
                "level",
                .quantity(.loudness, -90_000 ... -10_000, step: 1),
                "How loud the noise is by itself, from 0 to 8 kHz; -90dBov to -10dBov."
            ),
        ],
        exactlyOne: ["snr", "level"]
    )

    /// What a noise is like, in a few words.
    private static func summary(of noise: SurroundingPlan.Noise) -> String {
        switch noise {
        case .white: "the same energy at every frequency"
        case .pink: "energy that falls by 3 dB per octave"
        case .wind: "rumble in gusts, with buffets up to 1 kHz"
        case .steps: "feet on gravel and poles at walking pace"
        case .breath: "heavy breathing close to the microphone"
        case .babble: "eight people at once, none with the person's own voice"
        case .rain: "a hiss, and drops on a hood"
        case .music: "chords, a tune and drums from a loudspeaker nearby"
        }
    }
}
