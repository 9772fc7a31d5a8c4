import Foundation
import Testing

@testable import KodamaCommand

@Suite("What a program was built from")
struct CheckoutTests {
    /// A checkout with one source and a program, which is gone afterwards.
    private final class Example {
        let root = FileManager.default.temporaryDirectory
            .appendingPathComponent("checkout-\(UUID().uuidString)")
        var program: URL { url(".build/release/kodama") }

        init() throws {
            try git("init", "--quiet", root.path)
            try write(".build/\n", to: ".gitignore")
            try write("// 6.3\n", to: "Package.swift")
            try write("let one = 1\n", to: "Sources/one.swift")
            try write("let two = 2\n", to: "Sources/two.swift")
            try commit()
            try build()
        }

        deinit { try? FileManager.default.removeItem(at: root) }

        func url(_ path: String) -> URL { root.appendingPathComponent(path) }

        func write(_ text: String, to path: String) throws {
            let file = url(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }

        /// Writes the program; what is written after it is newer, by more than a file's time is coarse.
        func build() throws {
            try write("", to: ".build/release/kodama")
            Thread.sleep(forTimeInterval: 0.05)
        }

        func commit() throws {
            try git("-C", root.path, "add", "--all")
            try git("-C", root.path, "commit", "--quiet", "--message", "one")
        }

        func git(_ arguments: String...) throws {
            let git = Process()
            git.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            git.arguments = ["git", "-c", "user.name=a", "-c", "user.email=a@b"] + arguments
            try git.run()
            git.waitUntilExit()
            try #require(git.terminationStatus == 0, "\(arguments)")
        }

        /// What is said of the program.
        func isModified() throws -> Bool? {
            try #require(Checkout(above: program)).isModified(since: program)
        }
    }

    @Test(
        "A program of the commit's own sources is that commit's, if they are committed later too (HN-04)"
    )
    func same() throws {
        let example = try Example()
        #expect(try example.isModified() == false)
        try example.write("let one = 3\n", to: "Sources/one.swift")
        try example.build()
        #expect(try example.isModified() == true)
        try example.commit()
        #expect(try example.isModified() == false)
        // What no build reads changes no program.
        try example.write("version: 2\n", to: "Scenarios/a.yaml")
        #expect(try example.isModified() == false)
    }

    @Test("One that other sources were built into is not, whatever Git says now (HN-04)")
    func other() throws {
        let example = try Example()
        try example.write("let one = 3\n", to: "Sources/one.swift")
        try example.build()
        try example.write("let one = 1\n", to: "Sources/one.swift")
        #expect(try example.isModified() == true, "built from what is put back since")
        try example.build()
        #expect(try example.isModified() == false)
        try FileManager.default.removeItem(at: example.url("Sources/two.swift"))
        try example.commit()
        #expect(try example.isModified() == true, "built from what is gone since")
        try example.write("let three = 3\n", to: "Sources/three.swift")
        try example.build()
        #expect(try example.isModified() == true, "built from what is not committed")
    }

    @Test("Outside of a checkout nothing is said")
    func outside() {
        #expect(Checkout(above: URL(fileURLWithPath: "/usr/bin/env")) == nil)
    }
}
