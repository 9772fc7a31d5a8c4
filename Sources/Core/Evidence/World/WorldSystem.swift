extension EvidenceSystem {
    /// The run itself, and what is done to phones and their radios.
    public static let world: EvidenceSystem = {
        var system = EvidenceSystem(
            .world,
            forms: [RunEnded.self, FaultBegan.self, FaultEnded.self],
            meter: WorldMeter.self,
            narrator: WorldNarrator.self
        )
        system.faults = WorldFault.core
        return system
    }()
}
