public import ReplicaChanges

/// How a replica keeps itself fresh.
public struct ReplicaConfiguration: Sendable, Equatable {
    /// The schema that this version of the app knows.
    public var schema: ReplicaSchema
    /// How long after an exchange the next one follows of itself: 60 s (RP-02).
    public var syncInterval: Duration = .seconds(60)
    /// How long after a write an exchange follows, so that several writes share one: 500 ms, an assumption.
    public var writeDelay: Duration = .milliseconds(500)
    /// How long a request may take until another is tried beside it: 5 s, as other requests of the app; every
    /// network step has a deadline (D-12).
    public var requestTimeout: Duration = .seconds(5)
    /// The first wait after a failure, doubled with each: 1 s, an assumption.
    public var backoffFirst: Duration = .seconds(1)
    /// The longest wait after failures: 30 s, an assumption.
    public var backoffMax: Duration = .seconds(30)
    /// How many changes the first exchange of a sync hands over at most: 128, as many as Turso's client takes from a
    /// primary at a time (libsql 0.1.11, `GET /sync`).
    ///
    /// Where more wait, and an exchange was answered within a quarter of `requestTimeout`, the next one hands over
    /// twice as much, up to four times this and `batchBytesMax`; after a request without an answer it is this again.
    public var batchCountMax = 128
    /// How many bytes they are at most: 12 KiB, an assumption; a longer change goes alone, and the
    /// server reads 64 KiB.
    public var batchBytesMax = 12_288

    /// The default figures.
    public init(schema: ReplicaSchema) {
        self.schema = schema
    }
}
