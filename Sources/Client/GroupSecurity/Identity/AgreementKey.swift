import Crypto

/// A Curve25519 key pair for Diffie–Hellman (RFC 7748 section 5), with its public key at hand.
struct AgreementKey: Sendable, Equatable {
    /// The bytes of a public key.
    static let publicByteCount = 32

    private let privateKey: Curve25519.KeyAgreement.PrivateKey
    /// The public key as it travels.
    let publicKey: [UInt8]

    /// Makes the pair of a private key.
    ///
    /// - Parameter secret: 32 bytes; any are a key, since the curve's function clamps them.
    init(_ secret: SymmetricKey) {
        guard
            let key = secret.withUnsafeBytes({
                try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0)
            })
        else { preconditionFailure("an agreement key has 32 bytes, not \(secret.bitCount / 8)") }
        privateKey = key
        publicKey = Array(key.publicKey.rawRepresentation)
    }

    /// The private key's 32 bytes.
    var secretBytes: [UInt8] { Array(privateKey.rawRepresentation) }

    /// The shared secret with another public key; `nil` if that key is a point of low order, which
    /// makes the secret all zeros for everybody (RFC 7748 section 6.1).
    func sharedSecret(with publicKey: [UInt8]) -> SymmetricKey? {
        guard
            let other = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey),
            let secret = try? privateKey.sharedSecretFromKeyAgreement(with: other)
        else { return nil }
        // CryptoKit refuses such a point by itself; swift-crypto's BoringSSL gives the zeros.
        return secret.withUnsafeBytes { bytes in
            bytes.reduce(0, |) == 0 ? nil : SymmetricKey(data: bytes)
        }
    }

    /// Pairs are equal when their public keys are.
    static func == (left: AgreementKey, right: AgreementKey) -> Bool {
        left.publicKey == right.publicKey
    }
}
