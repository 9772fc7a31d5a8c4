import Crypto

/// Noise's SymmetricState and CipherState (revision 34, sections 5.1 and 5.2): the hash of all that
/// was said, the chaining key, and the key that seals the next part.
struct NoiseSymmetricState: Sendable, Equatable {
    /// The hash of all that was said; after the handshake, a name that only both sides share.
    private(set) var hash: [UInt8]
    private var chainingKey: SymmetricKey
    private var key: SymmetricKey?
    private var counter: UInt64 = 0

    /// Starts with the protocol's name and what both sides said before.
    init(protocolName: String, prologue: [UInt8]) {
        let name = Array(protocolName.utf8)
        hash =
            name.count <= SHA256.byteCount
            ? name + [UInt8](repeating: 0, count: SHA256.byteCount - name.count)
            : Array(SHA256.hash(data: name))
        chainingKey = SymmetricKey(data: hash)
        mixHash(prologue)
    }

    /// Adds bytes to what was said.
    mutating func mixHash(_ bytes: [UInt8]) {
        hash = Array(SHA256.hash(data: hash + bytes))
    }

    /// Adds a secret, or bytes that count as one.
    mutating func mixKey(_ material: SymmetricKey) {
        let keys = derive(2, from: material)
        chainingKey = keys[0]
        key = keys[1]
        counter = 0
    }

    /// Adds a pre-shared key.
    mutating func mixKeyAndHash(_ material: SymmetricKey) {
        let keys = derive(3, from: material)
        chainingKey = keys[0]
        mixHash(keys[1].withUnsafeBytes { Array($0) })
        key = keys[2]
        counter = 0
    }

    /// Seals a part of a message, or passes it on while there is no key, and adds it to the hash.
    mutating func encryptAndHash(_ plaintext: [UInt8]) -> [UInt8] {
        var ciphertext = plaintext
        if let key {
            ciphertext = plaintext.withUnsafeBytes { plaintext in
                hash.withUnsafeBytes {
                    ChaChaPolyCipher.seal(plaintext, key: key, counter: counter, authenticating: $0)
                }
            }
            counter += 1
        }
        mixHash(ciphertext)
        return ciphertext
    }

    /// Opens a part of a message, or passes it on while there is no key; `nil` if it was changed.
    mutating func decryptAndHash(_ ciphertext: [UInt8]) -> [UInt8]? {
        var plaintext = ciphertext
        if let key {
            let opened = ciphertext.withUnsafeBytes { ciphertext in
                hash.withUnsafeBytes {
                    ChaChaPolyCipher.open(
                        ciphertext,
                        key: key,
                        counter: counter,
                        authenticating: $0
                    )
                }
            }
            guard let opened else { return nil }
            plaintext = opened
            counter += 1
        }
        mixHash(ciphertext)
        return plaintext
    }

    /// How many bytes sealing adds to the next part.
    var tagByteCount: Int { key == nil ? 0 : ChaChaPolyCipher.tagByteCount }

    /// The keys of the two directions: what the initiator sends, and what it receives.
    func split() -> (initiatorSends: SymmetricKey, responderSends: SymmetricKey) {
        let keys = derive(2, from: SymmetricKey(data: [UInt8]()))
        return (keys[0], keys[1])
    }

    /// Noise's HKDF (section 4.3), which is HKDF (RFC 5869) without info.
    private func derive(_ count: Int, from material: SymmetricKey) -> [SymmetricKey] {
        let extracted = HKDF<SHA256>.extract(
            inputKeyMaterial: material,
            salt: chainingKey.withUnsafeBytes { Array($0) }
        )
        let block = HKDF<SHA256>.expand(
            pseudoRandomKey: extracted,
            info: [UInt8](),
            outputByteCount: 32 * count
        )
        return block.withUnsafeBytes { bytes in
            (0..<count).map { SymmetricKey(data: bytes[$0 * 32..<$0 * 32 + 32]) }
        }
    }
}
