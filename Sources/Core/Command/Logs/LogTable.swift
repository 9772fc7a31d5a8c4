import Foundation
import KodamaLanguage
import SansIO

/// A table in a log: its separator, and which of its columns are read.
///
/// Cells are RFC 4180's, one row a line; the separator is a comma, a semicolon or a tab, whichever the head has most of.
struct LogTable {
    /// What a column holds.
    enum Column: String {
        case time, path, rsrp

        /// Reads a column's name; `nil` if it is none of these.
        init?(named name: String) {
            let name = name.lowercased()
            self.init(rawValue: name == "timestamp" ? "time" : name)
        }
    }

    /// The columns in the head's order; `nil` for one that is not read.
    let columns: [Column?]
    /// The names of columns that are not read.
    let unread: [String]
    private let separator: Character

    /// What the columns are, for messages.
    static let columnNames = "time or timestamp, path (wifi, cellular or none) and rsrp (dBm)"

    /// Whether a line may be the head of such a table.
    static func isHead(_ line: String) -> Bool {
        separators.contains { line.contains($0) } && line.lowercased().contains("time")
    }

    private static let separators: [Character] = [",", ";", "\t"]

    /// Reads the head.
    ///
    /// - Throws: What is wrong with it, and what to write instead.
    init(head line: String) throws(LogFile.Mistake) {
        func count(_ separator: Character) -> Int { line.count { $0 == separator } }
        let most = Self.separators.map(count).max() ?? 0
        separator = Self.separators.first { count($0) == most } ?? ","
        let names = Self.cells(of: line, separator)
        var columns: [Column?] = []
        var unread: [String] = []
        for name in names {
            let column = Column(named: name)
            if let column, columns.contains(column) {
                throw LogFile.Mistake(
                    "the column '\(column.rawValue)' stands twice",
                    "leave one out"
                )
            }
            columns.append(column)
            if column == nil, !name.isEmpty { unread.append(name) }
        }
        guard columns.contains(.time), columns.contains(.path) || columns.contains(.rsrp) else {
            throw LogFile.Mistake(
                "a column is missing",
                "time is needed, and path or rsrp beside it; the columns that are read are "
                    + Self.columnNames
            )
        }
        (self.columns, self.unread) = (columns, unread)
    }

    /// The cells of a row that are read and not empty.
    ///
    /// - Throws: How many cells there are, if not as many as the head has.
    func cells(of row: String) throws(LogFile.Mistake) -> [(column: Column, text: String)] {
        let cells = Self.cells(of: row, separator)
        guard cells.count == columns.count else {
            throw LogFile.Mistake(
                "\(cells.count) cells where the head has \(columns.count)",
                "write one for each column, an empty one for what was not measured"
            )
        }
        return zip(columns, cells).compactMap { column, text in
            column.flatMap { text.isEmpty ? nil : ($0, text) }
        }
    }

    /// What a cell of path or signal says.
    ///
    /// - Throws: What is wrong with it, and what to write instead.
    func content(of column: Column, _ cell: String) throws(LogFile.Mistake) -> LoggedLine.Content {
        if column == .path {
            switch cell.lowercased() {
            case "wifi": return .path(.wifi)
            case "cellular": return .path(.cellular)
            case "none": return .path(nil)
            default:
                throw LogFile.Mistake("'\(cell)' is no path", "write wifi, cellular or none")
            }
        }
        // Where a semicolon separates cells, a comma may separate decimals.
        let number = separator == "," ? cell : cell.replacing(",", with: ".")
        let isNumber = number.wholeMatch(of: #/-?[0-9]{1,9}(?:\.[0-9]{1,9})?/#) != nil
        // What 3GPP TS 36.133, 9.1.4 lets a phone report, and a little more on both sides.
        guard isNumber, let dBm = Double(number), (-160...(-30)).contains(dBm) else {
            throw LogFile.Mistake(
                "'\(cell)' is no RSRP",
                "write dBm from -160 to -30, such as -104, without a unit"
            )
        }
        return .signal(dBm: Int(dBm.rounded()))
    }

    /// The cells of a line, without the space around them and the quotes that hold them.
    private static func cells(of line: String, _ separator: Character) -> [String] {
        var (cells, cell): ([String], String) = ([], "")
        var isQuoted = false
        var rest = Substring(line)
        while let character = rest.popFirst() {
            if character == "\"" {
                // Within quotes, a doubled one stands for itself.
                if isQuoted, rest.first == "\"" {
                    cell.append(rest.removeFirst())
                } else {
                    isQuoted.toggle()
                }
            } else if character == separator, !isQuoted {
                cells.append(cell)
                cell = ""
            } else {
                cell.append(character)
            }
        }
        return (cells + [cell]).map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
