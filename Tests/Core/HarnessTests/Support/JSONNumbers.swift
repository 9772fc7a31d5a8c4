import Foundation

/// A file of results whose numbers are exchanged, kind by kind.
///
/// Numbers at the same place in each element of a list are of one kind.
struct JSONNumbers: Sendable {
    /// The kinds, such as `.points#.runs#.seed`, in an order that is always the same.
    private(set) var kinds: [String] = []
    /// What stands before each number, the number's kind, and the number.
    private var pieces: [(text: ArraySlice<UInt8>, kind: Int, number: ArraySlice<UInt8>)] = []
    private var tail: ArraySlice<UInt8>
    private var indices: [String: Int] = [:]
    private let bytes: [UInt8]
    private var place = 0

    /// Reads a file, which must be JSON.
    init(_ data: Data) {
        bytes = Array(data)
        tail = bytes[...]
        readValue("")
        tail = bytes[(pieces.last?.number.endIndex ?? 0)...]
    }

    /// The file with other numbers.
    ///
    /// - Parameter number: What stands in place of the number of a kind; `nil` leaves it.
    /// - Returns: The file.
    func data(_ number: (String) -> Int64?) -> Data {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for piece in pieces {
            result += piece.text
            if let other = number(kinds[piece.kind]) {
                result += "\(other)".utf8
            } else {
                result += piece.number
            }
        }
        return Data(result + tail)
    }

    private mutating func readValue(_ path: String) {
        switch bytes[place] {
        case UInt8(ascii: "{"):
            place += 1
            pass("")
            while bytes[place] != UInt8(ascii: "}") {
                let key = String(decoding: readString(), as: UTF8.self)
                pass(":")
                readValue("\(path).\(key)")
                pass(",")
            }
            place += 1
        case UInt8(ascii: "["):
            place += 1
            pass("")
            while bytes[place] != UInt8(ascii: "]") {
                readValue(path + "#")
                pass(",")
            }
            place += 1
        case UInt8(ascii: "\""): _ = readString()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): readNumber(path)
        default: while (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[place]) { place += 1 }
        }
        pass("")
    }

    /// Passes over white space, and over some signs.
    private mutating func pass(_ signs: String) {
        let passed = Set((signs + " \n").utf8)
        while place < bytes.count, passed.contains(bytes[place]) { place += 1 }
    }

    private mutating func readString() -> ArraySlice<UInt8> {
        let start = place + 1
        place = start
        while bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place += 1
        return bytes[start..<place - 1]
    }

    private mutating func readNumber(_ path: String) {
        let (before, start) = (pieces.last?.number.endIndex ?? 0, place)
        let digits = Set("-+.eE0123456789".utf8)
        while digits.contains(bytes[place]) { place += 1 }
        let kind = indices[path] ?? kinds.count
        if kind == kinds.count { kinds.append(path) }
        indices[path] = kind
        pieces.append((bytes[before..<start], kind, bytes[start..<place]))
    }
}

/// Numbers drawn by chance, the same ones each time.
struct Draws {
    private var state: UInt64 = 1

    /// Draws one from 0 to less than a bound.
    mutating func next(below bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}
