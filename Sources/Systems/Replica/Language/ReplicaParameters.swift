public import KodamaLanguage
import ReplicaSync

extension ReplicaConfiguration: Tunable {
    /// The default figures, with the schema of the app's first version.
    init() { self.init(schema: ReplicaAppPlan.schema(version: 1)) }
}

extension ParameterCatalog {
    /// Everything that can be tuned in the app with a replica.
    static let replica = ParameterCatalog(
        app,
        constraints: [Constraint("replica.backoff_first", notAbove: "replica.backoff_max")]
    ).scoped(.app(ReplicaAppPlan.system))

    private static let app: [Parameter] = [
        .duration(
            "replica.sync_interval",
            \ReplicaConfiguration.syncInterval,
            .seconds(1)...(.seconds(86_400)),
            meaning: "How long after an exchange with the primary the next one follows.",
            source: "RP-02"
        ),
        .duration(
            "replica.write_delay",
            \ReplicaConfiguration.writeDelay,
            .zero...(.seconds(86_400)),
            meaning: "How long after a write an exchange follows, so that several share one.",
            source: "K-18"
        ),
        .duration(
            "replica.request_timeout",
            \ReplicaConfiguration.requestTimeout,
            .milliseconds(100)...(.seconds(120)),
            meaning: "How long a request may take until another is tried beside it.",
            source: "D-12"
        ),
        .duration(
            "replica.backoff_first",
            \ReplicaConfiguration.backoffFirst,
            .milliseconds(100)...(.seconds(300)),
            meaning: "The first wait after a failure; waits double.",
            source: "K-18"
        ),
        .duration(
            "replica.backoff_max",
            \ReplicaConfiguration.backoffMax,
            .milliseconds(100)...(.seconds(3_600)),
            meaning: "The longest wait after failures.",
            source: "K-18"
        ),
        .integer(
            "replica.batch_count_max",
            \ReplicaConfiguration.batchCountMax,
            1...1_000,
            meaning:
                "How many changes the first exchange of a sync hands over at most; later ones up to four times as many.",
            source: "libsql 0.1.11, GET /sync"
        ),
        .duration(
            "replica.transaction_time",
            \ReplicaDiskTiming.transactionTime,
            .zero...(.seconds(20)),
            meaning: "How long the file is locked by what it takes of an exchange.",
            source: "Apple, exception code 0xdead10cc"
        ),
    ]

    /// Everything that can be tuned in what keeps the databases.
    static let databases = ParameterCatalog(service)
        .scoped(.servers(of: ReplicaAppPlan.system))

    private static let service: [Parameter] = [
        .duration(
            "replica.durability_delay",
            \ReplicaServicesPlan.durabilityDelay,
            .zero...(.seconds(3_600)),
            meaning: "How long after it was taken a change is lost if the primary fails.",
            source: "Bunny, hosting of libSQL"
        ),
        .duration(
            "replica.token_time_to_live",
            \ReplicaServicesPlan.tokenTimeToLive,
            .seconds(1)...(.seconds(2_592_000)),
            meaning: "How long a database's token lives.",
            source: "RP-01"
        ),
        .integer(
            "replica.log_changes_max",
            \ReplicaServicesPlan.logChangesMax,
            1...1_000_000,
            meaning: "How many changes a primary's log keeps; replicas further behind start anew.",
            source: "Bunny, hosting of libSQL"
        ),
    ]
}
