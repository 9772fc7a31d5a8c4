import Crypto

/// Randomness as a value: 256 unpredictable bits, from which keys are drawn.
///
/// A device gets it from `system()`; outside this package there is no other way to make one, so an
/// app cannot run on known keys by accident. Draws follow fast key erasure (Bernstein 2017): each
/// draw replaces the value's key, so a value captured later does not give away what was drawn.
///
/// A copy draws the same bytes again: a value belongs to one owner.
public struct Entropy: Sendable, Equatable, CustomStringConvertible {
    private var key: SymmetricKey

    private init(key: SymmetricKey) {
        self.key = key
    }

    /// Fresh randomness of the operating system.
    public static func system() -> Entropy {
        Entropy(key: SymmetricKey(size: .bits256))
    }

    /// Randomness that anyone can repeat who knows the seed: for simulations and tests.
    ///
    /// - Parameters:
    ///   - seed: Chooses the sequence.
    ///   - label: Tells apart the values of one seed.
    package init(seed: UInt64, label: String) {
        var hash = SHA256()
        hash.update(data: Array("kodama seeded entropy".utf8))
        hash.update(data: seed.bigEndianBytes)
        hash.update(data: Array(label.utf8))
        key = SymmetricKey(data: hash.finalize())
    }

    /// The next 256 bits.
    mutating func draw() -> SymmetricKey {
        let block = HKDF<SHA256>.expand(
            pseudoRandomKey: key,
            info: Array("kodama entropy draw".utf8),
            outputByteCount: 64
        )
        return block.withUnsafeBytes { bytes in
            key = SymmetricKey(data: bytes[..<32])
            return SymmetricKey(data: bytes[32...])
        }
    }

    /// Randomness for another purpose of the same owner: neither's draws say anything of the other's.
    public func separated(for purpose: String) -> Entropy {
        let block = HKDF<SHA256>.expand(
            pseudoRandomKey: key,
            info: Array("kodama entropy for \(purpose)".utf8),
            outputByteCount: 32
        )
        return Entropy(key: block)
    }

    /// Randomness for another owner, of which this one knows nothing afterwards.
    public mutating func fork() -> Entropy { Entropy(key: draw()) }

    /// Says what this is and keeps the secret.
    public var description: String { "Entropy(secret)" }
}

extension FixedWidthInteger {
    /// The number's bytes, the most significant first.
    var bigEndianBytes: [UInt8] {
        (0..<Self.bitWidth / 8).map { place in
            UInt8(truncatingIfNeeded: self >> (Self.bitWidth - 8 - 8 * place))
        }
    }

    /// Reads a number from its bytes, the most significant first.
    init(bigEndianBytes bytes: some Sequence<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | Self($1) }
    }
}
