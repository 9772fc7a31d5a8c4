import Crypto

/// ChaCha20-Poly1305 (RFC 8439) with nonces from a counter, as Noise uses it (revision 34, section
/// 12.3): 32 bits that name the stream, then the counter in 64 bits, the least significant first.
///
/// Noise has zeros in the place of the stream; stream 0 is therefore Noise's own cipher.
enum ChaChaPolyCipher {
    /// The bytes that sealing adds.
    static let tagByteCount = 16
    private static let nonceByteCount = 12

    /// Seals a message.
    ///
    /// - Returns: The ciphertext and behind it the tag.
    static func seal(
        _ plaintext: UnsafeRawBufferPointer,
        key: SymmetricKey,
        stream: UInt32 = 0,
        counter: UInt64,
        authenticating header: UnsafeRawBufferPointer
    ) -> [UInt8] {
        guard
            let box = try? ChaChaPoly.seal(
                plaintext,
                using: key,
                nonce: nonce(stream, counter),
                authenticating: header
            )
        else { preconditionFailure("ChaCha20-Poly1305 seals every message") }
        return Array(box.combined.dropFirst(nonceByteCount))
    }

    /// Opens what was sealed; `nil` if a bit of it, the header, the nonce or the key differs.
    static func open(
        _ sealed: UnsafeRawBufferPointer,
        key: SymmetricKey,
        stream: UInt32 = 0,
        counter: UInt64,
        authenticating header: UnsafeRawBufferPointer
    ) -> [UInt8]? {
        guard sealed.count >= tagByteCount else { return nil }
        let count = nonceByteCount + sealed.count
        let box = withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { combined in
            withNonce(stream, counter) { combined.copyMemory(from: $0) }
            UnsafeMutableRawBufferPointer(rebasing: combined[nonceByteCount...])
                .copyMemory(from: sealed)
            return try? ChaChaPoly.SealedBox(combined: UnsafeRawBufferPointer(combined))
        }
        guard let box, let plaintext = try? ChaChaPoly.open(box, using: key, authenticating: header)
        else { return nil }
        return Array(plaintext)
    }

    /// The key that follows a key: Noise's REKEY (revision 34, section 4.2).
    ///
    /// Its nonce, the greatest counter of stream 0, seals nothing else.
    static func rekeyed(_ key: SymmetricKey) -> SymmetricKey {
        let zeros = [UInt8](repeating: 0, count: 32)
        let sealed = zeros.withUnsafeBytes { plaintext in
            seal(plaintext, key: key, counter: .max, authenticating: .empty)
        }
        return SymmetricKey(data: sealed[..<32])
    }

    private static func nonce(_ stream: UInt32, _ counter: UInt64) -> ChaChaPoly.Nonce {
        guard let nonce = withNonce(stream, counter, { try? ChaChaPoly.Nonce(data: $0) }) else {
            preconditionFailure("a nonce has \(nonceByteCount) bytes")
        }
        return nonce
    }

    private static func withNonce<Result>(
        _ stream: UInt32,
        _ counter: UInt64,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let words = (
            stream.bigEndian,
            UInt32(truncatingIfNeeded: counter).littleEndian,
            UInt32(truncatingIfNeeded: counter >> 32).littleEndian
        )
        return withUnsafeBytes(of: words, body)
    }
}

extension UnsafeRawBufferPointer {
    /// No bytes.
    static var empty: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}
