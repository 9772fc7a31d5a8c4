import KodamaEvidence

/// What must hold of replicas, each declared once.
struct ReplicaInvariants {
    var orderKept = Invariant(
        "replica.order-kept",
        "No write of an app reaches the primary after one that its user made later.",
        "RP-04"
    )
    var onlyWritten = Invariant(
        "replica.only-what-was-written",
        """
        A primary takes from an app what that app told its user is in its file, and nothing else: \
        no row is changed or deleted that its user did not change or delete, and it is the primary \
        of the user whose file it is. Changes that were lost with a damaged file, or that the \
        primary refuses, and said to be, may be handed over as nothing.
        """,
        "RP-04"
    )
    var tokenKept = Invariant(
        "replica.token-kept-secret",
        "The token of a database is not in an app's file when its process ends, or the run does.",
        "RP-06"
    )
    var schemaWhole = Invariant(
        "replica.schema-whole",
        "A file that an app has opened has all of its schema's version and nothing of another.",
        "RP-05"
    )
    var migratedOnce = Invariant(
        "replica.migrated-once",
        "A primary is brought to each version of the schema once, unless it failed in between.",
        "RP-05"
    )
    var damageReported = Invariant(
        "replica.damage-reported",
        """
        A damaged file is rebuilt when it is next opened by a version of the app that knows its schema, and no \
        other is; the app says so, and says that all changes were saved only if all that the primary did not \
        have were.
        """,
        "RP-07"
    )

    /// The invariants, in the order in which reports list them.
    var all: [Invariant] {
        [orderKept, onlyWritten, tokenKept, schemaWhole, migratedOnce, damageReported]
    }
}
