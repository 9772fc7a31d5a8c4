import Foundation

/// Colour on a terminal: it stresses words that are there anyway, and says nothing of its own.
enum Paint {
    /// Whether a stream wants colour.
    ///
    /// `NO_COLOR` wins over everything, `CLICOLOR_FORCE` over what the stream is, and `CLICOLOR=0` or a dumb
    /// terminal turn it off (no-color.org, bixense.com/clicolors).
    static func isWanted(on stream: Int32) -> Bool {
        let environment = ProcessInfo.processInfo.environment
        if !(environment["NO_COLOR"] ?? "").isEmpty { return false }
        if !["", "0"].contains(environment["CLICOLOR_FORCE"] ?? "") { return true }
        return isatty(stream) == 1 && environment["TERM"] != "dumb"
            && environment["CLICOLOR"] != "0"
    }

    /// The text with its verdicts, kinds of messages and carets in colour.
    static func painted(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(line)
            .joined(separator: "\n")
    }

    /// The colours of ECMA-48, bold ones where a word must be found in a page of others.
    private enum Colour: String {
        case red = "1;31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    /// Words that begin a line, behind its indentation, and what stands behind them.
    private static let verdicts: [(word: String, colour: Colour)] = [
        ("pass", .green), ("fail", .red), ("warn", .yellow), ("no data", .red),
        ("undecided", .yellow), ("UNDECIDED", .yellow), ("PASS", .green),
        ("FAIL", .red), ("no failure", .green), ("NO FAILURE", .green), ("EQUAL", .green),
        ("NO REGRESSION", .green), ("REGRESSION", .red),
        ("INTERRUPTED", .yellow),
        ("regression", .red), ("better", .green), ("error", .red), ("warning", .yellow),
        ("note", .cyan),
    ]

    /// Kinds of messages behind a place.
    private static let kinds: [(word: String, colour: Colour)] = [
        (": error: ", .red), (": warning: ", .yellow), (": note: ", .cyan),
    ]

    private static func line(_ line: Substring) -> String {
        let indentation = line.prefix { $0 == " " }
        let rest = line[indentation.endIndex...]
        for (word, colour) in verdicts where rest.hasPrefix(word) {
            let tail = rest.dropFirst(word.count)
            guard [":", "  ", " ("].contains(where: tail.hasPrefix) else { continue }
            return indentation + coloured(word, colour) + tail
        }
        for (word, colour) in kinds {
            guard let range = line.firstRange(of: word) else { continue }
            return line[..<range.lowerBound] + ": "
                + coloured(word.dropFirst(2).dropLast(2), colour)
                + ": " + line[range.upperBound...]
        }
        if rest.first == "^", rest.dropFirst().allSatisfy({ $0 == "~" }) {
            return indentation + coloured(rest, .green)
        }
        return String(line)
    }

    private static func coloured(_ text: some StringProtocol, _ colour: Colour) -> String {
        "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
    }
}
