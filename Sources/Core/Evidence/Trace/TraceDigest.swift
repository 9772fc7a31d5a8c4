import SansIO

/// A fingerprint of a run: 64 bits per component, and 64 bits over all of them.
///
/// Each component's digest folds its own records only: the instant, the kind's and the subject's
/// names, and the values. Indices never enter, so one more component leaves all other components'
/// digests as they were. For a given state each step is a bijection of every single word of the
/// record, and for a given record a bijection of the state: two traces that differ in one value of
/// one record never share a digest, and two that differ in more do so once in 2^64.
public struct TraceDigest: TraceSink, Sendable {
    private var directory = TraceDirectory(names: [], systems: .core)
    private var kindHashes = KindTable<UInt64>()
    /// One per component, and a last one for records about no component.
    private var nameHashes: [UInt64] = []
    private var states: [UInt64] = []

    /// Makes the digest of a run that has not begun.
    public init() {}

    /// Starts every component's digest from its name.
    public mutating func begin(_ directory: TraceDirectory) {
        self.directory = directory
        kindHashes = directory.systems.kindHashes
        nameHashes = directory.names.map(NameHash.of)
        nameHashes.append(NameHash.of("-"))
        states = nameHashes
    }

    /// Folds one record into its component's digest.
    public mutating func record(_ record: TraceRecord) {
        let last = states.count &- 1
        let component = min(Int(record.component.index), last)
        let subject = min(Int(record.subject.index), last)
        // Odd multipliers make each product a bijection of its word; they are the first bits of the
        // fractions of √2, √3, √5, √7, √11 and √13, made odd. The products run side by side.
        let values = record.values
        var word = UInt64(bitPattern: record.instant.nanoseconds) &* 0x6A09_E667_F3BC_C909
        word &+= UInt64(bitPattern: values[0]) &* 0xBB67_AE85_84CA_A73B
        word &+= UInt64(bitPattern: values[1]) &* 0x3C6E_F372_FE94_F82B
        word &+= UInt64(bitPattern: values[2]) &* 0xA54F_F53A_5F1D_36F1
        word &+= UInt64(bitPattern: values[3]) &* 0x510E_527F_ADE6_82D1
        word &+= nameHashes[subject] &* 0x9B05_688C_2B3E_6C1F
        word &+= kindHashes[record.kind]
        states[component] = Self.step(states[component], word)
    }

    /// The digest of the component called `name`, or `nil` if there is none.
    ///
    /// A component without records has one, too.
    public func digest(of name: String) -> Digest64? {
        guard let index = directory.names.firstIndex(of: name) else { return nil }
        return Digest64(bits: states[index])
    }

    /// The components' digests, sorted by the bytes of their names.
    public var components: [(name: String, digest: Digest64)] {
        zip(directory.names, states)
            .map { (name: $0, digest: Digest64(bits: $1)) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The digest of the whole run: over the components' digests, sorted by name, and over the
    /// records about no component.
    public var run: Digest64 {
        var state = NameHash.of("run")
        for (name, digest) in components {
            state = Self.step(state, NameHash.of(name))
            state = Self.step(state, digest.bits)
        }
        return Digest64(bits: Self.step(state, states.last ?? 0))
    }

    /// A bijection of the state for each word, and of the word for each state.
    fileprivate static func step(_ state: UInt64, _ word: UInt64) -> UInt64 {
        let mixed = ((state << 23 | state >> 41) ^ word) &* 0x9E37_79B9_7F4A_7C15
        return mixed ^ (mixed >> 32)
    }
}

/// A 64-bit digest, written as 16 hexadecimal digits.
@frozen
public struct Digest64: Sendable, Hashable, CustomStringConvertible {
    /// The bits.
    public var bits: UInt64

    /// Makes a digest of its bits.
    public init(bits: UInt64) {
        self.bits = bits
    }

    /// Reads 16 hexadecimal digits; `nil` for anything else.
    public init?(_ text: String) {
        guard text.utf8.count == 16, text.utf8.allSatisfy(\.isHexadecimalDigit),
            let bits = UInt64(text, radix: 16)
        else { return nil }
        self.bits = bits
    }

    /// This digest with another one folded in; the order matters.
    public func folding(_ other: Digest64) -> Digest64 {
        Digest64(bits: TraceDigest.step(bits, other.bits))
    }

    /// The 16 lower-case hexadecimal digits.
    public var description: String {
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default:
            false
        }
    }
}
