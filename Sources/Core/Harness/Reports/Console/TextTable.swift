/// Columns of text, padded to their widest cell.
public struct TextTable {
    /// The lines, without trailing spaces.
    public let lines: [String]

    /// The lines, indented as a section of a report.
    var indentedLines: [String] { lines.map { "  " + $0 } }

    /// Lays out rows of equal length.
    ///
    /// - Parameters:
    ///   - rows: The cells.
    ///   - rightAligned: The columns whose cells end at one edge.
    public init(_ rows: [[String]], rightAligned: Set<Int> = []) {
        let columnCount = rows.first?.count ?? 0
        let widths = (0..<columnCount).map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        lines = rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return rightAligned.contains(column) ? padding + cell : cell + padding
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
