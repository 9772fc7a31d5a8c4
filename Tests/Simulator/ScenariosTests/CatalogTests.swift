import AppCoordination
import Foundation
import Testing

@testable import Scenarios

@Suite("Parameters, requirements and files")
struct CatalogTests {
    @Test("Every parameter's default lies in its range and on its step (HN-05)")
    func defaults() {
        for parameter in ParameterCatalog.intercom.parameters {
            #expect(parameter.range.contains(parameter.defaultValue), "\(parameter.name)")
            #expect(parameter.defaultValue.isMultiple(of: parameter.step), "\(parameter.name)")
            #expect(!parameter.meaning.isEmpty && parameter.meaning.hasSuffix("."))
            #expect(!parameter.source.isEmpty)
        }
        #expect(ParameterCatalog.intercom.conflicts(in: IntercomConfiguration()).isEmpty)
    }

    @Test("Every parameter sets what it reads, and nothing that another reads (HN-05)")
    func independence() {
        let catalog = ParameterCatalog.intercom.parameters
        for parameter in catalog {
            let ends = [parameter.range.lowerBound, parameter.range.upperBound]
            for end in ends {
                var configuration = IntercomConfiguration()
                parameter.set(end, &configuration)
                for other in catalog {
                    let expected = other.name == parameter.name ? end : other.defaultValue
                    #expect(
                        other.value(configuration) == expected,
                        "\(parameter.name), \(other.name)"
                    )
                }
            }
        }
    }

    @Test("Parameter names are unique and in two parts (HN-05)")
    func names() {
        let names = ParameterCatalog.intercom.parameters.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.split(separator: ".").count == 2 })
    }

    @Test("The list of requirements has every group and a sentence for each id (HN-02)")
    func requirements() throws {
        let file = "Scenarios/\(RequirementList.fileName)"
        let list = try RequirementList.load(text: Fixture.files.read(file).get(), file: file)
        #expect(list.allSatisfy { $0.summary.hasSuffix(".") })
        for id in [
            "K-01a", "K-18", "D-19", "RS-15", "AN-20", "RP-07", "VP-09", "C-SRV-001",
            "S-VAD-004", "A-F-024", "A-NF-003", "HN-06",
        ] {
            #expect(list.contains { $0.id == id }, "\(id)")
        }
    }

    @Test("A list of requirements with mistakes says where they are (HN-02)")
    func brokenRequirements() {
        let error = #expect(throws: InvalidScenario.self) {
            try RequirementList.load(
                text: "K-12: Fine.\nk12: Not an id.\nK-13:\nK-12: Again.\n",
                file: "requirements.yaml"
            )
        }
        #expect(
            error?.diagnostics.map { "\($0.location.line ?? 0) \($0.code)" } == [
                "4 duplicate-key"
            ]
        )
    }

    @Test("Scenario files are found sorted, without the list of requirements (HN-02)")
    func files() throws {
        let found = try ScenarioFiles.find(under: "\(Fixture.repository)/Scenarios")
        #expect(found == found.sorted())
        #expect(found.contains { $0.hasSuffix("Scenarios/intercom/local-clean.yaml") })
        #expect(!found.contains { $0.hasSuffix("requirements.yaml") || $0.hasSuffix(".json") })
        let one = "\(Fixture.repository)/Scenarios/intercom/jam.yaml"
        #expect(try ScenarioFiles.find(under: one) == [one])
        #expect(throws: FileReadError(.missing)) { try ScenarioFiles.find(under: "/absent") }
    }

    @Test("A file that is not UTF-8 is refused as such (HN-02)")
    func encoding() throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("kodama-\(getpid())-latin.yaml").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data([0x76, 0xE9, 0x0A]).write(to: URL(fileURLWithPath: file))
        let error = #expect(throws: InvalidScenario.self) {
            try ScenarioLoader(vocabulary: Fixture.vocabulary).load(file: file)
        }
        #expect(
            error?.diagnostics.map(\.message) == ["cannot read '\(file)': it is not UTF-8 text"]
        )
    }
}
