extension EvidenceSystem {
    /// People: what they say and what they do with their phones.
    public static let people = EvidenceSystem(
        .people,
        forms: [SpeechBegan.self, SpeechEnded.self, UserActed.self],
        narrator: PeopleNarrator.self
    )
}
