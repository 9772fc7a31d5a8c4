import SansIO
import TextFormats

extension APIServer {
    /// The issuer of sessions.
    private static let sessionIssuer = "kodama-session"

    /// `POST /auth/passkey-begin`: a challenge for the authenticator.
    mutating func passkeyBegin(at now: WallTime) throws(APIFault) -> JSON {
        _ = try settings.sessionKey()
        let challenge = entropy.name()
        challenges.issue(challenge, until: now.advanced(by: settings.challengeTimeToLive), at: now)
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
        _ = try settings.sessionKey()
        guard let passkey = verifier.passkey(assertion: assertion, at: now),
            challenges.redeem(passkey.challenge, at: now)
        else { throw .unauthorized }
        return try session(of: passkey.user, at: now)
    }

    /// `POST /auth/apple-signin`: a session for an identity token of Apple's.
    func appleSignIn(_ request: HTTPRequest, at now: WallTime) throws(APIFault) -> JSON {
        let token = try field("identityToken", of: request)
        _ = try settings.sessionKey()
        guard let user = verifier.appleUser(identityToken: token, at: now) else {
            throw .unauthorized
        }
        return try session(of: user, at: now)
    }

    /// Whose session the request carries.
    ///
    /// Times are checked without leeway: the same clock has set them.
    func user(of request: HTTPRequest, at now: WallTime) throws(APIFault) -> String {
        let secret = try settings.sessionKey()
        let scheme = "Bearer "
        guard let value = request.values(of: "Authorization").first, value.hasPrefix(scheme),
            let claims = try? AccessToken.verify(
                String(value.dropFirst(scheme.count)),
                secrets: { $0 == Self.sessionIssuer ? secret : nil },
                at: now,
                leewaySeconds: 0
            )
        else { throw .unauthorized }
        return claims.identity
    }

    private func session(of user: String, at now: WallTime) throws(APIFault) -> JSON {
        let secret = try settings.sessionKey()
        // Without a room's name and the right to join one: no room server would take it for a token.
        let claims = AccessToken.Claims(
            identity: user,
            notBefore: now,
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

/// The challenges that wait for their answer.
struct ChallengeBook: Sendable, Equatable {
    /// How many wait at most; beyond that the oldest is forgotten.
    static let countMax = 10_000

    private var waiting: [Challenge] = []

    private struct Challenge: Sendable, Equatable {
        var name: String
        var until: WallTime
    }

    mutating func issue(_ name: String, until: WallTime, at now: WallTime) {
        waiting.removeAll { $0.until < now }
        if waiting.count == Self.countMax {
            waiting.removeFirst()
        }
        waiting.append(Challenge(name: name, until: until))
    }

    /// Whether the challenge was waiting; it waits no longer.
    mutating func redeem(_ name: String, at now: WallTime) -> Bool {
        guard let place = waiting.firstIndex(where: { $0.name == name }) else { return false }
        return waiting.remove(at: place).until >= now
    }
}
