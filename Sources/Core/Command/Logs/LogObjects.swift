import Foundation

/// JSON objects one after another, each over any number of lines, in an array or without one.
///
/// What stands outside objects is skipped by the line, such as what `log` writes about itself. An object that the end of the
/// file cuts off is there with what it has.
struct LogObjects {
    /// On which line each object begins, and its text.
    private(set) var objects: [(Int, String)] = []
    /// The lines that hold something else.
    private(set) var between: [Int] = []

    /// Finds the objects.
    init(_ data: Data) {
        let bytes = [UInt8](data)
        var (line, depth, start, startLine) = (1, 0, 0, 1)
        var (isText, isEscaped, isBetween) = (false, false, false)
        for (place, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "\n") { (line, isBetween) = (line + 1, false) }
            if isText {
                isText = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch (byte, depth) {
            case (_, 0) where isBetween: break
            case (UInt8(ascii: "{"), 0): (start, startLine, depth) = (place, line, 1)
            case (_, 0):
                guard !"[], \t\r\n".utf8.contains(byte) else { break }
                between.append(line)
                isBetween = true
            case (UInt8(ascii: "{"), _): depth += 1
            case (UInt8(ascii: "}"), _):
                depth -= 1
                if depth == 0 { add(bytes[start...place], startLine) }
            case (UInt8(ascii: "\""), _): isText = true
            default: break
            }
        }
        if depth > 0 { add(bytes[start...], startLine) }
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>, _ line: Int) {
        objects.append((line, String(decoding: bytes, as: UTF8.self)))
    }
}
