import Foundation
@testable import KodamaLanguage
import Testing

@Suite("JSON Schema")
struct SchemaTests {
    /// The kinds of mistakes that a schema can see.
    private static let shapeCodes: Set<String> = [
        "unknown-key", "missing-key", "wrong-kind", "missing-value", "choose-one",
        "exclusive-keys", "wrong-count", "unsupported-version", "not-boolean", "not-integer",
        "missing-unit", "unknown-unit", "not-a-quantity", "wrong-unit", "bad-name", "not-text",
        "unknown-choice", "unknown-profile", "unknown-metric", "unknown-invariant",
        "unknown-requirement", "unknown-event", "unknown-voice", "unknown-parameter", "not-a-limit",
        "key-of-other", "parameter-out-of-place", "not-a-time-of-day", "old-key",
    ]

    /// Mistakes with such a code that are none of shape after all, and why.
    private static let exceptions: [String: String] = [
        "faults-without-kinds": "that one of thirteen keys must stand is left to the loader",
        "sweep-value-of-another-kind": "a swept value is read where it is used",
        "sweep-limit-of-another-kind": "a swept value is read where it is used",
        "octal": "editors read 010 as the integer 10",
        "gate-without-statistic": "which statistics there are depends on the metric",
        "limit-in-another-unit": "the unit depends on the metric",
        "share-above-a-share": "the unit depends on the metric",
        "session-without-radios": "which keys a phone needs depends on its apps",
        "session-parameter-of-the-intercom": "which figures a phone has depends on its apps",
    ]

    private func schema() throws -> SchemaValidator {
        try SchemaValidator(ScenarioSchema.json(vocabulary: Fixture.vocabulary))
    }

    private func node(_ text: String) throws -> SyntaxNode {
        try #require(YAMLReader.read(SourceText(text, file: "x.yaml")).root)
    }

    @Test("The schema accepts every shipped scenario (HN-02)")
    func shipped() throws {
        let loader = try Fixture.standardLoader()
        let schema = try SchemaValidator(ScenarioSchema.json(vocabulary: loader.vocabulary))
        for file in try Fixture.shipped() {
            let text = try Fixture.files.read(file).get()
            #expect(try schema.accepts(node(text)), "\(file)")
            // What `resolve` prints is a scenario as well.
            let resolved = try loader.load(file: file).resolved.yaml
            #expect(try schema.accepts(node(resolved)), "\(file), resolved")
        }
        #expect(try self.schema().accepts(node(Fixture.valid)))
    }

    @Test("The schema rejects every broken scenario that is wrong in shape (HN-02)")
    func broken() throws {
        let schema = try schema()
        var judged = 0
        for name in BrokenScenarioTests.names {
            let file = "Broken/\(name).yaml"
            let text = try Fixture.files.read(file).get()
            guard let root = YAMLReader.read(SourceText(text, file: file)).root else { continue }
            do throws(InvalidScenario) {
                _ = try Fixture.loader.load(text: text, file: file)
            } catch {
                // What stands in another file is not this file's shape.
                let own = error.diagnostics.filter { $0.location.file == file }
                let isShape = own.contains { Self.shapeCodes.contains($0.code) }
                guard isShape else { continue }
                guard Self.exceptions[name] == nil else {
                    #expect(try schema.accepts(root), "\(name) is no exception any more")
                    continue
                }
                judged += 1
                #expect(try !schema.accepts(root), "\(name) passes the schema")
            }
        }
        #expect(judged >= 40)
    }

    @Test("The schema is the same text every time, keys sorted, and draft 7 (HN-02)")
    func stable() throws {
        let one = ScenarioSchema.json(vocabulary: Fixture.vocabulary)
        #expect(one == ScenarioSchema.json(vocabulary: Fixture.vocabulary))
        #expect(one.contains("\"$schema\": \"http://json-schema.org/draft-07/schema#\""))
        #expect(one.hasSuffix("}\n"))
        let parsed = try JSONSerialization.jsonObject(with: Data(one.utf8))
        #expect(parsed is [String: Any])
    }

    @Test("Every parameter stands in the schema with meaning and default (HN-05)")
    func parameters() throws {
        let json = ScenarioSchema.json(vocabulary: Fixture.vocabulary)
        for parameter in Vocabularies.shipped.parameters.parameters {
            #expect(json.contains("\"\(parameter.name)\": {"))
            #expect(json.contains(parameter.meaning))
        }
    }
}
