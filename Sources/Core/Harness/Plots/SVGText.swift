import KodamaLanguage

/// An SVG file (W3C SVG 1.1) that grows element by element; integers in pixels only.
package struct SVGText {
    private var text: String

    /// Begins a picture with its name and, for readers who cannot see it, a description.
    package init(width: Int, height: Int, title: String, _ description: String) {
        text = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
            width="\(width)" height="\(height)" role="img">
            <title>\(Self.escaped(title))</title>
            <desc>\(Self.escaped(description))</desc>
            <style>
            \(Self.style)
            </style>
            <rect class="paper" width="\(width)" height="\(height)"/>

            """
    }

    /// The whole file.
    package func end() -> String { text + "</svg>\n" }

    /// Begins a group.
    package mutating func open(_ style: String) { text += "<g class=\"\(style)\">\n" }

    /// Ends the latest group.
    package mutating func close() { text += "</g>\n" }

    /// Adds words; `x` is their beginning, middle or end, as the style says.
    package mutating func text(_ words: String, x: Int, y: Int, _ style: String) {
        text += "<text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\">\(Self.escaped(words))</text>\n"
    }

    package mutating func rectangle(x: Int, y: Int, width: Int, height: Int, _ style: String) {
        text += "<rect class=\"\(style)\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\""
        text += " height=\"\(height)\"/>\n"
    }

    /// Adds a path, unless it is empty.
    package mutating func path(_ path: SVGPath, _ style: String) {
        guard !path.data.isEmpty else { return }
        text += "<path class=\"\(style)\" d=\"\(path.data)\"/>\n"
    }

    /// Text as XML allows it; what XML cannot hold becomes a question mark, and nothing turns the direction
    /// of what stands behind it.
    static func escaped(_ words: String) -> String {
        words.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": text += "?"
            case _ where ShownText.turnsText(scalar): text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// Text as XML allows it between tags, where lines may end.
    static func escapedText(_ words: String) -> String {
        words.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { escaped(String($0)) }.joined(separator: "\n")
    }

    /// The colours, for light and for dark surroundings.
    private static let style = """
        text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:#57606a}
        .title{font-size:16px;font-weight:600;fill:#1f2328}
        .tick{font-size:10px;text-anchor:middle}
        .label{font-size:10px;text-anchor:end}
        .paper{fill:#fff}
        .grid{fill:none;stroke:#d8dee4;stroke-width:1}
        .shade{fill:#1a7f37;fill-opacity:.1}
        .wave{fill:#57606a}
        .score{fill:none;stroke:#0969da;stroke-width:1.2;stroke-linejoin:round}
        .threshold{fill:none;stroke:#cf222e;stroke-width:.8;stroke-opacity:.6}
        .idle{fill:#afb8c1}
        .attack{fill:#bf8700}
        .talking{fill:#1a7f37}
        .release{fill:#8250df}
        .truth{fill:#0e7c86}
        .key.score{fill:#0969da;stroke:none}
        .key.threshold{fill:#cf222e;stroke:none}
        @media (prefers-color-scheme:dark){
        text{fill:#9198a1}
        .title{fill:#f0f6fc}
        .paper{fill:#0d1117}
        .grid{stroke:#2a313c}
        .shade{fill:#3fb950;fill-opacity:.13}
        .wave{fill:#9198a1}
        .score{stroke:#58a6ff}
        .threshold{stroke:#ff7b72}
        .idle{fill:#484f58}
        .attack{fill:#d29922}
        .talking{fill:#3fb950}
        .release{fill:#bc8cff}
        .truth{fill:#39c5cf}
        .key.score{fill:#58a6ff}
        .key.threshold{fill:#ff7b72}
        }
        """
}

/// The data of an SVG path; all coordinates in tenths of a pixel.
package struct SVGPath {
    private(set) var data = ""

    package init() {
    }

    package mutating func move(_ x: Int, _ y: Int) { add("M", x, y) }

    package mutating func line(_ x: Int, _ y: Int) { add("L", x, y) }

    package mutating func horizontal(_ x: Int) { data += "H\(PlotNumber.tenths(x))" }

    package mutating func vertical(_ y: Int) { data += "V\(PlotNumber.tenths(y))" }

    package mutating func closeUp() { data += "Z" }

    /// A rectangle between two corners, at least half a pixel wide so that it is seen.
    package mutating func rectangle(_ left: Int, _ top: Int, _ right: Int, _ bottom: Int) {
        move(left, top)
        horizontal(max(right, left + 5))
        vertical(bottom)
        horizontal(left)
        closeUp()
    }

    private mutating func add(_ command: String, _ x: Int, _ y: Int) {
        data += "\(command)\(PlotNumber.tenths(x)) \(PlotNumber.tenths(y))"
    }
}
