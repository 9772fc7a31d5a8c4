public import SansIO

/// The apps' own server: hands out room tokens (RS-01) and sessions (RS-12).
///
/// It is a value without I/O: whoever runs it hands it requests and the time of its clock. What it
/// must remember, the challenges that wait for their answer, lies in the value; sessions are signed
/// tokens and need no memory, so that they outlive a restart.
public struct APIServer: Sendable {
    /// How it is set up.
    public var settings: APIServerSettings
    let verifier: any CredentialVerifying
    var entropy: ServerEntropy
    var challenges = ChallengeBook()

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
            return HTTPResponse(statusCode: error.statusCode, body: error.json.text)
        }
    }

    private mutating func answer(
        to request: HTTPRequest,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        guard let target = RequestTarget(request.target) else {
            throw .badRequest("the target is malformed")
        }
        guard let endpoint = Endpoint(rawValue: target.path) else { throw .notFound }
        guard request.method == endpoint.method else { throw .methodNotAllowed }
        return switch endpoint {
        case .ephemeralToken: try ephemeralToken(request, target, at: now)
        case .passkeyBegin: try passkeyBegin(at: now)
        case .passkeyComplete: try passkeyComplete(request, at: now)
        case .appleSignIn: try appleSignIn(request, at: now)
        }
    }
}

/// What the server answers to, by path.
enum Endpoint: String {
    case ephemeralToken = "/api/mobile/rtc/ephemeral-token"
    case passkeyBegin = "/auth/passkey-begin"
    case passkeyComplete = "/auth/passkey-complete"
    case appleSignIn = "/auth/apple-signin"

    var method: String {
        switch self {
        case .ephemeralToken: "GET"
        case .passkeyBegin, .passkeyComplete, .appleSignIn: "POST"
        }
    }
}

/// Why a request gets no 200.
enum APIFault: Error {
    case badRequest(String)
    case unauthorized
    case notFound
    case methodNotAllowed
    case notConfigured(missing: [String])

    var statusCode: Int {
        switch self {
        case .badRequest: 400
        case .unauthorized: 401
        case .notFound: 404
        case .methodNotAllowed: 405
        case .notConfigured: 500
        }
    }

    var json: JSON {
        switch self {
        case .badRequest(let what):
            .object(of: [("error", .string("bad_request")), ("message", .string(what))])
        case .unauthorized: .object(of: [("error", .string("unauthorized"))])
        case .notFound: .object(of: [("error", .string("not_found"))])
        case .methodNotAllowed: .object(of: [("error", .string("method_not_allowed"))])
        case .notConfigured(let missing):
            .object(of: [
                ("error", .string("server_not_configured")),
                ("missing", .array(missing.map(JSON.string))),
            ])
        }
    }
}
