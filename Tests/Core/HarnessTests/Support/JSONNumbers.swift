import Foundation

/// A file of results whose numbers are exchanged, kind by kind.
///
/// Numbers at the same place in each element of a list are of one kind.
struct JSONNumbers: @unchecked Sendable {
    // Read once, and never changed.
    private let whole: Any
    /// The kinds, such as `.points#.runs#.seed`, in an order that is always the same.
    let kinds: [String]

    /// Reads a file.
    init(_ data: Data) throws {
        whole = try JSONSerialization.jsonObject(with: data)
        var kinds: [String] = []
        var known: Set<String> = []
        _ = Self.changed(whole) { path in
            if known.insert(path).inserted { kinds.append(path) }
            return nil
        }
        self.kinds = kinds
    }

    /// The file with other numbers.
    ///
    /// - Parameter number: What stands in place of the number of a kind; `nil` leaves it.
    /// - Returns: The file.
    /// - Throws: What the encoder throws.
    func data(_ number: (String) -> Int64?) throws -> Data {
        try JSONSerialization.data(withJSONObject: Self.changed(whole, number))
    }

    private static func changed(
        _ value: Any,
        at path: String = "",
        _ number: (String) -> Int64?
    ) -> Any {
        switch value {
        case let list as [Any]: return list.map { changed($0, at: path + "#", number) }
        case let object as [String: Any]:
            // In order, so that one seed draws one file.
            var other = object
            for (key, value) in object.sorted(by: { $0.key < $1.key }) {
                other[key] = changed(value, at: "\(path).\(key)", number)
            }
            return other
        case is NSNumber: return number(path).map { NSNumber(value: $0) } ?? value
        default: return value
        }
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
