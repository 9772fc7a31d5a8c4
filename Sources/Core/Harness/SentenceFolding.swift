import KodamaEvidence
import KodamaLanguage
import SansIO

/// Sentences with runs of like ones folded: the first of a run as it is, then how often it comes again.
///
/// Sentences are alike if they are about the same component and differ in numbers alone. Up to
/// `lengthMax` of them that come again in the same order, three times or more, are a run. The one that tells of the
/// longest time is told too: the worst second may not lie in what is folded.
struct SentenceFolding {
    /// A sentence, or the rest of a run of which the first sentences stand before it.
    enum Line: Equatable {
        case sentence(Sentence)
        /// How often they come again, how many they are, the last of them, and the one with the longest time
        /// if neither it nor what stands before them is as long.
        case more(Int, of: Int, last: Sentence, longest: Sentence? = nil)

        /// When it happened; of a run when the last of it did.
        var at: Instant { sentence.at }
        /// To whom.
        var component: String? { sentence.component }
        /// What is said.
        var words: String {
            guard case .more(let count, let length, let last, let longest) = self else {
                return sentence.line
            }
            let what = length == 1 ? "the same" : "these \(length) lines"
            let worst = longest.map { " the longest at \(Explanation.seconds($0.at)): \($0.line)" }
            let again = "… \(what) \(counted(count, "more time")),"
            return "\(again)\(worst ?? "") \(worst == nil ? "the" : "The") last: \(last.line)"
        }

        private var sentence: Sentence {
            switch self {
            case .sentence(let sentence), .more(_, of: _, last: let sentence, longest: _): sentence
            }
        }
    }

    /// The lines, in the order of time.
    let lines: [Line]

    /// More sentences between two like ones are a story of their own.
    private static let lengthMax = 6
    /// Two like sentences are read as fast as a line that folds them.
    private static let countMin = 3

    /// Folds sentences.
    init(_ sentences: [Sentence]) {
        let keys = sentences.map(Self.key)
        var lines: [Line] = []
        var next = 0
        while next < sentences.count {
            let runs = (1...Self.lengthMax).map { (length: $0, count: Self.count(keys, next, $0)) }
            // The longest run; of equals the one of the shortest part.
            let best = runs.filter { $0.count >= Self.countMin }.max { one, other in
                (one.length * one.count, -one.length) < (other.length * other.count, -other.length)
            }
            guard let best else {
                lines.append(.sentence(sentences[next]))
                next += 1
                continue
            }
            lines += sentences[next..<next + best.length].map { .sentence($0) }
            let folded = sentences[next + best.length..<next + best.length * best.count]
            let shown = sentences[next..<next + best.length] + folded.suffix(1)
            next += best.length * best.count
            lines.append(
                .more(
                    best.count - 1,
                    of: best.length,
                    last: sentences[next - 1],
                    longest: Self.longest(of: folded, beyond: shown)
                )
            )
        }
        self.lines = lines
    }

    /// The first of the sentences with the longest time, if it is longer than any that others tell of.
    private static func longest(
        of sentences: ArraySlice<Sentence>,
        beyond others: ArraySlice<Sentence>
    ) -> Sentence? {
        let shown = others.map(time).max() ?? 0
        let found = sentences.max { time($0) < time($1) }
        guard let found, time(found) > shown else { return nil }
        return sentences.first { time($0) == time(found) }
    }

    /// The longest time that a sentence tells of, in nanoseconds; 0 if it tells of none.
    private static func time(_ sentence: Sentence) -> Int64 {
        let words = sentence.line.split(separator: " ")
        return zip(words, words.dropFirst()).compactMap { number, unit in
            let digits = number.filter { $0 != "," && $0 != "(" }
            return QuantityKind.duration.amount(of: digits + unit.filter(\.isLetter))
        }.max() ?? 0
    }

    /// What like sentences share: whom it befalls, and the words without their numbers.
    private static func key(_ sentence: Sentence) -> String {
        let words = [sentence.cause?.text, sentence.text].map { text in
            (text ?? "").split(separator: " ").map { word in
                word.contains(where: \.isNumber) ? "#" : String(word)
            }.joined(separator: " ")
        }
        return ([sentence.component ?? ""] + words).joined(separator: "\n")
    }

    /// How often so many keys come one after the other from an index on.
    private static func count(_ keys: [String], _ start: Int, _ length: Int) -> Int {
        guard start + length <= keys.count else { return 0 }
        let part = keys[start..<start + length]
        var count = 1
        while start + (count + 1) * length <= keys.count,
            keys[start + count * length..<start + (count + 1) * length].elementsEqual(part)
        {
            count += 1
        }
        return count
    }
}
