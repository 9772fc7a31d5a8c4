import Foundation
import KodamaLanguage

/// What a new system may be called.
enum SystemName {
    /// The longest name: it stands in types, files, records and metrics.
    private static let lengthMax = 30

    /// Names of modules and commands of a package with a system that are none of the system's.
    private static let taken: Set = ["kodama", "main", "swift", "yams", "testing", "foundation"]

    /// Swift's reserved words that are spelt like a system's name.
    private static let reserved: Set = [
        "actor", "any", "as", "async", "await", "break", "case", "catch", "class", "continue",
        "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
        "for", "func", "get", "guard", "if", "import", "in", "init", "inout", "internal", "is",
        "let", "nil", "open", "operator", "package", "private", "protocol", "public", "repeat",
        "rethrows", "return", "self", "set", "some", "static", "struct", "subscript", "super",
        "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// Refuses what cannot be the name of a new system, or is one's that the command knows.
    ///
    /// - Throws: An end with what is wrong, and what may be written instead.
    static func check(_ name: String, beside systems: SystemRegistry) throws {
        let isWord = name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) }
        guard isWord, name.first?.isLetter == true, name.count <= lengthMax else {
            throw Failure(
                .usage,
                "'\(name)' cannot be a system's name; write a lowercase letter, then lowercase letters "
                    + "and digits, at most \(lengthMax) in all, such as 'ping'"
            )
        }
        guard !reserved.contains(name) else {
            throw Failure(.usage, "'\(name)' cannot be a system's name: Swift reserves the word")
        }
        let known = (["network", "people", "phone", "world"] + systems.systems.map(\.name)).sorted()
        guard !known.contains(name) else {
            throw Failure(
                .usage,
                "there is a system '\(name)' already; this command knows "
                    + "\(known.joined(separator: ", "))"
            )
        }
        guard !taken.contains(name), !SystemPackage.clashes(with: name) else {
            throw Failure(
                .usage,
                "'\(name)' cannot be a system's name: Kodama has modules or types that its own would be "
                    + "called like"
            )
        }
    }
}
