import KodamaShipped
@testable import KodamaLanguage
@testable import KodamaSimulation
@testable import KodamaWorld
import SansIO
import Testing

@Suite("Radios of people who walk (D-09)")
struct SeparationTests {
    /// What is lost between one who stands at the origin and one 40 m north of it, from the start of a run on.
    private func lost(_ ridges: [Ridge], seed: UInt64) throws -> Probability {
        var plan = WorldPlan(name: "ridge", duration: .seconds(60), systems: .shipped)
        for name in ["mika-phone", "taro-phone"] { plan.addPhone(name, group: nil) }
        plan.link("mika-phone", "taro-phone")
        let north = Position(eastMillimetres: 0, northMillimetres: 40_000)
        let walk = Walk([Walk.Stop(position: north, stay: .zero, speedMillimetresPerHour: 1)])
        plan.walks = [WalkPlan(phone: "mika-phone", walk: walk)]
        plan.ridges = ridges
        var separation = try #require(Separation(of: plan.links[0], in: plan, seed: seed))
        return separation.look(at: .zero).lost
    }

    @Test("A ridge between two takes the radio from them, one that ends beside them does not")
    func ridge() throws {
        func ridge(from: Int64, to: Int64) -> Ridge {
            Ridge(
                start: Position(eastMillimetres: from * 1_000, northMillimetres: 20_000),
                end: Position(eastMillimetres: to * 1_000, northMillimetres: 20_000),
                heightMillimetres: 8_000
            )
        }
        for seed in 1...5 as ClosedRange<UInt64> {
            let open = try lost([], seed: seed)
            #expect(open.partsPerMillion < 300_000, "\(seed): \(open)")
            #expect(try lost([ridge(from: -300, to: 300)], seed: seed).partsPerMillion > 900_000)
            #expect(try lost([ridge(from: 30, to: 300)], seed: seed) == open)
        }
    }
}
