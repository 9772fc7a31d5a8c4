import Foundation
@testable import KodamaHarness
@testable import KodamaLanguage
@testable import KodamaSession
@testable import KodamaShipped
import SansIO
import Testing

/// The shipped session scenarios, cut so short that tests can afford all of them.
private enum Shipped {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Scenarios")

    /// The names of the session scenarios.
    static let sessions: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: folder.appendingPathComponent("session").path
        )
        return (names ?? []).filter { $0.hasSuffix(".yaml") }.sorted()
    }()

    /// The plan of a scenario's first point, its first seconds and its first phones alone.
    static func plan(_ name: String, lasting longest: Duration = .seconds(25)) throws -> WorldPlan {
        let file = folder.appendingPathComponent("session/\(name)").path
        let scenario = try ScenarioLoader(
            vocabulary: ScenarioVocabulary(for: file, systems: .shipped)
        ).load(file: file)
        var plan = try #require(scenario.points.first).plan
        plan.duration = min(plan.duration, longest)
        let kept = Set(plan.phones.prefix(20).map(\.name))
        plan.phones.removeAll { !kept.contains($0.name) }
        return plan
    }

    /// A phone with radios and the session app, which nobody ever opens.
    static func bystander(_ name: String, of plan: WorldPlan) -> PhonePlan {
        var phone = PhonePlan(name: name)
        phone.radios = plan.phones[0].radios
        phone.apps = [AppPlan(SessionAppPlan(), start: .closed)]
        return phone
    }
}

@Suite("What has nothing to do with each other draws nothing from each other")
struct IndependenceTests {
    @Test(
        "A phone that does nothing, before or behind the others, leaves every record of a shipped session scenario as it was (HN-01)",
        arguments: Shipped.sessions
    )
    func bystander(name: String) throws {
        let plan = try Shipped.plan(name)
        let without = try SingleRun(plan: plan, seed: 1, material: nil).measure()
        #expect(without.components.count > 1)
        for (bystander, position) in [("aaa-idle", 0), ("zzz-idle", plan.phones.count)] {
            var crowded = plan
            crowded.phones.insert(Shipped.bystander(bystander, of: plan), at: position)
            let with = try SingleRun(plan: crowded, seed: 1, material: nil).measure()
            for component in without.components {
                #expect(with.components.contains(component), "\(bystander): \(component.name)")
            }
        }
    }

    @Test("Every shipped session scenario is among them")
    func all() {
        #expect(Shipped.sessions.count > 40)
    }
}
