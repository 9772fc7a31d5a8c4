import ArgumentParser
import Foundation
import Testing

@testable import KodamaCommand

@Suite("A new system")
struct NewSystemTests {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A folder of the test's own, which is gone afterwards.
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("new-system-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    private func write(_ arguments: String...) throws {
        try NewSystemCommand.parse(arguments).run()
    }

    /// The files under a folder by their paths there, without what a build leaves.
    private func files(in folder: URL) throws -> [String: String] {
        var files: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let isBuilt = path.hasPrefix(".build") || path == "Package.resolved"
            let file = folder.appendingPathComponent(path)
            guard !isBuilt, !file.hasDirectoryPath else { continue }
            files[path] = try String(contentsOf: file, encoding: .utf8)
        }
        return files
    }

    private func manifest(of package: String) throws -> String {
        try String(contentsOfFile: "\(package)/Package.swift", encoding: .utf8)
    }

    @Test("The package that is built and run as a test is what the command writes")
    func outside() throws {
        let package = SystemPackage(name: "ping", kodama: .folder("../../.."))
        let written = package.files.reduce(into: [:]) { $0[$1.path] = $1.text }
        let folder = Self.repository.appendingPathComponent("Tests/Outside/ping")
        let kept = try files(in: folder)
        #expect(Set(kept.keys) == Set(written.keys))
        for (path, text) in written {
            #expect(
                kept[path] == text,
                "\(path): write Tests/Outside/ping anew, by 'Scripts/outside --renew'"
            )
        }
    }

    @Test("A package is written whole, and refers to the folder that the command was built from")
    func written() throws {
        try withFolder { folder in
            try write("notes", "--in", folder)
            let written = try files(in: URL(fileURLWithPath: "\(folder)/notes"))
            #expect(written.count == SystemTemplate.files.count)
            let made = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(made == ["notes"])
            for (path, text) in written {
                #expect(!path.contains("__") && !text.contains("__"), "\(path)")
                #expect(!text.lowercased().split { !$0.isLetter }.contains("ping"), "\(path)")
            }
            let manifest = try #require(written["Package.swift"])
            let path = Self.repository.path
            #expect(manifest.contains(".package(name: \"kodama\", path: \"\(path)\")"))
        }
    }

    @Test("A folder is written relative to the package, as it was given; a URL as a branch")
    func sources() throws {
        try withFolder { folder in
            let outer = Outputs.reference(to: folder, from: "x")
            let way = Outputs.reference(to: Self.repository.path, from: "x")
            let kodama = way.isEmpty ? "." : way
            try write("notes", "--in", outer, "--kodama", kodama)
            let manifest = try manifest(of: "\(folder)/notes")
            let start = try #require(manifest.range(of: "path: \"")).upperBound
            let path = manifest[start...].prefix { $0 != "\"" }
            #expect(path.hasPrefix("../"))
            #expect(Outputs.place("\(folder)/notes/\(path)") == Outputs.place(Self.repository.path))

            let url = "https://example.org/team/Echo.git"
            try write("tea", "--in", folder, "--kodama", url)
            let other = try self.manifest(of: "\(folder)/tea")
            #expect(other.contains(".package(url: \"\(url)\", branch: \"main\")"))
            #expect(other.contains(".product(name: \"Kodama\", package: \"echo\")"))
        }
    }

    @Test("What is there is not written over, and nothing is left of what failed")
    func refusals() throws {
        try withFolder { folder in
            try write("notes", "--in", folder)
            let before = try files(in: URL(fileURLWithPath: folder))
            let again = #expect(throws: Failure.self) { try write("notes", "--in", folder) }
            #expect(again?.status == .cannotWrite)
            #expect(again?.message.contains("is there already") == true)
            let inFile = #expect(throws: Failure.self) {
                try write("tea", "--in", "\(folder)/notes/README.md")
            }
            #expect(inFile?.status == .cannotWrite)
            let nowhere = #expect(throws: Failure.self) {
                try write("tea", "--in", folder, "--kodama", "\(folder)/notes/Sources")
            }
            #expect(nowhere?.status == .inputMissing)
            #expect(nowhere?.message.contains("no Package.swift") == true)
            let after = try files(in: URL(fileURLWithPath: folder))
            #expect(after == before)
        }
    }

    @Test(
        "A name is a word that scenarios, Swift and the trace can all use",
        arguments: [
            ("", "lowercase letter"), ("Notes", "lowercase letter"),
            ("my-notes", "lowercase letter"), ("2notes", "lowercase letter"),
            ("nötes", "lowercase letter"), ("a/b", "lowercase letter"),
            (String(repeating: "a", count: 31), "at most 30"), ("class", "Swift reserves"),
            ("in", "Swift reserves"), ("phone", "this command knows network, people, phone, world"),
            ("kodama", "called like"), ("main", "called like"), ("app", "called like"),
        ]
    )
    func names(name: String, reason: String) throws {
        try withFolder { folder in
            let error = #expect(throws: Failure.self) { try write("--in", folder, "--", name) }
            #expect(error?.status == .usage)
            #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(left.isEmpty)
        }
    }
}
