import Foundation
import KodamaHarness
import KodamaLanguage
import SansIO

/// A log as a file: what its lines say, whoever's app it is.
struct LogFile {
    /// What was read, in the order of the file.
    private(set) var lines: [LoggedLine] = []
    /// Lines that say nothing that could be used, by kind: where the first stands, and how many there are.
    private(set) var skipped: [(what: String, first: LoggedLine.Place, count: Int)] = []
    /// The file, as the user named it.
    let name: String

    /// What a file is, by its first line.
    private enum Form {
        case unifiedLog
        case webhooks
        case table
    }

    /// Reads a log.
    ///
    /// - Throws: An end with the file, the line, what is wrong there and what to write instead.
    init(_ name: String, _ data: Data) throws {
        self.name = name
        if let (what, instead) = Self.encodings.first(where: { data.starts(with: $0.start) })?.words
        {
            throw Self.fault(name, 1, what, instead)
        }
        var texts = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespaces) }
        if let first = texts.first, first.hasPrefix("\u{FEFF}") {
            texts[0] = String(first.dropFirst())
        }
        var numbered = zip(1..., texts.map { $0.trimmingSuffix("\r") }).filter { !$0.1.isEmpty }
        guard let first = numbered.first else {
            throw Self.fault(name, 1, "the file is empty", Self.forms)
        }
        let isSpread = numbered.prefix(20).contains { ["[{", "[", "{"].contains($0.1) }
        if isSpread || first.1.hasPrefix("[") {
            let found = LogObjects(Data(texts.joined(separator: "\n").utf8))
            for line in found.between { skip(line, "lines outside of JSON objects") }
            numbered = found.objects
        }
        switch try form(of: numbered.prefix(20).map { ($0.0, $0.1) }, first: first) {
        case .unifiedLog:
            for (number, text) in numbered { try readUnifiedLog(text, number) }
        case .webhooks:
            for (number, text) in numbered { try readWebhook(text, number) }
        case .table:
            try readTable(numbered.map { ($0.0, $0.1) }, head: first)
        }
    }

    /// What starts files that hold no UTF-8, and what to do with them.
    private static let encodings: [(start: [UInt8], words: (what: String, instead: String))] = [
        ([0x1F, 0x8B], ("this is packed by gzip", "unpack it first, as with gunzip")),
        ([0xFF, 0xFE], ("this is UTF-16", "save it as UTF-8, as with iconv")),
        ([0xFE, 0xFF], ("this is UTF-16", "save it as UTF-8, as with iconv")),
    ]

    private static let forms = """
        a log is LiveKit's webhooks as JSON objects; what 'log show --style ndjson' or '--style json' \
        writes; or a table with the columns time and path or rsrp
        """

    /// What is wrong on a line, and what to write instead.
    struct Mistake: Error {
        var what: String
        var instead: String

        init(_ what: String, _ instead: String) { (self.what, self.instead) = (what, instead) }
    }

    /// An end that names a line of a file, what is wrong there, and what to write instead.
    static func fault(_ file: String, _ line: Int, _ what: String, _ instead: String) -> Failure {
        Failure(.inputMissing, "\(file):\(line): \(what); \(instead)")
    }

    private func form(of head: [(Int, String)], first: (Int, String)) throws -> Form {
        for (_, text) in head where text.hasPrefix("{") {
            if text.contains("\"eventMessage\"") || text.contains("\"machTimestamp\"") {
                return .unifiedLog
            }
            if text.contains("\"event\"") { return .webhooks }
        }
        if let object = head.first, object.1.hasPrefix("{") {
            throw Self.fault(
                name,
                object.0,
                "an object with neither \"event\", as webhooks have it, nor \"eventMessage\", as 'log show' does",
                Self.forms
            )
        }
        guard LogTable.isHead(first.1) else {
            throw Self.fault(name, first.0, "this is no log that is known", Self.forms)
        }
        return .table
    }

    private func place(_ number: Int) -> LoggedLine.Place {
        LoggedLine.Place(file: name, line: number)
    }

    private mutating func skip(_ number: Int, _ what: String) {
        if let index = skipped.firstIndex(where: { $0.what == what }) {
            skipped[index].count += 1
        } else {
            skipped.append((what, place(number), 1))
        }
    }

    private func object(_ text: String, _ number: Int) throws -> [String: String] {
        do throws(LocatedError) {
            return try LocatedJSON(text).scalars
        } catch {
            throw Self.fault(
                name,
                number + error.line - 1,
                "this is no JSON: \(error.words)",
                "take out what the export cut off, and what is no object"
            )
        }
    }

    private func instant(_ text: String?, _ key: String, _ number: Int) throws -> Instant {
        guard let text else {
            throw Self.fault(
                name,
                number,
                "'\(key)' is missing",
                "each line says when it was written"
            )
        }
        guard let instant = LogTimestamp.read(text) else {
            throw Self.fault(
                name,
                number,
                "'\(text.prefix(40))' is no time with a zone",
                "write it like \(LogTimestamp.forms)"
            )
        }
        return instant
    }

    // MARK: Apple's unified log

    /// The categories of an app's lines that are read.
    private static let categories = ["RTC", "NWPath"]

    private mutating func readUnifiedLog(_ text: String, _ number: Int) throws {
        guard text.hasPrefix("{") else {
            return skip(number, "lines that 'log' writes about itself")
        }
        // An export of a whole phone has millions of lines, and a few of them are ours.
        // A line that was cut off may be one of them.
        let isWhole = text.hasSuffix("}")
        guard !isWhole || Self.categories.contains(where: { text.contains("\"\($0)\"") }) else {
            return skip(number, "lines of other categories than RTC and NWPath")
        }
        let fields = try object(text, number)
        guard let category = fields["category"], Self.categories.contains(category) else {
            return skip(number, "lines of other categories than RTC and NWPath")
        }
        let instant = try instant(fields["timestamp"], "timestamp", number)
        guard let message = fields["eventMessage"] else {
            return skip(number, "lines without a message")
        }
        guard category == "NWPath" else {
            lines.append(LoggedLine(.message(message), at: instant, place(number)))
            return
        }
        guard let path = NetworkPath(described: message) else {
            return skip(
                number,
                "lines of NWPath that do not say 'satisfied' on Wi-Fi or cellular, or 'unsatisfied'"
            )
        }
        lines.append(LoggedLine(.path(path.interface), at: instant, place(number)))
    }

    // MARK: LiveKit's webhooks

    private mutating func readWebhook(_ text: String, _ number: Int) throws {
        let fields = try object(text, number)
        guard let event = fields["event"] else {
            throw Self.fault(
                name,
                number,
                "'event' is missing",
                "each line is the body of one webhook"
            )
        }
        // As JSON of protocol buffers writes it, and as some libraries do.
        let time = fields["createdAt"] ?? fields["created_at"]
        let instant = try instant(time, "createdAt", number)
        lines.append(LoggedLine(.event(event, fields: fields), at: instant, place(number)))
    }

    // MARK: Tables

    private mutating func readTable(_ rows: [(Int, String)], head: (Int, String)) throws {
        let table = try located(head.0) { () throws(Mistake) in try LogTable(head: head.1) }
        for name in table.unread { skip(head.0, "the column '\(name.prefix(40))'") }
        for (number, text) in rows.dropFirst() {
            let cells = try located(number) { () throws(Mistake) in try table.cells(of: text) }
            let time = cells.first { $0.column == .time }?.text
            let instant = try instant(time, "time", number)
            for (column, cell) in cells where column != .time {
                let content = try located(number) { () throws(Mistake) in
                    try table.content(of: column, cell)
                }
                lines.append(LoggedLine(content, at: instant, place(number)))
            }
        }
    }

    /// Puts the file and the line to a mistake.
    private func located<Value>(
        _ number: Int,
        _ read: () throws(Mistake) -> Value
    ) throws -> Value {
        do throws(Mistake) {
            return try read()
        } catch {
            throw Self.fault(name, number, error.what, error.instead)
        }
    }
}

extension StringProtocol {
    /// The text without one end.
    fileprivate func trimmingSuffix(_ end: String) -> String {
        hasSuffix(end) ? String(dropLast(end.count)) : String(self)
    }
}
