import Crypto
public import SansIO
import TextFormats

/// Names a provider token; the token itself stays with whoever signs.
///
/// ES256 signatures are random: no two signings of the same claims are alike. So that machines and
/// traces repeat, they see the token's number and its time, and never its text.
public struct ProviderTokenID: Sendable, Hashable, BitwiseCopyable {
    /// The token's number within its provider, from 1.
    public var number: UInt32

    /// Names token `number`.
    public init(number: UInt32) {
        self.number = number
    }
}

/// Signs provider tokens: JWTs by which the push service knows the sender (Apple, "Establishing a
/// token-based connection to APNs").
public struct ProviderTokenSigner: Sendable {
    /// Why a key cannot be used.
    public enum Fault: Error, Equatable {
        /// It is no P-256 private key in PEM.
        case unreadableKey
        /// The key's identifier or the team's is not ten letters and digits.
        case malformedIdentifier(String)
    }

    private let key: P256.Signing.PrivateKey
    private let keyID: String
    private let teamID: String

    /// Makes a signer.
    ///
    /// - Parameters:
    ///   - pem: The private key, as the file that Apple hands out holds it (`.p8`).
    ///   - keyID: The key's identifier.
    ///   - teamID: The team's identifier.
    /// - Throws: What is wrong with them.
    public init(pem: String, keyID: String, teamID: String) throws(Fault) {
        for identifier in [keyID, teamID] {
            guard identifier.utf8.count == 10, identifier.isName(upTo: 10),
                !identifier.contains(where: { $0 == "-" || $0 == "_" })
            else { throw .malformedIdentifier(identifier) }
        }
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else {
            throw .unreadableKey
        }
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
    }

    /// Signs a token of that time.
    ///
    /// - Parameter time: When it is issued, for the claim `iat`.
    /// - Returns: The token in its compact form: another text at every call, of equal length.
    /// - Throws: What the cryptography says.
    public func sign(issuedAt time: WallTime) throws -> String {
        let header = JSON.object(of: [("alg", .string("ES256")), ("kid", .string(keyID))])
        let claims = JSON.object(of: [
            ("iss", .string(teamID)), ("iat", .integer(time.secondsSince1970)),
        ])
        let signed = [header, claims].map { Base64URL.encode(Array($0.text.utf8)) }
            .joined(separator: ".")
        let signature = try key.signature(for: Array(signed.utf8))
        // JWS wants both numbers as they are, 64 bytes, and not wrapped in DER (RFC 7518 §3.4).
        return signed + "." + Base64URL.encode(Array(signature.rawRepresentation))
    }
}

/// When a provider token is made: no more often than every 20 minutes, at least every 60 (Apple,
/// "Establishing a token-based connection to APNs").
struct ProviderTokenSchedule: Sendable, Equatable {
    /// The least age at which a token is replaced.
    static let lifeMin = Duration.seconds(20 * 60)
    /// The age at which a token is replaced; ten minutes before it would be refused, for clocks that differ.
    static let life = Duration.seconds(50 * 60)

    struct Token: Sendable, Equatable {
        let id: ProviderTokenID
        /// Ages are counted by monotonic time: the server's clock may be set.
        let mintedAt: Instant
    }

    private(set) var current: Token?

    /// The token to use at `now`, and whether it has to be minted first.
    mutating func token(at now: Instant) -> (id: ProviderTokenID, isNew: Bool) {
        if let current, now < current.mintedAt.advanced(by: Self.life) {
            return (current.id, false)
        }
        return (mint(at: now), true)
    }

    /// Replaces a token that was refused, unless it was replaced already.
    ///
    /// - Returns: Whether there is another one to try, and whether it has to be minted first; `nil` if the
    ///   refused one is too young to be replaced.
    mutating func renew(
        _ refused: ProviderTokenID,
        at now: Instant
    ) -> (id: ProviderTokenID, isNew: Bool)? {
        guard let current else { return token(at: now) }
        guard current.id == refused else { return (current.id, false) }
        guard now >= current.mintedAt.advanced(by: Self.lifeMin) else { return nil }
        return (mint(at: now), true)
    }

    private mutating func mint(at now: Instant) -> ProviderTokenID {
        let id = ProviderTokenID(number: (current?.id.number ?? 0) &+ 1)
        current = Token(id: id, mintedAt: now)
        return id
    }
}
