import ReplicaChanges
public import SansIO
import TextFormats

/// The apps' own server: hands out room tokens (RS-01) and sessions (RS-12), knows the devices that users
/// are called on (VP-03), carries the signalling of calls (VP-05, VP-09) and keeps a database for each
/// user, which their phones replicate (RP-01, RP-04).
///
/// It is a value without I/O: whoever runs it hands it requests and the time of its clock, passes what is
/// to be pushed to a `PushProvider`, and hands back what became of that. What it must remember, such as the
/// challenges that wait for their answer, lies in the value; sessions are signed tokens and need no memory,
/// so that they outlive a restart.
public struct APIServer: Sendable {
    /// The longest body that is read, but a database's: several times what a sign-in takes.
    ///
    /// Anybody may send one, and reading compares an object's names with each other.
    static let bodyBytesMax = 16_384

    /// How it is set up.
    public var settings: APIServerSettings
    let verifier: any CredentialVerifying
    var entropy: ServerEntropy
    var challenges = ChallengeBook()
    var deviceOwners = DeviceOwners()
    var users = KnownUsers()
    /// The devices that users are called on.
    public internal(set) var devices = DeviceRegistry()
    var calls = CallBook()
    /// The users' own databases.
    public var primaries: PrimaryShelf
    /// What is remembered of the coach's users.
    public internal(set) var coach: CoachBook
    var pushCommands: [PushCommand] = []

    /// Makes a server.
    ///
    /// - Parameters:
    ///   - settings: How it is set up; what is missing is said when it is needed.
    ///   - verifier: Checks passkeys and Apple's identity tokens.
    ///   - entropy: What rooms and challenges are named from; in the field 32 bytes of the system's
    ///     generator, unlike those of any other server or start.
    public init(
        settings: APIServerSettings,
        verifier: any CredentialVerifying = NoCredentials(),
        entropy: [UInt8]
    ) {
        self.settings = settings
        self.verifier = verifier
        self.entropy = ServerEntropy(seed: entropy)
        // Apart, so that rooms are named the same whatever becomes of databases.
        primaries = PrimaryShelf(entropy: ServerEntropy(seed: entropy + Array("primaries".utf8)))
        coach = CoachBook(entropy: ServerEntropy(seed: entropy + Array("coach".utf8)))
    }

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - request: What came in.
    ///   - now: The server's clock.
    /// - Returns: The answer; a JSON object in every case.
    public mutating func respond(to request: HTTPRequest, at now: WallTime) -> HTTPResponse {
        do throws(APIFault) {
            return HTTPResponse(statusCode: 200, body: try answer(to: request, at: now).text)
        } catch {
            return HTTPResponse(
                statusCode: error.statusCode,
                headers: error.headers,
                body: error.json.text
            )
        }
    }

    /// What the push provider is to do since this was asked last, in order.
    ///
    /// Ask after every request, and after handing back what became of a push.
    public mutating func takePushCommands() -> [PushCommand] {
        defer { pushCommands = [] }
        return pushCommands
    }

    /// Forgets a device's token of which the push service says that it is dead, unless the device has
    /// registered since.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - death: Since when it is known to be dead.
    public mutating func forgetDevice(token: String, deadSince death: WallTime) {
        devices.forget(token: token, deadSince: death)
    }

    private mutating func answer(
        to request: HTTPRequest,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        guard let target = RequestTarget(request.target) else {
            throw .badRequest("the target is malformed")
        }
        let ofDatabase = DatabaseEndpoint(path: target.path)
        let ofCoach = CoachEndpoint(rawValue: target.path)
        let bodyBytesMax =
            ofDatabase == nil
            ? ofCoach?.bodyBytesMax ?? Self.bodyBytesMax : DatabaseEndpoint.bodyBytesMax
        guard request.body.utf8.count <= bodyBytesMax else { throw .tooLarge }
        if let endpoint = CallEndpoint(path: target.path) {
            guard request.method == endpoint.verb.method else { throw .methodNotAllowed }
            return try call(endpoint, request, at: now)
        }
        if let endpoint = ofDatabase {
            guard request.method == endpoint.verb.method else { throw .methodNotAllowed }
            return try database(endpoint, request, target, at: now)
        }
        if let endpoint = ofCoach {
            guard request.method == endpoint.method else { throw .methodNotAllowed }
            return try answer(endpoint, request, target, at: now)
        }
        guard let endpoint = Endpoint(rawValue: target.path) else { throw .notFound }
        guard endpoint.methods.contains(request.method) else { throw .methodNotAllowed }
        return switch endpoint {
        case .ephemeralToken: try ephemeralToken(request, target, at: now)
        case .passkeyBegin: try passkeyBegin(at: now)
        case .passkeyComplete: try passkeyComplete(request, at: now)
        case .appleSignIn: try appleSignIn(request, at: now)
        case .devices where request.method == "DELETE":
            try unregisterDevice(request, target, at: now)
        case .devices: try registerDevice(request, at: now)
        case .calls: try placeCall(request, at: now)
        case .missedCalls: try missedCalls(request, target, at: now)
        case .database: try databaseCredential(request, at: now)
        }
    }
}

/// What the server answers to, by path.
enum Endpoint: String {
    case ephemeralToken = "/api/mobile/rtc/ephemeral-token"
    case passkeyBegin = "/auth/passkey-begin"
    case passkeyComplete = "/auth/passkey-complete"
    case appleSignIn = "/auth/apple-signin"
    case devices = "/api/me/devices"
    case calls = "/api/calls"
    case missedCalls = "/api/missed-calls"
    case database = "/api/me/database"

    /// What can be asked of it, the usual first.
    var methods: [String] {
        switch self {
        case .ephemeralToken, .missedCalls, .database: ["GET"]
        case .passkeyBegin, .passkeyComplete, .appleSignIn, .calls: ["POST"]
        case .devices: ["PUT", "DELETE"]
        }
    }

    var method: String { methods[0] }
}

/// Why a request gets no 200.
enum APIFault: Error {
    case badRequest(String)
    case unauthorized
    /// The device belongs to another user.
    case foreignDevice
    case notFound
    case methodNotAllowed
    /// The body is longer than any that is asked for.
    case tooLarge
    /// The user asks too often, or for too much at a time; more is taken after this time.
    case tooMany(retryAfter: Duration)
    /// The user's database has no room for what is handed over.
    case quota
    /// The call that is asked about is over.
    case ended(CallEnd)
    /// The database's schema has another version, this one.
    case schemaDiffers(Int)
    /// The database refuses these of the replica's changes for ever.
    case changesRefused([ChangeRefusal])
    /// Changes of the replica's are missing before those that it sends.
    case gap
    /// The log does not reach back so far, or it is another one.
    case snapshotNeeded
    case notConfigured(missing: [String])
    /// A request of the coach.
    case coach(CoachFault)
    /// The secret of that name is so short that its signatures could be forged.
    case weakSecret(String)

    var statusCode: Int {
        switch self {
        case .badRequest: 400
        case .coach(let fault): fault.statusCode
        case .unauthorized: 401
        case .foreignDevice: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .ended, .schemaDiffers, .gap: 409
        case .snapshotNeeded: 410
        case .tooLarge, .quota: 413
        case .changesRefused: 422
        case .tooMany: 429
        case .notConfigured, .weakSecret: 500
        }
    }

    /// The header fields beside those of every answer.
    var headers: [HTTPField] {
        let wait: Duration? =
            switch self {
            case .tooMany(let time): time
            case .coach(let fault): fault.retryAfter
            default: nil
            }
        guard let wait else { return [] }
        // In whole seconds (RFC 9110 §10.2.3), rather too late than too early.
        let seconds = (wait.wholeNanoseconds + 999_999_999) / 1_000_000_000
        return [HTTPField("Retry-After", "\(max(1, seconds))")]
    }

    var json: JSON {
        switch self {
        case .badRequest(let what):
            .object(of: [("error", .string("bad_request")), ("message", .string(what))])
        case .coach(let fault): fault.json
        case .unauthorized: .object(of: [("error", .string("unauthorized"))])
        case .foreignDevice: .object(of: [("error", .string("foreign_device"))])
        case .notFound: .object(of: [("error", .string("not_found"))])
        case .methodNotAllowed: .object(of: [("error", .string("method_not_allowed"))])
        case .tooLarge: .object(of: [("error", .string("too_large"))])
        case .tooMany: .object(of: [("error", .string("too_many"))])
        case .quota: .object(of: [("error", .string("quota"))])
        case .ended(let end):
            .object(of: [("error", .string("ended")), ("reason", .string(end.rawValue))])
        case .schemaDiffers(let version):
            .object(of: [("error", .string("schema")), ("schema", .integer(Int64(version)))])
        case .changesRefused(let refusals):
            .object(of: [
                ("error", .string("changes_refused")), ("changes", .array(refusals.map(\.json))),
            ])
        case .gap: .object(of: [("error", .string("gap"))])
        case .snapshotNeeded: .object(of: [("error", .string("snapshot_needed"))])
        case .notConfigured(let missing):
            .object(of: [
                ("error", .string("server_not_configured")),
                ("missing", .array(missing.map(JSON.string))),
            ])
        case .weakSecret(let name):
            .object(of: [
                ("error", .string("server_not_configured")),
                (
                    "message",
                    .string("\(name) has fewer than \(AccessToken.secretBytesMin) bytes")
                ),
            ])
        }
    }
}
