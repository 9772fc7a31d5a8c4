import Foundation
import KodamaHarness

/// The checkout in which a program was built.
struct Checkout {
    /// Its folder.
    let root: URL

    /// Finds the checkout above a file; `nil` if there is none.
    init?(above file: URL) {
        let root = file.foldersAbove.first { folder in
            FileManager.default.fileExists(atPath: folder.appendingPathComponent(".git").path)
        }
        guard let root else { return nil }
        self.root = root
    }

    /// Whether what the program was built from may differ from the commit; `nil` if Git does not say.
    ///
    /// It does not where the sources are those of the commit, and neither one of them nor a folder of them was
    /// written after the program.
    func isModified(since program: URL) -> Bool? {
        guard let changes, let built = Self.written(program) else { return nil }
        return !changes.isEmpty || inputs.contains { Self.written($0).map { $0 > built } ?? true }
    }

    /// What a build reads: each file and each folder, since a file that is gone leaves only its folder newer.
    private var inputs: [URL] {
        let sources = root.appendingPathComponent("Sources")
        let within = FileManager.default.enumerator(
            at: sources,
            includingPropertiesForKeys: [.contentModificationDateKey]
        )
        let files = within?.compactMap { $0 as? URL } ?? []
        return [root.appendingPathComponent("Package.swift"), sources] + files
    }

    private static func written(_ file: URL) -> Date? {
        try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
    }

    /// How the sources differ from the commit, a line for each file.
    private var changes: Data? {
        let git = Process()
        git.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        git.arguments = [
            "git", "-C", root.path, "status", "--porcelain", "--", "Package.swift", "Sources",
        ]
        // A hook of Git's own names another checkout, and nothing is to be written here.
        git.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("GIT_") }
            .merging(["GIT_OPTIONAL_LOCKS": "0"]) { $1 }
        let output = Pipe()
        git.standardOutput = output
        git.standardError = FileHandle.nullDevice
        guard (try? git.run()) != nil else { return nil }
        let lines = output.fileHandleForReading.readDataToEndOfFile()
        git.waitUntilExit()
        return git.terminationStatus == 0 ? lines : nil
    }
}
