public import KodamaLanguage

extension KodamaSystem {
    /// Replicas of users' databases on their phones.
    public static let replica = KodamaSystem(
        "replica",
        needs: ["session"],
        evidence: .replica,
        vocabulary: .replica,
        host: ReplicaSystem.self,
        swarm: .replica
    )
}
