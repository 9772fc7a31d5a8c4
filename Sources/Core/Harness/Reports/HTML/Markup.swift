/// HTML that grows piece by piece; everything from outside is escaped on the way in.
struct Markup {
    private(set) var text = ""

    /// Adds markup as it stands.
    mutating func raw(_ markup: String) { text += markup }

    /// Adds an element with words in it.
    mutating func element(_ tag: String, _ words: String, _ attributes: String = "") {
        let attributes = attributes.isEmpty ? "" : " " + attributes
        text += "<\(tag)\(attributes)>\(Self.escaped(words))</\(tag)>"
    }

    /// Adds an element with markup in it.
    mutating func element(
        _ tag: String,
        _ attributes: String = "",
        _ content: (inout Markup) -> Void
    ) {
        let attributes = attributes.isEmpty ? "" : " " + attributes
        text += "<\(tag)\(attributes)>"
        content(&self)
        text += "</\(tag)>\n"
    }

    /// Adds a table with a head; of each row the first cell is its heading.
    mutating func table(_ head: [String], _ rows: [[Cell]], caption: String) {
        element(
            "div",
            "class=\"wide\" role=\"group\" tabindex=\"0\" aria-label=\"\(Self.escaped(caption))\""
        ) { html in
            html.element("table") { html in
                html.element("caption", caption)
                html.element("thead") { html in
                    html.element("tr") { html in
                        for (index, word) in head.enumerated() {
                            let isNumber = rows.first?[index].style.hasPrefix("number") ?? false
                            let side = isNumber ? " class=\"number\"" : ""
                            html.element("th", word, "scope=\"col\"" + side)
                        }
                    }
                }
                html.element("tbody") { html in
                    for row in rows {
                        html.element("tr") { html in
                            for (index, cell) in row.enumerated() { cell.write(index == 0, &html) }
                        }
                    }
                }
            }
        }
    }

    /// One cell of a table.
    struct Cell: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
        var words: String
        /// The number behind the words, as the JSON has it.
        var number: Int64?
        var style = ""

        init(stringLiteral value: String) { words = value }

        init(_ words: String, number: Int64? = nil, style: String = "") {
            self.words = words
            self.number = number
            self.style = style
        }

        /// A figure with its unit.
        static func figure(_ value: Int64?, _ text: (Int64) -> String) -> Cell {
            value.map { Cell(text($0), number: $0, style: "number") } ?? Cell("-", style: "number")
        }

        fileprivate func write(_ isHeading: Bool, _ html: inout Markup) {
            var attributes = isHeading ? "scope=\"row\"" : ""
            if !style.isEmpty { attributes += " class=\"\(style)\"" }
            if let number { attributes += " data-value=\"\(number)\"" }
            html.element(isHeading ? "th" : "td", words, String(attributes.trimmingPrefix(" ")))
        }
    }

    /// Words as HTML and XML take them.
    static func escaped(_ words: String) -> String { SVGText.escapedText(words) }
}
