import KodamaEvidence
import KodamaLanguage

/// The report as Markdown, for pull requests and step summaries: the verdict, what is wrong, then a row
/// per scenario.
public struct MarkdownReport {
    private let report: RunReport

    /// A comment on GitHub holds 65,536 characters; a longer one is refused whole.
    public static let byteCountMax = 64_000

    /// Renders a report.
    public init(_ report: RunReport) {
        self.report = report
    }

    /// The text; what does not fit is left out, and said to be.
    public var text: String {
        var text = MarkdownText(byteCountMax: Self.byteCountMax)
        text.add("## Kodama: \(MarkdownText.escaped(report.verdictLine))\n\n")
        text.add("\(MarkdownText.escaped(report.material))\n")
        let titled = Array(zip(report.scenarios, report.titles))
        text.list(Self.worstFirst(titled), rest: "more scenarios with something to say") {
            section(on: $0.0, titled: $0.1)
        }
        text.add("\n| | scenario | gates | runs | digest |\n|---|---|---|---:|---|\n")
        text.list(titled, rest: "more scenarios") { scenario, title in
            let gates = scenario.points.flatMap(\.gates)
            let kept = gates.filter(\.isGreen).count
            return "| \(scenario.ending.mark(of: report.tier)) | \(MarkdownText.escaped(title)) | "
                + "\(kept) of \(gates.count) kept | \(scenario.runCount) | "
                + "\(MarkdownText.code(scenario.digest)) |\n"
        }
        return text.text
    }

    /// The scenarios of which there is something to say: what fails, what is undecided, the rest.
    ///
    /// The last ones may find no room.
    private static func worstFirst(
        _ titled: [(ScenarioReport, String)]
    ) -> [(ScenarioReport, String)] {
        let told = titled.filter { !$0.0.misses.isEmpty || !$0.0.ending.isGreen }
        return told.filter { $0.0.ending.isFailure } + told.filter { $0.0.ending == .undecided }
            + told.filter { $0.0.ending.isGreen }
    }

    private func section(on scenario: ScenarioReport, titled title: String) -> String {
        var text =
            "\n### \(scenario.ending.mark(of: report.tier)): \(MarkdownText.escaped(title))\n\n"
        text += "\(MarkdownText.escaped(scenario.headline))\n"
        if let settings = scenario.settingsLine {
            text += "with \(MarkdownText.escaped(settings))\n"
        }
        for remark in scenario.endingRemarks {
            text += "\n> \(MarkdownText.escaped(remark.trimmingPrefix("  ")))\n"
        }
        let misses = scenario.misses
        guard !misses.isEmpty else { return text }
        text += "\n| verdict | what | |\n|---|---|---|\n"
        for miss in misses {
            let words = ([miss.sentence] + miss.remarks).map { MarkdownText.escaped($0) }
                .joined(separator: "<br>")
            text += "| \(miss.verdict.word) | \(MarkdownText.code(miss.name)) | \(words) |\n"
        }
        let commands = misses.compactMap { report.replay($0, of: scenario) }.distinct
        guard !commands.isEmpty else { return text }
        return text + MarkdownText.console(commands)
    }
}

extension ScenarioEnding {
    /// The ending as a line of the console begins: a quick run passes nothing.
    func word(of tier: RunReport.Tier?) -> String {
        switch self {
        case .passed, .failedAsExpected: tier == .quick ? "no failure" : "pass"
        case .undecided: "undecided"
        case .failed, .passedUnexpectedly: "fail"
        }
    }

    /// The ending in a word, with a sign that needs no colour.
    func mark(of tier: RunReport.Tier?) -> String {
        switch self {
        case .passed: tier == .quick ? "✓ no failure" : "✓ pass"
        case .failed: "✗ fail"
        case .undecided: "? undecided"
        case .failedAsExpected: "✓ fails as documented"
        case .passedUnexpectedly: "✗ passes against its documentation"
        }
    }

    /// How pages colour it.
    var style: String { isGreen ? "pass" : self == .undecided ? "undecided" : "fail" }
}

/// Markdown that grows up to a number of bytes.
struct MarkdownText {
    private(set) var text = ""
    private var room: Int
    /// Kept free for saying what was left out.
    private static let reserve = 200

    /// Begins an empty text.
    init(byteCountMax: Int) {
        room = byteCountMax - Self.reserve
    }

    /// Adds a piece; nothing if there is no room for it.
    ///
    /// - Returns: Whether there was room.
    @discardableResult
    mutating func add(_ piece: String) -> Bool {
        guard piece.utf8.count <= room else { return false }
        room -= piece.utf8.count
        text += piece
        return true
    }

    /// Adds a piece for each element until there is no room, then a line that says how many are left.
    mutating func list<Element>(
        _ elements: [Element],
        rest noun: String,
        piece: (Element) -> String
    ) {
        for (index, element) in elements.enumerated() where !add(piece(element)) {
            let line = "\n\(elements.count - index) \(noun): see the other renderings.\n"
            text += line
            room = 0
            return
        }
    }

    /// A name as code, within a cell of a table too.
    static func code(_ name: String) -> String {
        let plain = name.replacingScalars { scalar in
            switch scalar {
            case "`", "\u{0}"..<" ": " "
            case "|": "\\|"
            default: nil
            }
        }
        return "`\(turnless(plain))`"
    }

    /// Text of which nothing turns the direction of what stands behind it.
    private static func turnless(_ text: String) -> String {
        text.replacingScalars { ShownText.turnsText($0) ? "\u{FFFD}" : nil }
    }

    /// Commands as a block of code, whose fence is longer than any in it (CommonMark 0.31.2, 4.5).
    static func console(_ commands: [String]) -> String {
        let text = commands.map { "$ \(turnless($0))\n" }.joined()
        let longest = text.utf8.split { $0 != UInt8(ascii: "`") }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return "\n\(fence)console\n\(text)\(fence)\n"
    }

    /// Keeps apart what GitHub takes for a mention, a link or an issue even where it is escaped (GitHub
    /// Flavored Markdown 0.29, 6.9): a comment that nobody sees.
    private static let seam = "<!-- -->"

    /// Text that Markdown and HTML leave as it is, within a cell of a table too.
    static func escaped(_ words: some StringProtocol) -> String {
        var last: Unicode.Scalar?
        return words.unicodeScalars.reduce(into: "") { text, scalar in
            switch (last, scalar) {
            case (":", "/"), ("#", "0"..."9"), ("@", _): text += seam
            case ("w", ".") where text.utf8.suffix(3).elementsEqual("www".utf8): text += seam
            default: break
            }
            last = scalar
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "|", "*", "_", "`", "[", "]", "\\", "#", "~", "$": text += "\\\(scalar)"
            case "\u{0}"..<" ", "\u{2028}", "\u{2029}": text += " "
            case _ where ShownText.turnsText(scalar): text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
