import Crypto
public import SansIO
import TextFormats

/// LiveKit's access token: a JWT (RFC 7519) signed with HS256 that lets somebody join a room.
///
/// The format is that of livekit/protocol, `auth/accesstoken.go` and `auth/grants.go`: the key names
/// the issuer, the UTF-8 bytes of the secret are the HMAC key.
public enum AccessToken {
    /// Why a token is not accepted.
    public enum Refusal: String, Sendable, Hashable, CaseIterable, Error {
        /// It is no JWT, or a claim that must be there is missing or has another type.
        case malformed
        /// It is signed with something else than HS256, or with nothing.
        case unsupportedAlgorithm
        /// Nobody knows the key that it names as its issuer.
        case unknownKey
        /// The signature does not fit.
        case wrongSignature
        /// Its time is over.
        case expired
        /// Its time has not come.
        case notYetValid
    }

    /// How many bytes a secret needs: as many as SHA-256 gives (RFC 7518 §3.2).
    ///
    /// What hands out tokens refuses shorter ones before it signs.
    public static let secretBytesMin = 32

    private static let header = JSON.object([
        JSON.Member("alg", .string("HS256")), JSON.Member("typ", .string("JWT")),
    ])

    /// Signs claims.
    ///
    /// - Parameters:
    ///   - claims: What the token says.
    ///   - key: The name of the secret; becomes the issuer.
    ///   - secret: The secret; MUST NOT be empty.
    /// - Returns: The token in its compact form.
    public static func sign(_ claims: Claims, key: String, secret: String) -> String {
        precondition(!secret.isEmpty, "an empty secret signs nothing")
        let parts = [header, claims.json(issuer: key)]
        let signed = parts.map { Base64URL.encode(Array($0.text.utf8)) }.joined(separator: ".")
        let code = HMAC<SHA256>.authenticationCode(
            for: Array(signed.utf8),
            using: SymmetricKey(data: Array(secret.utf8))
        )
        return signed + "." + Base64URL.encode(Array(code))
    }

    /// Checks a token as LiveKit's server does (livekit/protocol, `auth/verifier.go`).
    ///
    /// Algorithm, issuer, signature and times are checked in this order; codes are compared in
    /// constant time.
    ///
    /// - Parameters:
    ///   - token: The token in its compact form.
    ///   - secrets: Says the secret of a key; `nil` if there is none.
    ///   - now: The verifier's clock.
    ///   - leewaySeconds: By how much clocks may differ; LiveKit's server allows 60 s.
    /// - Returns: What the token says.
    /// - Throws: Why it is not accepted.
    public static func verify(
        _ token: String,
        secrets: (String) -> String?,
        at now: WallTime,
        leewaySeconds: Int64
    ) throws(Refusal) -> Claims {
        let parts = try Parts(token)
        guard let secret = secrets(parts.issuer), !secret.isEmpty else { throw .unknownKey }
        let isGenuine = HMAC<SHA256>.isValidAuthenticationCode(
            parts.signature,
            authenticating: parts.signed,
            using: SymmetricKey(data: Array(secret.utf8))
        )
        guard isGenuine else { throw .wrongSignature }
        let claims = parts.claims
        let second = now.secondsSince1970
        guard second + leewaySeconds >= claims.notBefore.secondsSince1970 else {
            throw .notYetValid
        }
        if let issuedAt = claims.issuedAt, second + leewaySeconds < issuedAt.secondsSince1970 {
            throw .notYetValid
        }
        guard second - leewaySeconds <= claims.expires.secondsSince1970 else { throw .expired }
        return claims
    }

    /// Reads what a token says without checking it, as a client does with its own token.
    ///
    /// - Parameter token: The token in its compact form.
    /// - Returns: Its claims, which anybody may have written.
    /// - Throws: `malformed` or `unsupportedAlgorithm`.
    public static func claims(of token: String) throws(Refusal) -> Claims {
        try Parts(token).claims
    }

    /// A token taken apart.
    private struct Parts {
        var signed: [UInt8]
        var signature: [UInt8]
        var issuer: String
        var claims: Claims

        init(_ token: String) throws(Refusal) {
            let texts = token.split(separator: ".", omittingEmptySubsequences: false)
            guard texts.count == 3,
                let header = Self.json(texts[0]),
                let payload = Self.json(texts[1]),
                let signature = Base64URL.decode(texts[2])
            else { throw .malformed }
            guard header["alg"] == .string("HS256") else { throw .unsupportedAlgorithm }
            guard header["crit"] == nil, let issuer = payload["iss"]?.string else {
                throw .malformed
            }
            signed = Array(token.utf8.prefix(texts[0].utf8.count + 1 + texts[1].utf8.count))
            self.signature = signature
            self.issuer = issuer
            claims = try Claims(payload)
        }

        private static func json(_ text: Substring) -> JSON? {
            Base64URL.decode(text).flatMap { try? JSONReader.read($0) }
        }
    }
}
