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

    @Test("A set whose process was killed at its names is finished, and no other is touched")
    func finish() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("finish-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func put(_ files: [String: String]) throws {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
            }
            for (name, text) in files {
                try Data(text.utf8).write(to: folder.appendingPathComponent(name))
            }
        }
        func texts() throws -> [String: String] {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let texts = try names.map { name in
                let url = folder.appendingPathComponent(name)
                return (name, String(decoding: try Data(contentsOf: url), as: UTF8.self))
            }
            return Dictionary(uniqueKeysWithValues: texts)
        }
        let whole = ["a": "new", "b": "new", "seal": "new"]
        let torn: [[String: String]] = [
            ["a": "old", "b": "old", "a.9.part": "new", "b.9.part": "new", "seal.9.part": "new"],
            ["a": "new", "b": "old", "b.9.part": "new", "seal.9.part": "new"],
            ["a": "new", "b": "new", "seal.9.part": "new"],
        ]
        // No process has so high a number.
        func gone(_ files: [String: String]) -> [String: String] {
            let files = files.map {
                ($0.key.replacingOccurrences(of: ".9.", with: ".99999999."), $0.value)
            }
            return Dictionary(uniqueKeysWithValues: files)
        }
        for files in torn {
            try put(gone(files))
            for _ in 0..<2 {
                try WholeFile.finish(["seal", "a", "b"], seal: "seal", in: folder.path)
                #expect(try texts() == whole)
            }
        }
        // A process that lives goes on itself; a draft of nothing was just begun; a seal says that all is there.
        let others: [[String: String]] = [
            ["a": "old", "a.1.part": "new", "seal.1.part": "new"],
            gone(["a": "old", "a.9.part": "new", "seal.9.part": ""]),
            gone(["a": "old", "a.9.part": "new", "seal": "old", "seal.9.part": "new"]),
            gone(["a": "old", "a.9.part": "new"]),
        ]
        for files in others {
            try put(files)
            try WholeFile.finish(["seal", "a", "b"], seal: "seal", in: folder.path)
            #expect(try texts() == files)
        }
    }
}
