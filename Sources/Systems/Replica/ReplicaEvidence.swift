import KodamaEvidence

extension EvidenceSystem {
    /// Replicas of users' databases on their phones: files, writes, and what the primaries have.
    static let replica: EvidenceSystem = {
        var system = EvidenceSystem(
            .replica,
            forms: [
                ReplicaOpened.self, ReplicaDamageReported.self, ReplicaWritten.self,
                ReplicaWriteRefused.self, ReplicaRead.self, PrimaryTook.self, PrimaryMigrated.self,
                PrimaryRolledBack.self, ReplicaSides.self, ReplicaStatusShown.self,
                ReplicaKept.self, ReplicaFileDamaged.self, ReplicaTokenFound.self,
                ReplicaSchemaSeen.self, ReplicaAsked.self, PrimarySetAside.self,
                ReplicaReadsUndone.self, ReplicaEndedLocked.self, PrimaryRefused.self,
                ReplicaRefusalTold.self,
            ],
            meter: ReplicaMeter.self,
            narrator: ReplicaNarrator.self
        )
        system.acts = UserAct.replica
        return system
    }()
}

extension SystemID {
    /// Replicas of users' databases.
    static var replica: SystemID { SystemID(7) }
}
