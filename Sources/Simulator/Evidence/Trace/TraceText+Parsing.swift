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
    /// Reads back what `write` wrote.
    ///
    /// - Parameter text: The bytes of the text, in UTF-8.
    /// - Returns: The trace.
    /// - Throws: `TraceTextError` naming the first line that is not as `write` writes it.
    public static func parse(_ text: [UInt8]) throws(TraceTextError) -> RecordedTrace {
        var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard let header = lines.first, !text.isEmpty else {
            throw TraceTextError(line: 1, message: "the text is empty; a header is missing")
        }
        guard lines.last?.isEmpty == true else {
            throw TraceTextError(line: lines.count, message: "the last line has no line end")
        }
        lines.removeLast()
        var trace = try TraceLine(header, number: 1).header()
        let reader = TraceLineReader(trace.directory)
        trace.records.reserveCapacity(lines.count - 1)
        for (place, line) in lines.enumerated().dropFirst() {
            trace.records.append(try reader.record(TraceLine(line, number: place + 1)))
        }
        return trace
    }
}

/// One line, cut into words.
private struct TraceLine {
    var number: Int
    var words: [ArraySlice<UInt8>]

    init(_ bytes: ArraySlice<UInt8>, number: Int) {
        self.number = number
        words = bytes.split(separator: UInt8(ascii: " "))
    }

    func failure(_ message: String) -> TraceTextError {
        TraceTextError(line: number, message: message)
    }

    /// The bytes after `name=` in word `place`.
    func value(_ name: String, at place: Int) throws(TraceTextError) -> ArraySlice<UInt8> {
        guard place < words.count else { throw failure("'\(name)=' is missing") }
        let word = words[place]
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

    func header() throws(TraceTextError) -> RecordedTrace {
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
        // The last place stands for nobody.
        guard names.count <= UInt16.max else {
            throw failure("\(names.count) components are more than \(UInt16.max)")
        }
        let directory = TraceDirectory(names: names)
        return RecordedTrace(scenario: scenario, seed: seed, directory: directory)
    }
}

/// Reads lines over one directory.
private struct TraceLineReader {
    private var componentsByName: [[UInt8]: ComponentIndex] = [:]
    private var kindsByName: [[UInt8]: TraceKind] = [:]

    init(_ directory: TraceDirectory) {
        for (place, name) in directory.names.enumerated() {
            let index = ComponentIndex(place: UInt16(place))
            componentsByName[Array(TraceText.escape(name).utf8)] = index
        }
        componentsByName[[UInt8(ascii: "-")]] = ComponentIndex.none
        for (place, kind) in TraceKind.descriptions.enumerated() {
            kindsByName[Array(kind.name.utf8)] = TraceKind(place: UInt16(place))
        }
    }

    func record(_ line: TraceLine) throws(TraceTextError) -> TraceRecord {
        guard line.words.count >= 4 else {
            throw line.failure("instant, component, kind and subject are expected")
        }
        let instant = try line.integer(line.words[0], Int64.self)
        let component = try component(line.words[1], line)
        guard let kind = kindsByName[Array(line.words[2])] else {
            throw line.failure(
                "no kind is called '\(String(decoding: line.words[2], as: UTF8.self))'"
            )
        }
        let subject = try self.component(line.words[3], line)
        let fields = kind.description.fields
        guard line.words.count == 4 + fields.count else {
            throw line.failure(
                "\(kind.description.name) has \(fields.count) fields, found \(line.words.count - 4)"
            )
        }
        var values = SIMD4<Int64>.zero
        for (place, field) in fields.enumerated() {
            let bytes = try line.value(field.name, at: 4 + place)
            let word = String(decoding: bytes, as: UTF8.self)
            if let number = field.legend?.number(of: word) {
                values[place] = number
            } else {
                values[place] = try line.integer(bytes)
            }
        }
        return TraceRecord(
            kind,
            at: Instant(nanoseconds: instant),
            of: component,
            subject: subject,
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
