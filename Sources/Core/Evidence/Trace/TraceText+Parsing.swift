import SansIO

/// Why a text is not a trace.
public struct TraceTextError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line at fault, from 1.
    public var line: Int
    /// What is wrong with it.
    public var message: String

    /// The line's number and the message.
    public var description: String { "line \(line): \(message)" }
}

extension TraceText {
    /// Reads back what `write` wrote, however the instants are written and lines end.
    ///
    /// - Parameters:
    ///   - text: The bytes of the text, in UTF-8.
    ///   - systems: The systems whose records it may hold.
    /// - Returns: The trace.
    /// - Throws: `TraceTextError` naming the first line that is not as `write` writes it.
    public static func parse(
        _ text: [UInt8],
        systems: Systems
    ) throws(TraceTextError) -> RecordedTrace {
        var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard let header = lines.first, !text.isEmpty else {
            throw TraceTextError(line: 1, message: "the text is empty; a header is missing")
        }
        guard lines.last?.isEmpty == true else {
            throw TraceTextError(line: lines.count, message: "the last line has no line end")
        }
        lines.removeLast()
        var trace = try TraceLine(header, number: 1).header(systems)
        let reader = TraceLineReader(trace.directory)
        trace.records.reserveCapacity(lines.count - 1)
        for (index, line) in lines.enumerated().dropFirst() {
            trace.records.append(try reader.record(TraceLine(line, number: index + 1)))
        }
        return trace
    }
}

/// One line, cut into words.
private struct TraceLine {
    var number: Int
    /// The words; an instant and its unit are one.
    var words: [ArraySlice<UInt8>]
    /// Whether the first word is an instant in seconds.
    private var isInSeconds = false

    init(_ bytes: ArraySlice<UInt8>, number: Int) {
        self.number = number
        let isPair = bytes.last == UInt8(ascii: "\r")
        words = (isPair ? bytes.dropLast() : bytes).split(separator: UInt8(ascii: " "))
        if words.count > 1, words[0].contains(UInt8(ascii: ".")),
            words[1].elementsEqual(TraceText.secondsUnit.utf8)
        {
            isInSeconds = true
            words.remove(at: 1)
        }
    }

    func failure(_ message: String) -> TraceTextError {
        TraceTextError(line: number, message: message)
    }

    /// The bytes after `name=` in word `index`.
    func value(_ name: String, at index: Int) throws(TraceTextError) -> ArraySlice<UInt8> {
        guard index < words.count else { throw failure("'\(name)=' is missing") }
        let word = words[index]
        guard word.starts(with: "\(name)=".utf8) else {
            throw failure(
                "'\(name)=' is expected, found '\(String(decoding: word, as: UTF8.self))'"
            )
        }
        return word.dropFirst(name.utf8.count + 1)
    }

    func integer<Number: FixedWidthInteger>(
        _ bytes: ArraySlice<UInt8>,
        _ type: Number.Type = Number.self
    ) throws(TraceTextError) -> Number {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let number = Number(text), String(number) == text else {
            throw failure("'\(text)' is not a whole number")
        }
        return number
    }

    /// The instant in the first word: seconds if they had their unit, else nanoseconds.
    func instant() throws(TraceTextError) -> Instant {
        guard isInSeconds else { return Instant(nanoseconds: try integer(words[0])) }
        let text = String(decoding: words[0], as: UTF8.self)
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isNegative = text.hasPrefix("-")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard parts.count == 2, parts[1].utf8.count == TraceText.secondsDecimals,
            parts[1].utf8.allSatisfy(digits.contains),
            let whole = UInt64(parts[0].dropFirst(isNegative ? 1 : 0)),
            parts[0] == (isNegative ? "-" : "") + String(whole),
            let nanoseconds = Int64(parts[0] + parts[1]), nanoseconds != 0 || !isNegative
        else {
            let decimals = TraceText.secondsDecimals
            throw failure("'\(text) s' is not an instant with \(decimals) decimals")
        }
        return Instant(nanoseconds: nanoseconds)
    }

    func header(_ systems: Systems) throws(TraceTextError) -> RecordedTrace {
        guard words.first.map({ $0.elementsEqual(TraceText.magic.utf8) }) == true else {
            throw failure("the header must begin with '\(TraceText.magic)'")
        }
        guard words.count == 5 else {
            throw failure("the header must have 5 words, it has \(words.count)")
        }
        let version = try integer(words[1], Int.self)
        let readable = TraceText.readableVersions
        guard readable.contains(version) else {
            throw failure(
                "version \(version) is none of \(readable.lowerBound) to \(readable.upperBound)"
            )
        }
        guard let scenario = TraceText.unescape(try value("scenario", at: 2)) else {
            throw failure("the scenario's name is malformed")
        }
        let seed = try integer(try value("seed", at: 3), UInt64.self)
        let list = try value("components", at: 4)
        var names: [String] = []
        let comma = UInt8(ascii: ",")
        if !list.isEmpty {
            for part in list.split(separator: comma, omittingEmptySubsequences: false) {
                guard let name = TraceText.unescape(part) else {
                    throw failure("component \(names.count + 1) has a malformed name")
                }
                names.append(name)
            }
        }
        guard Set(names).count == names.count else { throw failure("two components share a name") }
        let directory = TraceDirectory(names: names, systems: systems)
        return RecordedTrace(scenario: scenario, seed: seed, directory: directory)
    }
}

/// Reads lines over one directory.
private struct TraceLineReader {
    private var componentsByName: [[UInt8]: ComponentIndex] = [:]
    private var formsByName: [[UInt8]: LineForm] = [:]

    /// What a line of a kind holds.
    private struct LineForm {
        var kind: TraceKind
        var name: String
        var fields: [(name: String, words: TraceWords?)]
    }

    init(_ directory: TraceDirectory) {
        for (index, name) in directory.names.enumerated() {
            componentsByName[Array(TraceText.escape(name).utf8)] = ComponentIndex(index)
        }
        componentsByName[[UInt8(ascii: "-")]] = ComponentIndex.none
        for entry in directory.forms.entries {
            formsByName[Array(entry.text.name.utf8)] = LineForm(
                kind: entry.kind,
                name: entry.text.name,
                fields: entry.text.fields.map { ($0.name, $0.words) }
            )
        }
    }

    func record(_ line: TraceLine) throws(TraceTextError) -> TraceRecord {
        guard line.words.count >= 4 else {
            throw line.failure("instant, component, kind and subject are expected")
        }
        let instant = try line.instant()
        let component = try component(line.words[1], line)
        guard let form = formsByName[Array(line.words[2])] else {
            throw line.failure(
                "no kind is called '\(String(decoding: line.words[2], as: UTF8.self))'"
            )
        }
        let subject = try self.component(line.words[3], line)
        let fields = form.fields
        guard line.words.count == 4 + fields.count else {
            throw line.failure(
                "\(form.name) has \(fields.count) fields, found \(line.words.count - 4)"
            )
        }
        var values = SIMD4<Int64>.zero
        for (position, field) in fields.enumerated() {
            let bytes = try line.value(field.name, at: 4 + position)
            let word = String(decoding: bytes, as: UTF8.self)
            if let number = field.words?.number(of: word) {
                values[position] = number
            } else {
                values[position] = try line.integer(bytes)
            }
        }
        return TraceRecord(
            form.kind,
            at: instant,
            of: component,
            about: subject,
            values
        )
    }

    private func component(
        _ word: ArraySlice<UInt8>,
        _ line: TraceLine
    ) throws(TraceTextError) -> ComponentIndex {
        guard let index = componentsByName[Array(word)] else {
            throw line.failure("no component is called '\(String(decoding: word, as: UTF8.self))'")
        }
        return index
    }
}
