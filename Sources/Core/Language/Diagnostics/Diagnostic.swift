/// One mistake in a scenario, in words, with its place.
public struct Diagnostic: Sendable, Hashable, Codable {
    /// How bad it is.
    public var severity: Severity
    /// A short stable name of the kind of mistake, such as `unknown-key`.
    public var code: String
    /// Where it is.
    public var location: SourceLocation
    /// How many Unicode scalars of the line it covers; at least 1.
    public var length: Int
    /// What is wrong, in one clause.
    public var message: String
    /// What may help, most helpful first.
    public var notes: [Note]
    /// The line it stands on, if the line is known.
    public var sourceLine: String?

    /// How bad a mistake is.
    public enum Severity: String, Sendable, Hashable, Codable {
        /// The scenario cannot be run.
        case error
        /// The scenario can be run, but hardly says what was meant.
        case warning
    }

    /// A remark on a diagnostic.
    public struct Note: Sendable, Hashable, Codable {
        /// The remark.
        public var message: String
        /// The other place that it speaks of, if any.
        public var location: SourceLocation?

        /// Makes a remark.
        public init(_ message: String, at location: SourceLocation? = nil) {
            self.message = message
            self.location = location
        }
    }
}

extension Diagnostic: CustomStringConvertible {
    /// The diagnostic as compilers print it: message, source line, caret, notes.
    public var description: String {
        var lines = ["\(location): \(severity.rawValue): \(ShownText.cut(message))"]
        if let sourceLine { lines += shown(sourceLine) }
        for note in notes {
            let place = note.location.map { "\($0): " } ?? ""
            lines.append("\(place)note: \(ShownText.cut(note.message))")
        }
        return lines.map(ShownText.escaped).joined(separator: "\n")
    }

    /// The line and one that points at the place, of a long line what stands around it; tabs are kept so
    /// that both line up.
    private func shown(_ source: String) -> [String] {
        let scalars = Array(source.unicodeScalars)
        let column = min(location.column - 1, scalars.count)
        let isLong = scalars.count > Self.lineCountMax
        let first = isLong ? max(0, min(column - 60, scalars.count - Self.lineCountMax)) : 0
        let end = isLong ? first + Self.lineCountMax : scalars.count
        let lead = first > 0 ? "…" : ""
        let pad = scalars[first..<max(first, column)].map { $0 == "\t" ? "\t" : " " }.joined()
        let rest = max(1, end - column)
        let tail = String(repeating: "~", count: max(0, min(length, rest) - 1))
        return [
            lead + SourceText.string(scalars[first..<end]) + (end < scalars.count ? "…" : ""),
            (lead.isEmpty ? "" : " ") + pad + "^" + tail,
        ]
    }

    /// How many Unicode scalars of a line are shown.
    private static let lineCountMax = 160
}

/// A scenario that cannot be run, with everything that is wrong in it.
public struct InvalidScenario: Error, Sendable, Equatable, CustomStringConvertible {
    /// How many diagnostics are printed at most.
    public static let printedMax = 20

    /// All diagnostics, errors and warnings, sorted by position.
    public var diagnostics: [Diagnostic]

    /// Makes the error.
    public init(diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics
    }

    /// The first twenty diagnostics, and how many more there are.
    public var description: String {
        var blocks = diagnostics.prefix(Self.printedMax).map(\.description)
        if diagnostics.count > Self.printedMax {
            blocks.append("… and \(diagnostics.count - Self.printedMax) more")
        }
        return blocks.joined(separator: "\n")
    }
}
