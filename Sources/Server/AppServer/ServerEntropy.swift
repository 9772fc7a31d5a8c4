import Crypto
import SansIO
import TextFormats

/// A source of bytes that nobody can guess who does not know its seed: HMAC-SHA-256 of a counter, or of
/// who asks and when.
struct ServerEntropy: Sendable {
    private let seed: [UInt8]
    private var count: UInt64 = 0
    /// How many names were given at that instant, by asker.
    private var latest = (instant: WallTime(nanosecondsSince1970: 0), given: [String: UInt64]())

    init(seed: [UInt8]) {
        precondition(!seed.isEmpty, "a source of chance needs a seed")
        self.seed = seed
    }

    /// A name of 22 characters that carries 128 bits.
    mutating func name() -> String {
        defer { count += 1 }
        return name(of: Self.bytes(count))
    }

    /// A name like that, which nobody else's asking changes.
    mutating func name(for asker: String, at now: WallTime) -> String {
        if latest.instant != now { latest = (now, [:]) }
        let number = latest.given[asker, default: 0]
        latest.given[asker] = number + 1
        let time = UInt64(bitPattern: now.nanosecondsSince1970)
        return name(of: Self.bytes(time) + Self.bytes(number) + Array(asker.utf8))
    }

    private func name(of message: [UInt8]) -> String {
        let key = SymmetricKey(data: seed)
        let block = HMAC<SHA256>.authenticationCode(for: message, using: key)
        return Base64URL.encode(Array(Array(block).prefix(16)))
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
