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
}
