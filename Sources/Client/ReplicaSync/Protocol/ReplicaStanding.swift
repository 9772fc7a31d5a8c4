/// How a replica's file stands when it has been opened.
public struct ReplicaStanding: Sendable, Equatable {
    /// The replica's name.
    public var replica: String
    /// The version of its schema.
    public var schema: Int
    /// The generation of the primary that it follows; `nil` if it never had its rows.
    public var generation: String?
    /// How far it has the primary's log.
    public var position: Int64
    /// The database that it follows; `nil` before its user's credential is known.
    public var database: String?
    /// The user whose it is until then; `nil` if it is nobody's.
    public var claimant: String?

    /// Makes a standing.
    public init(
        replica: String,
        schema: Int,
        generation: String?,
        position: Int64,
        database: String? = nil,
        claimant: String? = nil
    ) {
        self.replica = replica
        self.schema = schema
        self.generation = generation
        self.position = position
        self.database = database
        self.claimant = claimant
    }
}
