import KodamaEvidence
public import KodamaLanguage

extension KodamaSystem {
    /// The coach that wakes people.
    public static let coach = KodamaSystem(
        "coach",
        evidence: .coach,
        vocabulary: .coach,
        host: CoachSystem.self,
        swarm: .coach
    )
}

extension EvidenceSystem {
    /// Mornings: what was armed, what sounded, who heard it and who got up.
    static let coach = EvidenceSystem(
        .coach,
        forms: [
            MorningDue.self, RouteShown.self, EntryFired.self, EntryLost.self, SoundHeard.self,
            SleeperActed.self, LineBegan.self, SleeperReplied.self, MorningEnded.self,
            FactKept.self, PhonePowered.self, GrantChanged.self, DistractionNoticed.self,
            NudgeCame.self, NudgeActed.self, InstructionDone.self, NudgeEnded.self, DayEnergy.self,
        ],
        meter: CoachMeter.self,
        narrator: CoachNarrator.self
    )
}

extension SystemID {
    /// The coach.
    static var coach: SystemID { SystemID(8) }
}
