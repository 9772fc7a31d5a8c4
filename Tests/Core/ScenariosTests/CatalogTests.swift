import AppCoordination
import Foundation
@testable import KodamaLanguage
@testable import KodamaPhone
@testable import KodamaSession
import PeerTransport
import RealtimeVoice
import Testing

@Suite("Parameters, requirements and files")
struct CatalogTests {
    @Test("Every parameter's default lies in its range and on its step (HN-05)")
    func defaults() {
        for parameter in Vocabularies.shipped.parameters.parameters {
            #expect(parameter.range.contains(parameter.defaultValue), "\(parameter.name)")
            #expect(parameter.defaultValue.isMultiple(of: parameter.step), "\(parameter.name)")
            #expect(!parameter.meaning.isEmpty && parameter.meaning.hasSuffix("."))
            #expect(!parameter.source.isEmpty)
        }
        #expect(Vocabularies.shipped.parameters.conflicts(in: Tuning()).isEmpty)
    }

    @Test("No range has a figure that gives up every healthy room, or runs for ever (HN-05)")
    func soundRanges() throws {
        for name in ["watchdog.suspect_after", "rooms.token_refresh_interval"] {
            let parameter = try #require(Vocabularies.shipped.parameters[name])
            #expect(parameter.range.lowerBound == 1_000_000_000, "\(name)")
        }
    }

    @Test("Every parameter sets what it reads, and nothing that another reads (HN-05)")
    func independence() {
        let catalog = Vocabularies.shipped.parameters.parameters
        for parameter in catalog {
            let ends = [parameter.range.lowerBound, parameter.range.upperBound]
            for end in ends {
                var configuration = Tuning()
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

    @Test("Parameter names are unique, in parts, and none is another one's group (HN-05)")
    func names() {
        let names = Vocabularies.shipped.parameters.parameters.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.split(separator: ".").count >= 2 })
        for name in names { #expect(!names.contains { $0.hasPrefix("\(name).") }, "\(name)") }
    }

    @Test("Every figure of the session app, its SDK and the servers is a parameter (HN-05)")
    func completeness() {
        func figures(_ tuning: Tuning) -> [String: String] {
            var leaves: [String: String] = [:]
            // As the vocabulary makes an app of them.
            var voice = tuning[VoiceAppConfiguration.self]
            voice.audio = tuning[AudioAdaptation.self]
            for (path, part) in [
                ("voice", voice),
                ("sdk", tuning[RoomClientConfiguration.self]),
                ("phone", tuning[PhoneSystemConfiguration.self]),
                ("services", tuning[ServicesPlan.self]),
            ] as [(String, Any)] {
                Self.collect(part, path, into: &leaves)
            }
            return leaves
        }
        let standard = figures(Tuning())
        var untouched = Set(standard.keys)
        for parameter in Vocabularies.shipped.parameters.parameters {
            for end in [parameter.range.lowerBound, parameter.range.upperBound] {
                var tuning = Tuning()
                parameter.set(end, &tuning)
                let changed = figures(tuning)
                untouched = untouched.filter { changed[$0] == standard[$0] }
            }
        }
        #expect(
            untouched.sorted() == [],
            "add a line for each to the parameters of Systems/Session or Systems/Phone"
        )
    }

    /// The figures of a value by path, down to what has no parts.
    private static func collect(_ value: Any, _ path: String, into leaves: inout [String: String]) {
        let mirror = Mirror(reflecting: value)
        let isLeaf = mirror.children.isEmpty || value is Duration || mirror.displayStyle == .enum
        guard !isLeaf else { return leaves[path] = "\(value)" }
        for child in mirror.children {
            collect(child.value, "\(path).\(child.label ?? "")", into: &leaves)
        }
    }

    @Test("The source designs' figures are a preset of both apps (D-07, D-15)")
    func presets() {
        #expect(Vocabularies.shipped.tuning(of: .standard) == Tuning())
        let tuning = Vocabularies.shipped.tuning(of: .asSpecified)
        #expect(tuning[VoiceAppConfiguration.self] == .asSpecified)
        #expect(tuning[IntercomConfiguration.self].jitterBuffer.floor == .milliseconds(20))
        #expect(tuning[IntercomConfiguration.self].jitterBuffer.ceiling == .milliseconds(60))
        #expect(tuning[ServicesPlan.self] == ServicesPlan())
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
                "2 bad-requirement-id", "3 missing-value", "4 duplicate-key",
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

    @Test("A file whose name is not UTF-8 is refused as such (HN-02)")
    func nameEncoding() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("kodama-\(getpid())-names").path
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var bytes = Array("\(folder)/a".utf8)
        bytes.append(0xFF)
        bytes += Array(".yaml".utf8)
        bytes.append(0)
        let path = bytes.map { CChar(bitPattern: $0) }
        // Not every file system takes such a name.
        guard let file = fopen(path, "w") else { return }
        fclose(file)
        defer { unlink(path) }
        let named = "\(folder)/a\u{FFFD}.yaml"
        #expect(throws: FileReadError(.nameNotUTF8, path: named)) {
            try ScenarioFiles.find(under: folder)
        }
        #expect(throws: FileReadError(.nameNotUTF8)) { try ScenarioFiles.find(under: named) }
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
