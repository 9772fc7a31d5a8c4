import KodamaEvidence
public import KodamaLanguage

extension KodamaSystem {
    /// Programs beside the simulator: apps in any language, over a pipe, in virtual time.
    public static let guest = KodamaSystem(
        "guest",
        needs: ["session"],
        evidence: .guest,
        vocabulary: .guest,
        host: GuestSystem.self,
        conformance: GuestConformance.scenario
    )
}

extension EvidenceSystem {
    /// What guests mark, and which of their writes a kill loses.
    static let guest = EvidenceSystem(
        .guest,
        forms: [
            GuestMarked.self, WritesSynced.self, WritesLost.self, GuestTold.self,
            GuestRequested.self, GuestAnswered.self, GuestNotified.self,
        ],
        meter: GuestMeter.self,
        narrator: GuestNarrator.self
    )
}

extension SystemID {
    /// Guests.
    static var guest: SystemID { SystemID(9) }
}
