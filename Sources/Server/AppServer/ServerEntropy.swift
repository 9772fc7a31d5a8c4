import Crypto
import TextFormats

/// A source of bytes that nobody can guess who does not know its seed: HMAC-SHA-256 of a counter.
struct ServerEntropy: Sendable {
    private let seed: [UInt8]
    private var count: UInt64 = 0

    init(seed: [UInt8]) {
        precondition(!seed.isEmpty, "a source of chance needs a seed")
        self.seed = seed
    }

    /// A name of 22 characters that carries 128 bits.
    mutating func name() -> String {
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
        count += 1
        let block = HMAC<SHA256>.authenticationCode(
            for: counter,
            using: SymmetricKey(data: seed)
        )
        return Base64URL.encode(Array(Array(block).prefix(16)))
    }
}
