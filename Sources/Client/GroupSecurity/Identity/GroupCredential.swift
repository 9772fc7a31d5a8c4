import Crypto
public import SansIO

/// The secret of a group: 256 bits that only its members know (S-SEC-001).
public struct GroupSecret: Sendable, Equatable, CustomStringConvertible {
    /// The length in bytes.
    public static let byteCount = 32

    let key: SymmetricKey

    /// Makes the secret of a new group.
    public init(entropy: inout Entropy) {
        key = entropy.draw()
    }

    /// Restores a secret from secure storage; `nil` if it has not `byteCount` bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        key = SymmetricKey(data: bytes)
    }

    /// The secret, for secure storage and invites.
    public var bytes: [UInt8] { key.withUnsafeBytes { Array($0) } }

    /// Says what this is and keeps the secret.
    public var description: String { "GroupSecret(secret)" }
}

/// What members know of a group beside its keys, and by which they find each other (S-GRP-010).
public struct GroupHash: Sendable, Hashable {
    /// SHA-256 of a label, the group's id and its secret.
    public let bytes: [UInt8]
}

/// A group's id with its secret, and what follows from both.
public struct GroupCredential: Sendable, Equatable {
    /// Which group.
    public let id: GroupID
    /// What its members know.
    public let secret: GroupSecret
    /// What its members find each other by: H(GroupID + GroupSecret) (S-GRP-010).
    ///
    /// The label before both keeps this hash apart from every key that comes of the secret.
    public let hash: GroupHash
    /// The keys that both sides of a handshake must know, in the order of the pattern's tokens.
    let preSharedKeys: [SymmetricKey]
    /// The key by which the first two packets of a handshake under load prove knowledge of the secret.
    let cookieKey: SymmetricKey

    /// Puts a group's id and secret together.
    public init(id: GroupID, secret: GroupSecret) {
        self.id = id
        self.secret = secret
        var hash = SHA256()
        hash.update(data: Array("kodama group hash 1".utf8))
        hash.update(data: id.bytes)
        hash.update(data: secret.bytes)
        self.hash = GroupHash(bytes: Array(hash.finalize()))
        func key(_ label: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: secret.key,
                salt: id.bytes,
                info: Array("kodama group \(label) 1".utf8),
                outputByteCount: 32
            )
        }
        preSharedKeys = [key("psk0"), key("psk3")]
        cookieKey = key("cookie")
    }
}

extension GroupID {
    /// The id's 16 bytes, in the order of a UUID's text.
    var bytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes }

    /// Reads an id from 16 bytes.
    init(bytes: some Collection<UInt8>) {
        self.init(
            high: UInt64(bigEndianBytes: bytes.prefix(8)),
            low: UInt64(bigEndianBytes: bytes.dropFirst(8))
        )
    }
}
