import Crypto
public import SansIO

/// What a member shows of its identity: the key that signs its invites and the key that proves it in
/// handshakes.
///
/// The member's id is the hash of both, so neither can be exchanged alone.
public struct MemberPublicKey: Sendable, Hashable {
    /// The length: an Ed25519 key (RFC 8032), then a Curve25519 key (RFC 7748), 32 bytes each.
    public static let byteCount = 64

    /// The signing key, then the agreement key.
    public let bytes: [UInt8]
    /// The first 16 bytes of the SHA-256 hash of `bytes` (S-OWN-001).
    ///
    /// Passing for a given member takes a second preimage: 2^128 attempts, as much as breaking the
    /// keys themselves. Two keys of one id can be found in 2^64 and gain nothing, for both belong to
    /// the party that searched for them. More bytes would not make it safer, and 16 are the size of a UUID.
    public let memberID: MemberID

    /// Reads a public key; `nil` if it has not `byteCount` bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
        let hash = Array(SHA256.hash(data: bytes))
        memberID = MemberID(
            high: UInt64(bigEndianBytes: hash[..<8]),
            low: UInt64(bigEndianBytes: hash[8..<16])
        )
    }

    /// The key that checks the member's signatures.
    var signing: [UInt8] { Array(bytes[..<32]) }

    /// Whether the member signed these bytes (Ed25519, RFC 8032).
    func isValidSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: signing) else {
            return false
        }
        return key.isValidSignature(signature, for: message)
    }
}
