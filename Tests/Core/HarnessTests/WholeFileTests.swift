import Foundation
import Testing

@testable import KodamaHarness

@Suite("Files are written whole or not at all")
struct WholeFileTests {
    @Test("Of files that belong together none is new while one of them cannot be written")
    func together() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("whole-\(UUID().uuidString)")
        let inner = folder.appendingPathComponent("inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = ["a", "b", "inner"]
        func write(_ text: String, to names: [String]) throws {
            try WholeFile.write(names.map { ("\(folder.path)/\($0)", Data(text.utf8)) })
        }
        func texts() throws -> [String] {
            try ["a", "b"].map { name in
                let url = folder.appendingPathComponent(name)
                return String(decoding: try Data(contentsOf: url), as: UTF8.self)
            }
        }
        try write("old", to: ["a", "b"])
        for _ in 0..<2 {
            #expect(throws: WholeFile.WriteError.self) { try write("new", to: names) }
            #expect(try texts() == ["old", "old"])
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left.sorted() == names, "no draft is left")
        }
        try write("new", to: ["a", "b"])
        #expect(try texts() == ["new", "new"])
    }

    @Test("Drafts of processes that were killed go when their file is written again, others stay")
    func abandoned() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("drafts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // No process has so high a number; the first one lives, and a name is no number.
        let drafts = [
            "a.99999999.part", "a.1.part", "a.old.part", "b.99999999.part", "99999999.part",
        ]
        for draft in drafts { try Data().write(to: folder.appendingPathComponent(draft)) }
        for _ in 0..<2 {
            try WholeFile.write(Data("new".utf8), to: "\(folder.path)/a")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left.sorted() == (["a"] + drafts.dropFirst()).sorted())
        }
    }

    @Test("A set has its seal again once all of it is new, and keeps it where none is written")
    func seal() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("seal-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = ["seal", "a"].map { "\(folder.path)/\($0)" }
        for text in ["old", "new"] {
            try WholeFile.write(paths.map { ($0, Data(text.utf8)) }, seal: paths[0])
            for path in paths {
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(text.utf8))
            }
        }
        // A folder has come in place of one: nothing is written.
        try FileManager.default.removeItem(atPath: paths[1])
        let torn = [(paths[0], Data()), (paths[1], Data())]
        try FileManager.default.createDirectory(atPath: paths[1], withIntermediateDirectories: true)
        #expect(throws: WholeFile.WriteError.self) {
            try WholeFile.write(torn, seal: paths[0])
        }
        #expect(FileManager.default.fileExists(atPath: paths[0]), "nothing had begun")
    }
}
