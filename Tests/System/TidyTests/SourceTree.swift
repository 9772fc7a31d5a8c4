import Foundation

/// The repository's Swift files, as the tidy rules see them.
struct SourceFile {
    /// The path from the repository's root.
    let path: String
    /// The lines without their ends.
    let lines: [Substring]

    /// The target that the file belongs to: the folder under `Sources/<group>`.
    var target: String {
        let parts = path.split(separator: "/")
        return parts.count > 2 ? String(parts[2]) : ""
    }

    /// The modules that the file imports.
    var imports: [String] {
        lines.compactMap { line in
            let words = line.split(separator: " ")
            guard let at = words.firstIndex(of: "import"), at + 1 < words.count,
                words[..<at].allSatisfy({ $0.hasPrefix("@") || $0 == "public" || $0 == "package" })
            else { return nil }
            return String(words[at + 1].prefix { $0 != "." })
        }
    }

    /// The lines with comments and string literals taken out, numbered from 1.
    var code: [(number: Int, text: String)] {
        lines.enumerated().compactMap { index, line in
            let trimmed = line.drop { $0 == " " }
            guard !trimmed.hasPrefix("//") else { return nil }
            let withoutStrings = line.split(separator: "\"", omittingEmptySubsequences: false)
                .enumerated().filter { $0.offset % 2 == 0 }.map { String($0.element) }.joined()
            let text = withoutStrings.components(separatedBy: " //")[0]
            return (index + 1, text)
        }
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
                return SourceFile(
                    path: "\(folder)/\(name)",
                    lines: text.split(separator: "\n", omittingEmptySubsequences: false)
                )
            }
    }
}
