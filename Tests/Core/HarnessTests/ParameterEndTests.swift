import KodamaShipped
@testable import KodamaHarness
@testable import KodamaLanguage
import SansIO
import Testing

@Suite("Every parameter at its ends, and beyond them")
struct ParameterEndTests {
    /// Everything that has parameters, at work for some seconds.
    private static func load(_ settings: [String]) throws(InvalidScenario) -> Scenario {
        let text = """
            version: 2
            scenario: ends
            duration: 6s
            voice: sized
            phones:
              - name: left
                radios: { wifi: wifi-internet, cellular: lte-good }
                apps: { session: { opens: 0s }, intercom: { group: hill } }
              - name: right
                radios: { wifi: wifi-internet }
                apps: { intercom: { group: hill }, calls: { user: ann, answers: 1s, hangs_up: 2s } }
              - { name: third, radios: { wifi: wifi-internet }, apps: { calls: { user: ben } } }
              - name: fourth
                radios: { wifi: wifi-internet }
                apps: { replica: { user: ben } }
            links:
              - { between: [left, right], profile: local-clean }
            people:
              - { name: ann, holds: left }
              - { name: ben, holds: right }
            talk:
              - { conversation: p59, between: [ann, ben] }
            timeline:
              - { at: 1s, do: { call: { from: third, to: ann } } }
              - { at: 2s, do: { write: { on: fourth, rows: 5, every: 100ms } } }
              - { at: 3s, do: { outage: { of: left, for: 1s } } }
              - { at: 3s, do: { write: { web: ben, rows: 5, every: 100ms } } }

            """
        return try ScenarioLoader(vocabulary: ScenarioVocabulary(systems: .shipped))
            .load(text: text, file: "ends.yaml", settings: settings)
    }

    private static func setting(_ name: String, _ value: Int64) throws -> String {
        let parameter = try #require(Vocabularies.shipped.parameters[name])
        return "\(name)=\(parameter.text(of: value))"
    }

    /// The setting, with those that it must go together with moved along.
    private static func settings(_ parameter: Parameter, _ value: Int64) throws -> [String] {
        var values = [(name: parameter.name, value: value)]
        var tuning = Tuning()
        parameter.set(value, &tuning)
        // Constraints are short chains: a few rounds move everything that is in the way.
        for _ in 0..<8 {
            guard let conflict = Vocabularies.shipped.parameters.conflicts(in: tuning).first else {
                break
            }
            let settled = values.map(\.name)
            let name = try #require(conflict.parameters.first { !settled.contains($0) })
            let other = try #require(Vocabularies.shipped.parameters[name])
            let partner = try #require(conflict.parameters.first { $0 != name })
            let wanted = try #require(Vocabularies.shipped.parameters[partner]).value(tuning)
            let moved = min(max(wanted, other.range.lowerBound), other.range.upperBound)
            other.set(moved, &tuning)
            values.append((name, moved))
        }
        return try values.map { try setting($0.name, $0.value) }
    }

    @Test(
        "At its least and its greatest value everything loads and runs to its end",
        arguments: Vocabularies.shipped.parameters.parameters.map(\.name)
    )
    func ends(name: String) throws {
        let parameter = try #require(Vocabularies.shipped.parameters[name])
        for value in [parameter.range.lowerBound, parameter.range.upperBound] {
            let scenario = try Self.load(try Self.settings(parameter, value))
            let isIdle = scenario.warnings.contains { $0.code == "parameter-of-nobody" }
            #expect(!isIdle, "no phone has the app that it is of")
            let outcome = try SingleRun(plan: scenario.points[0].plan, seed: 1, material: nil)
                .measure()
            #expect(outcome.eventCount > 0)
        }
    }

    @Test(
        "One step beyond its ends it is refused, with both ends",
        arguments: Vocabularies.shipped.parameters.parameters.map(\.name)
    )
    func beyond(name: String) throws {
        let parameter = try #require(Vocabularies.shipped.parameters[name])
        switch parameter.kind {
        case .boolean, .choice:
            #expect(try refusals(of: "\(name)=beyond").count == 1)
        case .quantity, .integer:
            for value in [
                parameter.range.lowerBound - parameter.step,
                parameter.range.upperBound + parameter.step,
            ] {
                let setting = try Self.setting(name, value)
                let found = try refusals(of: setting)
                #expect(found.map(\.location.file) == ["--set \(setting)"])
            }
        }
    }

    private func refusals(of setting: String) throws -> [Diagnostic] {
        let error = #expect(throws: InvalidScenario.self, "\(setting)") {
            try Self.load([setting])
        }
        return try #require(error).diagnostics.filter { $0.severity == .error }
    }
}
