import Foundation
import Testing

/// Compares texts with files kept beside the tests.
enum Golden {
    /// The folder of these tests.
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// Compares; with `UPDATE_GOLDEN=1` in the environment it rewrites the file, and fails.
    static func check(_ text: String, _ path: String) throws {
        let file = "\(folder)/\(path)"
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            Issue.record("\(path) was rewritten; look at it and run without UPDATE_GOLDEN")
            return
        }
        let expected = try? String(contentsOfFile: file, encoding: .utf8)
        #expect(
            text == expected,
            "\(path) differs; UPDATE_GOLDEN=1 swift test --filter HarnessTests rewrites it"
        )
    }
}
