extension EvidenceSystem {
    /// The run itself.
    public static let world = EvidenceSystem(
        .world,
        forms: [RunEnded.self, FaultBegan.self, FaultEnded.self],
        meter: WorldMeter.self,
        narrator: WorldNarrator.self
    )
}
