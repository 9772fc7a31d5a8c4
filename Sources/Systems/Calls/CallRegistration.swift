public import KodamaLanguage

extension KodamaSystem {
    /// Calls between users: pushes, the call screen, rooms that two share.
    public static let calls = KodamaSystem(
        "calls",
        needs: ["session"],
        evidence: .calls,
        vocabulary: .calls,
        host: CallSystem.self,
        swarm: .calls,
        log: .calls
    )
}
