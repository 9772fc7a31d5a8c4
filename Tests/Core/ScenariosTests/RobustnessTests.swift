import Foundation
@testable import KodamaLanguage
import Testing

@Suite("Robustness of the loader")
struct RobustnessTests {
    /// Numbers for mutations; any fixed sequence does.
    struct Numbers {
        var state: UInt64

        mutating func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(max(1, bound)))
        }
    }

    private static let noise: [Unicode.Scalar] = Array(
        "{}[]:,-&*#?|>!%@`'\"\\ \t\n0aé木\u{FEFF}\u{85}\u{0}".unicodeScalars
    )

    /// One random change: a deletion, a line twice, a swap, or a character from the noise.
    private static func mutate(_ text: String, _ numbers: inout Numbers) -> String {
        var scalars = Array(text.unicodeScalars)
        guard !scalars.isEmpty else { return "x" }
        let place = numbers.below(scalars.count)
        switch numbers.below(5) {
        case 0:
            scalars.removeSubrange(place..<min(scalars.count, place + 1 + numbers.below(12)))
        case 1:
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let line = numbers.below(lines.count)
            lines.insert(lines[line], at: numbers.below(lines.count))
            return lines.joined(separator: "\n")
        case 2:
            scalars.swapAt(place, numbers.below(scalars.count))
        case 3:
            scalars[place] = noise[numbers.below(noise.count)]
        default:
            scalars.insert(noise[numbers.below(noise.count)], at: place)
        }
        return SourceText.string(scalars)
    }

    @Test(
        "No mutation of a valid scenario stops the loader from answering (HN-02)",
        arguments: 0..<8
    )
    func mutations(seed: Int) throws {
        var numbers = Numbers(state: UInt64(seed))
        let texts = [
            Fixture.valid,
            try Fixture.files.read("Scenarios/intercom/outage.yaml").get(),
            try Fixture.files.read("Broken/alias-reports-both-places.yaml").get(),
        ]
        for round in 0..<150 {
            var text = texts[round % texts.count]
            for _ in 0...numbers.below(4) { text = Self.mutate(text, &numbers) }
            do throws(InvalidScenario) {
                _ = try Fixture.loader.load(text: text, file: "Scenarios/intercom/x.yaml")
            } catch {
                #expect(!error.diagnostics.isEmpty, "an error without a diagnostic:\n\(text)")
                for diagnostic in error.diagnostics {
                    #expect(diagnostic.location.column >= 1)
                    #expect(!diagnostic.description.isEmpty)
                }
            }
        }
    }

    @Test("Aliases that multiply are refused before they fill the memory (HN-02)")
    func multiplyingAliases() {
        var text = "version: 2\nx-0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
        for level in 1...9 {
            let uses = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
            text += "x-\(level): &a\(level) [\(uses)]\n"
        }
        let error = #expect(throws: InvalidScenario.self) {
            try Fixture.loader.load(text: text, file: "laughs.yaml")
        }
        #expect(error?.diagnostics.map(\.code) == ["too-large"])
    }

    @Test("Values nested ten thousand deep are refused (HN-02)")
    func deepNesting() {
        for opening in ["[", "{a: ", "- ", "? "] {
            let text = "version: 2\nx: " + String(repeating: opening, count: 10_000)
            #expect(throws: InvalidScenario.self) {
                try Fixture.loader.load(text: text, file: "deep.yaml")
            }
        }
    }

    @Test("A scenario of a thousand lines loads; the time is reported, not judged (HN-02)")
    func longScenario() throws {
        var text = "version: 2\nscenario: long\nduration: 1h\nphones:\n"
        for index in 0..<200 { text += "  - name: phone-\(index)\n    apps: { intercom: {} }\n" }
        text += "links:\n"
        for index in 1..<150 {
            text += "  - between: [phone-\(index - 1), phone-\(index)]\n"
            text += "    profile: local-clean\n    loss: 1%\n"
        }
        text += "timeline:\n"
        for index in 1..<75 {
            text += "  - at: \(index)s\n"
            text += "    do: { stop: { link: phone-\(index - 1)/phone-\(index), for: 1s } }\n"
        }
        text += "expect:\n  - invariant: voice.order-kept\n"
        let lines = text.split(separator: "\n").count
        #expect(lines >= 1000)
        let clock = ContinuousClock()
        let elapsed = try clock.measure {
            _ = try Fixture.loader.load(text: text, file: "long.yaml")
        }
        print("a scenario of \(lines) lines loads in \(elapsed)")
    }
}
