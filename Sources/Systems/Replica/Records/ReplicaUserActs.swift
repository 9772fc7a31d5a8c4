import KodamaEvidence

/// What users do in an app that has a replica.
extension UserAct {
    static let writeReplica = UserAct(
        "write-replica",
        number: 37,
        "writes in {app}",
        takesSound: false
    )
    static let readReplica = UserAct(
        "read-replica",
        number: 38,
        "looks at the rows in {app}",
        takesSound: false
    )
    static let syncReplica = UserAct(
        "sync-replica",
        number: 39,
        "asks {app} for the latest rows",
        takesSound: false
    )
    static let signOutOfReplica = UserAct(
        "sign-out-of-replica",
        number: 40,
        "signs out of {app}",
        takesSound: false
    )
    static let signInToReplica = UserAct(
        "sign-in-to-replica",
        number: 41,
        "signs in to {app}",
        takesSound: false
    )
    static let signInToReplicaAsGuest = UserAct(
        "sign-in-to-replica-as-guest",
        number: 71,
        "signs in to {app} as somebody else",
        takesSound: false
    )
    static let updateReplicaApp = UserAct(
        "update-replica-app",
        number: 42,
        "gets another version of {app}",
        takesSound: false
    )

    /// All of these.
    static let replica: [UserAct] = [
        .writeReplica, .readReplica, .syncReplica, .signOutOfReplica, .signInToReplica,
        .signInToReplicaAsGuest, .updateReplicaApp,
    ]
}
