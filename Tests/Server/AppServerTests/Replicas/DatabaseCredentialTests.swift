import AppServer
import ReplicaChanges
import ReplicaSync
import SansIO
import Testing

@Suite("What opens a database (RP-01)")
struct DatabaseCredentialTests {
    private func requests(_ credential: ReplicaCredential) -> [ReplicaRequest] {
        let exchange = ReplicaExchange(
            replica: "phone",
            schema: 2,
            generation: "g",
            position: 0,
            changes: []
        )
        return [
            .sync(exchange, credential), .migrate(DatabaseBench.schema, credential),
            .snapshot(replica: "phone", after: nil, credential),
        ]
    }

    @Test("Only who has signed in is told of a database: their own, and the same again (RP-01)")
    func own() throws {
        let server = DatabaseBench()
        for session in ["", "x", server.credential.token] {
            #expect(server.ask(.credential(session: session)) == .unauthorized)
        }
        let again = try #require(server.credential(of: "mika"))
        #expect(again.database == server.credential.database)
        let other = try #require(server.credential(of: "hana"))
        #expect(other.database != again.database)
        _ = server.page([.made("a", .words("mika's"))])
        #expect(server.bench.server.primaries.rows(of: "hana").isEmpty)
        #expect(server.bench.server.primaries.rows(of: "nobody").isEmpty)
    }

    @Test("A token opens its own database and no other, which may be there or not (RP-01)")
    func others() throws {
        let server = DatabaseBench()
        let hana = try #require(server.credential(of: "hana"))
        for database in [hana.database, "unknown"] {
            let stolen = ReplicaCredential(database: database, token: server.credential.token)
            for request in requests(stolen) { #expect(server.ask(request) == .unauthorized) }
        }
        for request in requests(hana) { #expect(server.ask(request) != .unauthorized) }
    }

    @Test("Users whose names are only spelled alike have a database each (RP-01)")
    func likeNames() throws {
        var bench = ServerBench()
        let settings = bench.server.settings
        bench.server = APIServer(settings: settings, verifier: Anybody(), entropy: [1])
        var databases: [String] = []
        for user in ["\u{E9}", "e\u{301}"] {
            let session = bench.session(of: user)
            let answer = bench.ask(.databaseCredential(bearer: session))
            databases.append(
                try #require(DatabaseCredentialResponse(json: answer.body)?.database)
            )
        }
        #expect(databases[0] != databases[1])
    }

    @Test("A database's token is no session and no room token, nor are they the database's (RP-01)")
    func kinds() throws {
        let server = DatabaseBench { $0.requiresSession = true }
        let credential = server.credential
        let room = HTTPRequest.ephemeralToken(deviceID: "phone-1", bearer: credential.token)
        #expect(server.bench.ask(room).statusCode == 401)
        let calls = HTTPRequest.missedCalls(
            after: 0,
            deviceID: "phone-1",
            bearer: credential.token
        )
        #expect(server.bench.ask(calls).statusCode == 401)
        let now = server.bench.now
        #expect(throws: AccessToken.Refusal.unknownKey) {
            try AccessToken.verify(
                credential.token,
                secrets: { $0 == ServerBench.key ? ServerBench.secret : nil },
                at: now,
                leewaySeconds: 60
            )
        }
        let claims = try AccessToken.claims(of: credential.token)
        #expect(!claims.video.roomJoin)
        let session = server.bench.session(of: "mika")
        let joining = HTTPRequest.ephemeralToken(deviceID: "phone-1", bearer: session)
        let joined = try #require(TokenResponse(json: server.bench.ask(joining).body)?.token)
        // Whoever knows another secret of the server's forges none with it.
        let secrets = [ServerBench.secret, server.bench.server.settings.sessionSecret ?? ""]
        let forged = secrets.map { secret in
            AccessToken.sign(claims, key: "kodama-database", secret: secret)
        }
        for token in [session, joined, "", "x"] + forged {
            let foreign = ReplicaCredential(database: credential.database, token: token)
            for request in requests(foreign) { #expect(server.ask(request) == .unauthorized) }
        }
    }

    @Test("A token expires, and the server gives another one for the same database (RP-01)")
    func expiry() throws {
        let server = DatabaseBench()
        server.bench.pass(.seconds(3_600))
        #expect(server.page() != nil)
        server.bench.pass(.seconds(1))
        #expect(server.sync() == .unauthorized)
        let next = try #require(server.credential(of: "mika"))
        #expect(next.database == server.credential.database)
        server.credential = next
        #expect(server.page() != nil)
        // A clock that is set back by a minute locks nobody out.
        server.bench.pass(.seconds(-60))
        #expect(server.page() != nil)
        server.bench.pass(.seconds(-1))
        #expect(server.sync() == .unauthorized)
    }

    @Test("Tokens that were taken back are refused, others' and later ones are not (RP-01)")
    func takenBack() throws {
        let server = DatabaseBench()
        let hana = try #require(server.credential(of: "hana"))
        server.bench.server.primaries.expireTokens(of: "mika")
        #expect(server.sync() == .unauthorized)
        let request = ReplicaRequest.snapshot(replica: "phone", after: nil, hana)
        #expect(server.ask(request) != .unauthorized)
        server.credential = try #require(server.credential(of: "mika"))
        #expect(server.page() != nil)
    }

    @Test("A server without a secret gives no token and says what it lacks (RP-01)")
    func noSecret() {
        var bench = ServerBench { $0.sessionSecret = nil }
        let response = bench.ask(.databaseCredential(bearer: "x"))
        #expect(response.statusCode == 500)
        #expect(FaultResponse(json: response.body)?.error == "server_not_configured")
    }

    @Test("Unknown paths below a database are 404, other methods 405")
    func routing() {
        let server = DatabaseBench()
        let path = "/db/" + server.credential.database
        for below in ["", "/", "/rows", "/sync/", "/sync/a"] {
            #expect(server.bench.get(path + below).statusCode == 404, "\(below)")
        }
        for target in ["/db", "/db/", "/db//sync", "/db/a.b/sync"] {
            #expect(server.bench.get(target).statusCode == 404, "\(target)")
        }
        #expect(server.bench.get(path + "/sync").statusCode == 405)
        #expect(server.bench.get(path + "/schema").statusCode == 405)
        for target in [path + "/snapshot", "/api/me/database"] {
            let post = HTTPRequest(method: "POST", target: target)
            #expect(server.bench.ask(post).statusCode == 405)
        }
    }
}

/// Takes everybody for who they say they are.
private struct Anybody: CredentialVerifying {
    func passkey(assertion: String, at now: WallTime) -> VerifiedPasskey? { nil }

    func appleUser(identityToken: String, at now: WallTime) -> String? {
        String(identityToken.dropFirst("apple says ".count))
    }
}
