import Crypto
import SansIO
import TextFormats

extension APIServer {
    /// The issuer of sessions.
    private static let sessionIssuer = "kodama-session"
    /// By how much the server's clock may be set back, or another of its machines be behind, before
    /// who has just signed in counts as nobody.
    static let clockStepMax = Duration.seconds(60)
    /// The longest name of a user, in bytes of UTF-8; what apps take of a caller.
    static let userBytesMax = 128

    /// `POST /auth/passkey-begin`: a challenge for the authenticator.
    mutating func passkeyBegin(at now: WallTime) throws(APIFault) -> JSON {
        let secret = try settings.sessionKey()
        let challenge = ChallengeBook.issue(
            entropy.name(),
            until: now.advanced(by: settings.challengeTimeToLive),
            secret: secret
        )
        return .object(of: [("challenge", .string(challenge))])
    }

    /// `POST /auth/passkey-complete`: a session for an assertion to a challenge of ours.
    ///
    /// The challenge must have been issued here, be in time and not have been answered before; that the
    /// assertion's signature is the user's, only the verifier can say.
    mutating func passkeyComplete(
        _ request: HTTPRequest,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        let assertion = try field("assertion", of: request)
        let secret = try settings.sessionKey()
        guard let passkey = verifier.passkey(assertion: assertion, at: now),
            challenges.redeem(passkey.challenge, secret: secret, at: now)
        else { throw .unauthorized }
        return try newSession(of: passkey.user, at: now)
    }

    /// `POST /auth/apple-signin`: a session for an identity token of Apple's.
    mutating func appleSignIn(_ request: HTTPRequest, at now: WallTime) throws(APIFault) -> JSON {
        let token = try field("identityToken", of: request)
        _ = try settings.sessionKey()
        guard let user = verifier.appleUser(identityToken: token, at: now) else {
            throw .unauthorized
        }
        return try newSession(of: user, at: now)
    }

    /// The session that the request carries, which is counted.
    ///
    /// Times are checked without leeway: the same clock has set them, with some to spare at the
    /// beginning.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - mayHaveEnded: Whether the request is heard of a session that its user has ended: what it
    ///     asked before may come late.
    ///   - now: The server's clock.
    /// - Returns: The session.
    /// - Throws: That there is none, or that its user asks too often.
    mutating func session(
        of request: HTTPRequest,
        mayHaveEnded: Bool = false,
        at now: WallTime
    ) throws(APIFault) -> Session {
        let claims = try claims(of: request, at: now)
        let session = Session(
            user: UserName(claims.identity),
            span: SessionSpan(began: claims.notBefore, expires: claims.expires),
            device: try deviceID(of: request)
        )
        let hasEnded = devices.hasEnded(session.span, of: session.user)
        guard mayHaveEnded || !hasEnded else { throw .unauthorized }
        // Who shows a session after its end takes nothing from what its user may ask with another.
        try users.count(hasEnded ? .late : .any, by: session.user, on: session.device, at: now)
        return session
    }

    private func claims(
        of request: HTTPRequest,
        at now: WallTime
    ) throws(APIFault) -> AccessToken.Claims {
        let secret = try settings.sessionKey()
        let token = try bearer(of: request)
        guard
            let claims = try? AccessToken.verify(
                token,
                secrets: { $0 == Self.sessionIssuer ? secret : nil },
                at: now,
                leewaySeconds: 0
            )
        else { throw .unauthorized }
        return claims
    }

    /// The token that the request carries.
    func bearer(of request: HTTPRequest) throws(APIFault) -> String {
        // A scheme has no case (RFC 9110 §11.1), and of two credentials nobody says which one counts.
        let said = request.values(of: "Authorization")
        let parts = said.first?.split(separator: " ", maxSplits: 1) ?? []
        guard said.count == 1, parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw .unauthorized
        }
        return String(parts[1])
    }

    private mutating func newSession(of user: String, at now: WallTime) throws(APIFault) -> JSON {
        let secret = try settings.sessionKey()
        // Who has no name, or one that no push can carry, could call nobody.
        guard (1...Self.userBytesMax).contains(user.utf8.count) else { throw .unauthorized }
        // Without a room's name and the right to join one: no room server would take it for a token.
        let claims = AccessToken.Claims(
            identity: user,
            notBefore: try users.beginSession(
                of: UserName(user),
                from: now.advanced(by: Duration.zero - Self.clockStepMax),
                at: now
            ),
            expires: now.advanced(by: settings.sessionTimeToLive),
            video: AccessToken.VideoGrant()
        )
        let token = AccessToken.sign(claims, key: Self.sessionIssuer, secret: secret)
        return .object(of: [
            ("token", .string(token)),
            ("ttl", .integer(settings.sessionTimeToLive.components.seconds)),
        ])
    }

    private func field(_ name: String, of request: HTTPRequest) throws(APIFault) -> String {
        guard let json = try? JSONReader.read(request.body.utf8),
            let value = json[name]?.string, !value.isEmpty
        else { throw .badRequest("the body is no JSON object with a text '\(name)'") }
        return value
    }
}

/// Hands out challenges and takes each answer once.
///
/// A challenge carries its own end and a code over both (RFC 2104), so that it need not be remembered:
/// whoever asks for challenges without end takes none from somebody who is about to answer one. Only what
/// was answered, by a user whose assertion was sound, is kept until its time is over.
struct ChallengeBook: Sendable, Equatable {
    /// The one whose time is over first comes first.
    private var answered: [Challenge] = []

    private struct Challenge: Sendable, Comparable {
        var name: String
        var until: WallTime

        static func < (one: Challenge, other: Challenge) -> Bool {
            (one.until, one.name) < (other.until, other.name)
        }

        /// What the code is made over.
        var text: String { "\(name).\(until.nanosecondsSince1970)" }
    }

    /// A challenge that may be answered until then.
    static func issue(_ name: String, until: WallTime, secret: String) -> String {
        let text = Challenge(name: name, until: until).text
        let code = HMAC<SHA256>.authenticationCode(for: Self.bytes(text), using: key(secret))
        return text + "." + Base64URL.encode(Array(code))
    }

    /// Whether the challenge was issued with this secret, is in time and was not answered before; from now
    /// on it was.
    mutating func redeem(_ text: String, secret: String, at now: WallTime) -> Bool {
        answered.removeFirst(count { $0.until < now })
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let until = Int64(parts[1]), let code = Base64URL.decode(parts[2])
        else { return false }
        let challenge = Challenge(
            name: String(parts[0]),
            until: WallTime(nanosecondsSince1970: until)
        )
        let isOurs = HMAC<SHA256>.isValidAuthenticationCode(
            code,
            authenticating: Self.bytes(challenge.text),
            using: Self.key(secret)
        )
        let index = count { $0 < challenge }
        let isAnswered = index < answered.count && answered[index] == challenge
        guard isOurs, challenge.until >= now, !isAnswered else { return false }
        answered.insert(challenge, at: index)
        return true
    }

    /// How many come first of which something holds, by halving.
    private func count(where holds: (Challenge) -> Bool) -> Int {
        var (low, high) = (0, answered.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(answered[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// What is signed here is no token, and a token is no challenge.
    private static func bytes(_ text: String) -> [UInt8] { Array("challenge \(text)".utf8) }

    private static func key(_ secret: String) -> SymmetricKey {
        SymmetricKey(data: Array(secret.utf8))
    }
}
