import Foundation

/// The repository's Swift files, as the tidy rules see them.
struct SourceFile {
    /// The path from the repository's root.
    let path: String
    /// The lines without their ends.
    let lines: [Substring]

    /// The folder under `Sources` or `Tests`, such as `Core`.
    var group: String { folder(1) }

    /// The folder of the file's target, under `Sources/<group>` or `Tests/<group>`.
    var target: String { folder(2) }

    /// The folder within the target, such as `Records`; empty for a file that lies directly in the target.
    var room: String { folder(3) }

    private func folder(_ depth: Int) -> String {
        let folders = path.split(separator: "/").dropLast()
        return depth < folders.count ? String(folders[depth]) : ""
    }

    /// The module that the file belongs to; modules of the simulator carry the product's name.
    var module: String {
        ["Core", "Systems"].contains(group) ? "Kodama\(target)" : target
    }

    /// The words for an import's access.
    private static let levels: Set<Substring> = [
        "public", "package", "internal", "fileprivate", "private",
    ]

    /// The modules that the file imports; what a text of the file imports is no import.
    var imports: [String] {
        code.compactMap { _, line in
            let words = line.split(separator: " ")
            guard let at = words.firstIndex(of: "import"), at + 1 < words.count,
                words[..<at].allSatisfy({ $0.hasPrefix("@") || Self.levels.contains($0) })
            else { return nil }
            return String(words[at + 1].prefix { $0 != "." })
        }
    }

    /// The lines without comments, numbered from 1; string literals are kept.
    var uncommented: [(number: Int, text: String)] {
        lines.enumerated().compactMap { index, line in
            guard line.utf8.contains(UInt8(ascii: "/")) else { return (index + 1, String(line)) }
            guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { return nil }
            return (index + 1, line.components(separatedBy: " //")[0])
        }
    }

    /// The lines without comments and string literals, numbered from 1.
    var code: [(number: Int, text: String)] {
        var isInText = false
        return uncommented.compactMap { number, line in
            guard line.utf8.contains(UInt8(ascii: "\"")) else {
                return isInText || line.isEmpty ? nil : (number, line)
            }
            let pieces = line.components(separatedBy: "\"\"\"")
            let began = isInText
            if pieces.count.isMultiple(of: 2) { isInText.toggle() }
            let outside = pieces.enumerated().filter { $0.offset.isMultiple(of: 2) != began }
            let text = outside.map { Self.withoutStrings($0.element) }.joined()
            return text.isEmpty ? nil : (number, text)
        }
    }

    private static func withoutStrings(_ line: String) -> String {
        line.split(separator: "\"", omittingEmptySubsequences: false)
            .enumerated().filter { $0.offset.isMultiple(of: 2) }.map { String($0.element) }.joined()
    }

    /// The types that the file declares, each with whether other files can see it by that name alone.
    var declaredTypes: [(name: String, isShared: Bool)] {
        let declaration =
            #/^ *(?<modifiers>(?:@\w+(?:\([^)]*\))? |[a-z]+(?:\(unsafe\))? )*?)(?:struct|class|enum|protocol|actor|typealias|associatedtype) (?<name>[A-Z]\w*)/#
        let keywords = ["struct ", "class ", "enum ", "protocol ", "actor ", "type"]
        return code.compactMap { _, text in
            guard keywords.contains(where: { text.contains($0) }),
                let found = text.firstMatch(of: declaration)
            else { return nil }
            let isNested = text.hasPrefix(" ")
            return (String(found.name), !isNested && !found.modifiers.contains("private"))
        }
    }

    /// The words of the code that begin with a capital and follow no dot, each with its line.
    var namedTypes: [(number: Int, name: String)] {
        code.flatMap { number, text in
            text.matches(of: #/(?:^|[^\w.])(?<name>[A-Z]\w*)/#).map { (number, String($0.name)) }
        }
    }
}

extension SourceFile {
    /// A made-up file, to show what a rule finds.
    init(_ path: String, _ text: String) {
        self.init(
            path: path,
            lines: text.split(separator: "\n", omittingEmptySubsequences: false)
        )
    }
}

/// Reads the repository that this test was built from.
enum SourceTree {
    /// The repository's root folder.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// All Swift files under `folder`, sorted by path, build products left out.
    static func swiftFiles(under folder: String) throws -> [SourceFile] {
        let base = root.appendingPathComponent(folder)
        let names = try FileManager.default.subpathsOfDirectory(atPath: base.path)
        return try names.filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }
            .sorted()
            .map { name in
                let text = try String(
                    contentsOf: base.appendingPathComponent(name),
                    encoding: .utf8
                )
                return SourceFile("\(folder)/\(name)", text)
            }
    }
}
