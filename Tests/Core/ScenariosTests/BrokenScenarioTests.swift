import Foundation
@testable import KodamaLanguage
import Testing

@Suite("Broken scenarios")
struct BrokenScenarioTests {
    static let names: [String] = {
        let paths = (try? ScenarioFiles.find(under: "\(Fixture.folder)/Broken")) ?? []
        return paths.map { URL(fileURLWithPath: $0) }
            .filter { $0.deletingLastPathComponent().lastPathComponent == "Broken" }
            .map { $0.deletingPathExtension().lastPathComponent }
    }()

    @Test("The corpus holds at least eighty broken scenarios (HN-02)")
    func corpusSize() {
        #expect(Self.names.count >= 80)
    }

    @Test("Every broken scenario is answered with its golden messages (HN-02)", arguments: names)
    func messages(of name: String) throws {
        let text = try Fixture.files.read("Broken/\(name).yaml").get()
        let printed: String
        do throws(InvalidScenario) {
            let scenario = try Fixture.loader.load(text: text, file: "Broken/\(name).yaml")
            Issue.record("\(name).yaml loads as \(scenario.name)")
            return
        } catch {
            printed = error.description + "\n"
        }
        try Golden.check(printed, "Broken/\(name).txt")
    }

    @Test("Every diagnostic of the corpus stands on an existing line and column (HN-02)")
    func places() throws {
        for name in Self.names {
            let text = try Fixture.files.read("Broken/\(name).yaml").get()
            do throws(InvalidScenario) {
                _ = try Fixture.loader.load(text: text, file: "Broken/\(name).yaml")
            } catch {
                #expect(!error.diagnostics.isEmpty)
                for diagnostic in error.diagnostics {
                    let line = try #require(diagnostic.sourceLine, "\(name): \(diagnostic)")
                    let end = line.unicodeScalars.count + 1
                    #expect((1...end).contains(diagnostic.location.column), "\(name)")
                }
            }
        }
    }
}
