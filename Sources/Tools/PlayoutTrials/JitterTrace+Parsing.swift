extension JitterTrace {
    /// Why a text is no set of traces.
    public struct ParseFailure: Error, Sendable, Equatable, CustomStringConvertible {
        /// The line, from 1.
        public var line: Int
        /// What is wrong with it, in one clause.
        public var what: String

        /// The failure in one line.
        public var description: String { "line \(line): \(what)" }
    }

    /// Reads traces from lines `kind,send_ms,arrive_ms`, where an arrival of -1 means lost.
    ///
    /// Several kinds may share a text; each becomes a trace, in the order of their first lines. Times
    /// may have decimals; what is finer than a nanosecond is cut. Empty lines are passed over, and so
    /// are a byte order mark and a first line that names the three columns.
    ///
    /// - Parameter text: The lines.
    /// - Returns: One trace per kind.
    /// - Throws: The first line that cannot be read.
    public static func parse(_ text: String) throws(ParseFailure) -> [JitterTrace] {
        var traces: [JitterTrace] = []
        var line = 0
        for row in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        {
            line += 1
            var bytes = row
            if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
            if line == 1, bytes.starts(with: byteOrderMark) { bytes = bytes.dropFirst(3) }
            guard !bytes.isEmpty, line > 1 || !bytes.elementsEqual(header.utf8) else { continue }
            let (name, frame) = try readRow(bytes, line)
            guard let place = traces.firstIndex(where: { $0.name == name }) else {
                traces.append(JitterTrace(name: name, frames: [frame]))
                continue
            }
            try traces[place].append(frame, line)
        }
        return traces
    }

    private static let header = "kind,send_ms,arrive_ms"
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// The latest time that can be read, in milliseconds: in the year 2096 on Unix's clock.
    private static let latest: Int64 = 4_000_000_000_000

    private static func readRow(
        _ bytes: Substring.UTF8View,
        _ line: Int
    ) throws(ParseFailure) -> (String, Frame) {
        let fields = bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard fields.count == 3 else {
            throw ParseFailure(
                line: line,
                what:
                    "\(fields.count == 1 ? "1 field" : "\(fields.count) fields") where \(header) are wanted"
            )
        }
        guard let name = String(fields[0]), !name.isEmpty else {
            throw ParseFailure(line: line, what: "the kind is empty")
        }
        guard let sent = nanoseconds(milliseconds: fields[1]), sent >= 0 else {
            throw ParseFailure(line: line, what: "'\(Substring(fields[1]))' is no sending time")
        }
        guard let arrived = nanoseconds(milliseconds: fields[2]) else {
            throw ParseFailure(line: line, what: "'\(Substring(fields[2]))' is no arrival time")
        }
        guard arrived >= 0 || arrived == -1_000_000 else {
            throw ParseFailure(
                line: line,
                what: "'\(Substring(fields[2]))' is no arrival time; -1 means lost"
            )
        }
        guard arrived < 0 || arrived >= sent else {
            throw ParseFailure(line: line, what: "the frame arrived before it was sent")
        }
        return (name, Frame(sentNanoseconds: sent, arrivedNanoseconds: arrived < 0 ? -1 : arrived))
    }

    private mutating func append(_ frame: Frame, _ line: Int) throws(ParseFailure) {
        if let last = frames.last,
            frame.sentNanoseconds != last.sentNanoseconds + Self.frameNanoseconds
        {
            throw ParseFailure(
                line: line,
                what: "the frame was not sent 20 ms after the one before it"
            )
        }
        frames.append(frame)
    }

    /// Reads a decimal number of milliseconds up to `latest`.
    private static func nanoseconds(milliseconds field: Substring.UTF8View) -> Int64? {
        var digits = field
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        var value: Int64 = 0
        var scale: Int64 = 1_000_000
        var wholeDigits = 0
        var isFraction = false
        for byte in digits {
            if byte == UInt8(ascii: "."), !isFraction {
                isFraction = true
                continue
            }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let digit = Int64(byte - UInt8(ascii: "0"))
            if isFraction {
                scale /= 10
                value += digit * scale
            } else {
                wholeDigits += 1
                guard value <= latest * 100_000 else { return nil }
                value = value * 10 + digit * 1_000_000
            }
        }
        guard wholeDigits > 0 else { return nil }
        return isNegative ? -value : value
    }
}
