import TextFormats

/// A request's path and query, percent-decoded (RFC 3986).
struct RequestTarget: Equatable {
    var path: String
    private var parameters: [(name: String, value: String)] = []

    /// Takes a target apart; `nil` if it has no path or a broken escape.
    init?(_ target: String) {
        let parts = target.split(
            separator: "?",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard parts[0].hasPrefix("/"), let path = Self.decode(parts[0]) else { return nil }
        self.path = path
        guard parts.count == 2 else { return }
        for parameter in parts[1].split(separator: "&") {
            let pair = parameter.split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard let name = Self.decode(pair[0]),
                let value = pair.count == 2 ? Self.decode(pair[1]) : ""
            else { return nil }
            parameters.append((name, value))
        }
    }

    /// The values of a query parameter, in order.
    subscript(name: String) -> [String] {
        parameters.filter { $0.name == name }.map(\.value)
    }

    static func == (left: RequestTarget, right: RequestTarget) -> Bool {
        left.path == right.path
            && left.parameters.elementsEqual(right.parameters) { $0 == $1 }
    }

    private static func decode(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(HexDigit.value),
                let low = rest.popFirst().flatMap(HexDigit.value)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Escapes what a query parameter may not hold as it is.
    static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
