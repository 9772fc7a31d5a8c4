import KodamaEvidence

/// The set of the latest capture indices of one stream: 8,192 bits, whatever the run's length.
///
/// Exact for the 8,128 indices up to the greatest one ever inserted; what is older is forgotten.
struct IndexWindow {
    /// What an insertion met.
    enum Insertion {
        /// The index was not in the set.
        case new
        /// The index was in the set already.
        case duplicate
        /// The index is too old to tell.
        case stale
    }

    /// The greatest index inserted so far, or −1.
    private(set) var latest: Int64 = -1
    private var words: [UInt64] = Array(repeating: 0, count: wordCount)

    private static var wordCount: Int { 128 }

    /// Whether `index` is in the set.
    func contains(_ index: Int64) -> Bool {
        guard holds(index) else { return false }
        return words[word(index)] & bit(index) != 0
    }

    /// Puts `index` into the set.
    mutating func insert(_ index: Int64) -> Insertion {
        if index > latest {
            let steps = min(index >> 6 - latest >> 6, Int64(Self.wordCount))
            for step in 0..<steps {
                words[word(index - step << 6)] = 0
            }
            latest = index
        }
        guard holds(index) else { return .stale }
        guard words[word(index)] & bit(index) == 0 else { return .duplicate }
        words[word(index)] |= bit(index)
        return .new
    }

    private func holds(_ index: Int64) -> Bool {
        index >= 0 && index <= latest && latest >> 6 - index >> 6 < Int64(Self.wordCount)
    }

    private func word(_ index: Int64) -> Int {
        Int(index >> 6) & (Self.wordCount - 1)
    }

    private func bit(_ index: Int64) -> UInt64 {
        1 << UInt64(index & 63)
    }
}
