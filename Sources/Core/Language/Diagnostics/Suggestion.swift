/// Finds what was probably meant.
package enum Suggestion {
    /// The candidate nearest to `word`, if one is near enough to be a slip of the keyboard.
    ///
    /// Ties go to the first candidate. Two edits are allowed, one for words of up to three letters. Else
    /// the only candidate will do that begins with the word and a hyphen, or else with the word and
    /// a dot; of several the only one of the fewest words.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        if let meant = meanings[word.lowercased()]?.first(where: candidates.contains) {
            return meant
        }
        let limit = word.unicodeScalars.count <= 3 ? 1 : 2
        var best: (distance: Int, candidate: String)?
        for candidate in candidates where candidate != word {
            let distance = editDistance(word.lowercased(), candidate.lowercased())
            guard distance <= limit, distance < best?.distance ?? .max else { continue }
            best = (distance, candidate)
        }
        if let best { return best.candidate }
        return continuation(of: word, by: "-", among: candidates)
            ?? continuation(of: word, by: ".", among: candidates)
    }

    /// Everyday words for what the language calls otherwise.
    private static let meanings = [
        "tunnel": ["outage", "dead-zone"], "offline": ["outage"], "airplane": ["radio"],
        "hangup": ["hang-up", "end-call"], "lte": ["cellular", "lte-good"],
        "4g": ["cellular", "lte-good"], "5g": ["cellular", "lte-good"],
        "wlan": ["wifi", "wifi-home"],
        "wifi": ["wifi-home"], "crash": ["end-process"], "kill": ["end-process", "kill-app"],
    ]

    /// What goes on with a word most shortly, if one candidate does.
    private static func continuation(
        of word: String,
        by separator: Character,
        among candidates: [String]
    ) -> String? {
        let longer = candidates.filter { $0.hasPrefix("\(word.lowercased())\(separator)") }
        func wordCount(_ name: String) -> Int { name.count { $0 == separator } }
        let least = longer.map(wordCount).min()
        let shortest = longer.filter { wordCount($0) == least }
        return shortest.count == 1 ? shortest[0] : nil
    }

    /// The least number of insertions, deletions, replacements and swaps of neighbours.
    ///
    /// - Complexity: O(*m* × *n*) in the words' lengths.
    static func editDistance(_ left: String, _ right: String) -> Int {
        let rows = Array(left.unicodeScalars)
        let columns = Array(right.unicodeScalars)
        guard !rows.isEmpty, !columns.isEmpty else { return max(rows.count, columns.count) }
        var beforeLast: [Int] = []
        var last = Array(0...columns.count)
        for row in rows.indices {
            var current = [row + 1]
            for column in columns.indices {
                let change = rows[row] == columns[column] ? 0 : 1
                var least = min(
                    last[column] + change,
                    last[column + 1] + 1,
                    current[column] + 1
                )
                if row > 0, column > 0, rows[row] == columns[column - 1],
                    rows[row - 1] == columns[column]
                {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                current.append(least)
            }
            beforeLast = last
            last = current
        }
        return last[columns.count]
    }
}
