/// A pattern of names in which `*` stands for any run of characters and `?` for any one.
public struct NamePattern: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The pattern as written.
    public var text: String

    /// Makes a pattern.
    public init(_ text: String) {
        self.text = text
    }

    /// Makes a pattern of a literal.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// Whether the pattern covers all of `name`.
    ///
    /// - Complexity: O(pattern · name).
    public func matches(_ name: String) -> Bool {
        let pattern = Array(text.unicodeScalars)
        let name = Array(name.unicodeScalars)
        var position = 0
        var read = 0
        // Where to go on if the latest star has to swallow one more character.
        var retry: (position: Int, read: Int)?
        while read < name.count {
            if position < pattern.count, pattern[position] == "*" {
                retry = (position, read)
                position += 1
            } else if position < pattern.count,
                pattern[position] == "?" || pattern[position] == name[read]
            {
                position += 1
                read += 1
            } else if let star = retry {
                retry = (star.position, star.read + 1)
                position = star.position + 1
                read = star.read + 1
            } else {
                return false
            }
        }
        return pattern[position...].allSatisfy { $0 == "*" }
    }
}
