/// A place in a scenario file or in a command-line argument.
public struct SourceLocation: Sendable, Hashable, Codable {
    /// The file as the caller named it, or the whole argument, such as `--set vad.attack=60ms`.
    public var file: String
    /// The line, from 1; `nil` in a command-line argument.
    public var line: Int?
    /// The column, from 1, counted in Unicode scalars.
    public var column: Int

    /// Names a place.
    public init(file: String, line: Int?, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }
}

extension SourceLocation: CustomStringConvertible {
    /// The place as compilers print it: `file:line:column`.
    public var description: String {
        guard let line else { return "\(file):\(column)" }
        return "\(file):\(line):\(column)"
    }
}

/// A stretch of one line, and how the reader got there.
package struct Place: Sendable, Equatable {
    /// Where it begins.
    var location: SourceLocation
    /// How many Unicode scalars it covers; at least 1.
    var length: Int = 1
    /// The alias that brought the text here, if it stands elsewhere.
    var alias: AliasUse?
    /// The swept value that stands here, if one does.
    var sweep: SweepUse?

    /// The stretch that begins `offset` scalars further on; what was swept in has no parts.
    func advanced(by offset: Int, length: Int) -> Place {
        var place = self
        guard sweep == nil else { return place }
        place.location.column += offset
        place.length = max(1, length)
        return place
    }
}

/// Which value of a sweep stands for a name.
struct SweepUse: Sendable, Equatable {
    /// The name with the value.
    var value: SweepValue
    /// Where the value stands.
    var location: SourceLocation
}

/// Where an anchored value is used again.
struct AliasUse: Sendable, Equatable {
    /// The anchor's name.
    var anchor: String
    /// Where the alias stands.
    var location: SourceLocation
}
