public import ReplicaChanges
import TextFormats

/// The requests of replicas: what a binding makes of the client's orders.
extension HTTPRequest {
    /// Asks where the user's own database is, and for a token that opens it (RP-01).
    public static func databaseCredential(bearer: String) -> HTTPRequest {
        database(Endpoint.database.method, Endpoint.database.rawValue, nil, bearer)
    }

    /// Hands changes over and asks for others (RP-04).
    public static func sync(
        _ exchange: ReplicaExchange,
        database: String,
        token: String
    ) -> HTTPRequest {
        let endpoint = DatabaseEndpoint(database, .sync)
        return Self.database(endpoint.verb.method, endpoint.path, exchange.json, token)
    }

    /// Asks for a page of the rows themselves: behind `after`, or the first one.
    public static func snapshot(
        for replica: String,
        after cursor: String?,
        database: String,
        token: String
    ) -> HTTPRequest {
        let endpoint = DatabaseEndpoint(database, .snapshot)
        var target = endpoint.path + "?replica=" + RequestTarget.encode(replica)
        if let cursor { target += "&after=" + RequestTarget.encode(cursor) }
        return Self.database(endpoint.verb.method, target, nil, token)
    }

    /// Brings a database to a schema (RP-05).
    public static func migrate(
        to schema: ReplicaSchema,
        database: String,
        token: String
    ) -> HTTPRequest {
        let endpoint = DatabaseEndpoint(database, .schema)
        return Self.database(endpoint.verb.method, endpoint.path, schema.json, token)
    }

    private static func database(
        _ method: String,
        _ target: String,
        _ body: JSON?,
        _ bearer: String
    ) -> HTTPRequest {
        var headers = [HTTPField("Authorization", "Bearer " + bearer)]
        if body != nil { headers.append(HTTPField("Content-Type", "application/json")) }
        return HTTPRequest(
            method: method,
            target: target,
            headers: headers,
            body: body?.text ?? ""
        )
    }
}
