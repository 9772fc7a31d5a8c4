import Crypto

/// A member's own keys: one signs invites, one proves the member in handshakes.
///
/// Two keys, since one key in two algorithms would tie the security of each to the other. Made once
/// on first launch and kept in secure storage (S-GRP-002).
public struct MemberIdentity: Sendable, Equatable, CustomStringConvertible {
    /// The length of `secretBytes`.
    public static let secretByteCount = 64

    private let signingKey: Curve25519.Signing.PrivateKey
    let agreementKey: AgreementKey
    /// What others may know.
    public let publicKey: MemberPublicKey

    /// Makes a new identity.
    ///
    /// - Parameter entropy: Where its keys come from; MUST NOT be used for anything else before.
    public init(entropy: inout Entropy) {
        self.init(signing: entropy.draw(), agreement: entropy.draw())
    }

    /// Restores an identity from secure storage; `nil` if the bytes are not of `secretByteCount`.
    ///
    /// - Parameter secretBytes: What `secretBytes` gave.
    public init?(secretBytes: [UInt8]) {
        guard secretBytes.count == Self.secretByteCount else { return nil }
        self.init(
            signing: SymmetricKey(data: secretBytes[..<32]),
            agreement: SymmetricKey(data: secretBytes[32...])
        )
    }

    private init(signing: SymmetricKey, agreement: SymmetricKey) {
        guard
            let key = signing.withUnsafeBytes({
                try? Curve25519.Signing.PrivateKey(rawRepresentation: $0)
            })
        else { preconditionFailure("a signing key has 32 bytes, not \(signing.bitCount / 8)") }
        signingKey = key
        agreementKey = AgreementKey(agreement)
        guard
            let publicKey = MemberPublicKey(
                Array(key.publicKey.rawRepresentation) + agreementKey.publicKey
            )
        else { preconditionFailure("two public keys have \(MemberPublicKey.byteCount) bytes") }
        self.publicKey = publicKey
    }

    /// The private keys, for secure storage and nothing else.
    public var secretBytes: [UInt8] {
        Array(signingKey.rawRepresentation) + agreementKey.secretBytes
    }

    /// Signs bytes (Ed25519, RFC 8032).
    ///
    /// BoringSSL signs equal bytes alike; CryptoKit mixes in randomness, so that two signatures of
    /// one message differ there.
    func signature(of message: [UInt8]) -> [UInt8] {
        guard let signature = try? signingKey.signature(for: message) else {
            preconditionFailure("Ed25519 signs every message")
        }
        return Array(signature)
    }

    /// Identities are equal when their public keys are.
    public static func == (left: MemberIdentity, right: MemberIdentity) -> Bool {
        left.publicKey == right.publicKey
    }

    /// Names the member and hides the keys.
    public var description: String { "MemberIdentity(\(publicKey.memberID))" }
}
