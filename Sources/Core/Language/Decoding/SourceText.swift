/// A file's text, cut into lines as YAML cuts them.
struct SourceText: Sendable {
    /// The file as the caller named it.
    let file: String
    /// The text without a byte-order mark.
    let scalars: [Unicode.Scalar]
    /// Where each line begins, and where it ends before its break.
    private let ranges: [Range<Int>]

    /// Cuts `text` into lines.
    init(_ text: String, file: String) {
        self.file = file
        var scalars = Array(text.unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        var ranges: [Range<Int>] = []
        var start = 0
        var index = 0
        while index < scalars.count {
            guard Self.isBreak(scalars[index]) else {
                index += 1
                continue
            }
            ranges.append(start..<index)
            let isPair = scalars[index] == "\r" && index + 1 < scalars.count
            index += isPair && scalars[index + 1] == "\n" ? 2 : 1
            start = index
        }
        ranges.append(start..<scalars.count)
        self.scalars = scalars
        self.ranges = ranges
    }

    /// How many lines there are, an empty one after the last break included.
    var lineCount: Int { ranges.count }

    /// The line with that number, from 1, without its break.
    func line(_ number: Int) -> String? {
        guard ranges.indices.contains(number - 1) else { return nil }
        return Self.string(scalars[ranges[number - 1]])
    }

    /// Where in `scalars` a line and column, both from 1, are found.
    func offset(line: Int, column: Int) -> Int? {
        guard ranges.indices.contains(line - 1), column >= 1 else { return nil }
        let offset = ranges[line - 1].lowerBound + column - 1
        return offset <= scalars.count ? offset : nil
    }

    /// The line and column, both from 1, of a place in `scalars`.
    func location(at offset: Int) -> SourceLocation {
        var low = 0
        var high = ranges.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if ranges[middle].lowerBound <= offset { low = middle } else { high = middle - 1 }
        }
        let column = offset - ranges[low].lowerBound + 1
        return SourceLocation(file: file, line: low + 1, column: column)
    }

    /// A location that lies inside the text, even where the scanner gave up behind its end.
    func clamped(line: Int, column: Int) -> SourceLocation {
        guard line >= 1, line <= lineCount else {
            let last = ranges.lastIndex { !$0.isEmpty } ?? 0
            return SourceLocation(file: file, line: last + 1, column: ranges[last].count + 1)
        }
        let column = min(max(1, column), ranges[line - 1].count + 1)
        return SourceLocation(file: file, line: line, column: column)
    }

    /// The breaks of YAML 1.1, which the scanner follows.
    static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }

    /// Puts scalars together again.
    static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}
