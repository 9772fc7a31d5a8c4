public import AppServer
public import ReplicaSync

// The mirror of what `URLSession` and `Codable` do between a replica and its primary.

extension ReplicaRequest {
    /// The request as it goes to the app's server.
    public var http: HTTPRequest {
        switch self {
        case .credential(let session):
            return .databaseCredential(bearer: session)
        case .sync(let exchange, let credential):
            return .sync(
                PrimaryExchange(exchange),
                database: credential.database,
                token: credential.token
            )
        case .snapshot(let replica, let cursor, let credential):
            return .snapshot(
                for: replica,
                after: cursor,
                database: credential.database,
                token: credential.token
            )
        case .migrate(let schema, let credential):
            return .migrate(
                to: PrimarySchema(schema),
                database: credential.database,
                token: credential.token
            )
        }
    }
}

extension ReplicaAnswer {
    /// Reads what the server answered to a request.
    public init(_ response: HTTPResponse, to request: ReplicaRequest) {
        switch response.statusCode {
        case 200:
            self = Self(body: response.body, to: request) ?? .malformed
        case 401:
            self = .unauthorized
        case 409:
            let schema = DatabaseSchemaResponse(json: response.body)
            if let schema, schema.isRefusal {
                self = .schemaDiffers(schema.schema)
            } else {
                self = .refused(statusCode: 409)
            }
        case 410 where FaultResponse(json: response.body)?.isSnapshotNeeded == true:
            self = .snapshotNeeded
        default:
            self = .refused(statusCode: response.statusCode)
        }
    }

    private init?(body: String, to request: ReplicaRequest) {
        switch request {
        case .credential:
            guard let response = DatabaseCredentialResponse(json: body) else { return nil }
            self = .credential(
                ReplicaCredential(database: response.database, token: response.token)
            )
        case .sync:
            guard let response = DatabaseSyncResponse(json: body) else { return nil }
            self = .page(ReplicaPage(response))
        case .snapshot:
            guard let response = DatabaseSnapshotResponse(json: body) else { return nil }
            self = .snapshot(SnapshotPage(response))
        case .migrate:
            guard let response = DatabaseSchemaResponse(json: body), !response.isRefusal else {
                return nil
            }
            self = .migrated(schema: response.schema)
        }
    }
}

// MARK: Changes

extension ReplicaChange {
    /// The change as replicas say it.
    public init(_ change: PrimaryChange) {
        let kind: Kind =
            switch change.kind {
            case .insert: .insert
            case .update: .update
            case .delete: .delete
            }
        self.init(
            table: change.table,
            key: change.key,
            kind: kind,
            columns: change.columns.map { ReplicaColumn($0.name, ReplicaValue($0.value)) }
        )
    }
}

extension PrimaryChange {
    /// The change as the server says it.
    public init(_ change: ReplicaChange) {
        let kind: Kind =
            switch change.kind {
            case .insert: .insert
            case .update: .update
            case .delete: .delete
            }
        self.init(
            table: change.table,
            key: change.key,
            kind: kind,
            columns: change.columns.map { PrimaryColumn($0.name, PrimaryValue($0.value)) }
        )
    }
}

extension ReplicaValue {
    fileprivate init(_ value: PrimaryValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .text(let text): self = .text(text)
        }
    }
}

extension PrimaryValue {
    fileprivate init(_ value: ReplicaValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .text(let text): self = .text(text)
        }
    }
}

// MARK: Exchanges

extension PrimaryExchange {
    fileprivate init(_ exchange: ReplicaExchange) {
        self.init(
            replica: exchange.replica,
            schema: exchange.schema,
            generation: exchange.generation,
            position: exchange.position,
            changes: exchange.changes.map {
                Push(sequence: $0.sequence, change: PrimaryChange($0.change))
            }
        )
    }
}

extension ReplicaPage {
    fileprivate init(_ response: DatabaseSyncResponse) {
        self.init(
            generation: response.generation,
            from: response.from,
            through: response.through,
            durable: response.durable,
            applied: response.applied,
            changes: response.changes.map {
                LoggedChange(
                    position: $0.position,
                    replica: $0.replica,
                    sequence: $0.sequence,
                    change: ReplicaChange($0.change)
                )
            },
            hasMore: response.hasMore
        )
    }
}

extension SnapshotPage {
    fileprivate init(_ response: DatabaseSnapshotResponse) {
        self.init(
            generation: response.generation,
            position: response.position,
            applied: response.applied,
            schema: response.schema,
            rows: response.rows.map { ReplicaChange($0) },
            next: response.next
        )
    }
}

// MARK: Schemas

extension PrimarySchema {
    fileprivate init(_ schema: ReplicaSchema) {
        self.init(versions: schema.versions.map { $0.map { Step($0) } })
    }
}

extension PrimarySchema.Step {
    fileprivate init(_ step: ReplicaSchema.Step) {
        switch step {
        case .createTable(let table, let columns):
            self = .createTable(table, columns.map { PrimarySchema.Column($0) })
        case .addColumn(let table, let column):
            self = .addColumn(table, PrimarySchema.Column(column))
        }
    }
}

extension PrimarySchema.Column {
    fileprivate init(_ column: ReplicaSchema.Column) {
        let kind: Kind =
            switch column.kind {
            case .integer: .integer
            case .text: .text
            }
        self.init(column.name, kind, standard: PrimaryValue(column.standard))
    }
}
