public import KodamaLanguage

extension KodamaSystem {
    /// Voice sessions with an agent in a room.
    public static let session = KodamaSystem(
        "session",
        evidence: .session,
        vocabulary: .session,
        host: SessionSystem.self,
        swarm: .session,
        log: .session
    )
}
