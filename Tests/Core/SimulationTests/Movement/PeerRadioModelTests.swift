@testable import KodamaSimulation
import SansIO
import Testing

@Suite("How far peer radios reach (D-09)")
struct PeerRadioModelTests {
    /// Worked out apart from this code, in Python: 20·lg(4πd/λ), and 20·lg(d/R) beyond R = 4·h²/λ, for
    /// λ = 57.4315 mm and h = 1 m.
    @Test(
        "The path loss is free space up to the break point at 69.65 m, and 40 dB a decade beyond",
        arguments: [
            (5_000, 60_780), (20_000, 72_822), (60_000, 82_364), (85_000, 87_120),
            (100_000, 89_943), (150_000, 96_986), (300_000, 109_028),
        ] as [(Int64, Int64)]
    )
    func pathLoss(_ distance: Int64, _ expected: Int64) {
        let loss = PeerRadioModel.pathLossMilliDecibels(atMillimetres: distance)
        #expect(abs(loss - expected) <= 2, "\(loss)")
    }

    @Test("Two who stand together lose nothing, 3 % at 85 m, half at 134 m, everything at 250 m")
    func loss() {
        func lost(_ metres: Int64) -> Int32 {
            let path = PeerRadioModel.pathLossMilliDecibels(atMillimetres: metres * 1_000)
            let margin = PeerRadioModel().budgetMilliDecibels - path
            return PeerRadioModel.loss(atMarginMilliDecibels: margin).partsPerMillion
        }
        #expect(lost(0) == 0 && lost(5) <= 1)
        #expect((30_000...40_000).contains(lost(85)))
        #expect((500_000...530_000).contains(lost(134)))
        #expect(lost(250) >= 999_990)
        let losses = (1...400).map { lost($0) }
        #expect(losses == losses.sorted(), "further is never better")
    }

    @Test("Shadowing keeps its deviation, and forgets 0.3 of itself within 10 m")
    func shadowing() {
        let model = PeerRadioModel()
        var random = RandomStream(seed: 1, purpose: "shadowing", entity: "test")
        var values = [model.draw(&random)]
        for _ in 0..<40_000 {
            values.append(model.shadowing(after: values[values.count - 1], walked: 10_000, &random))
        }
        let power = values.reduce(0) { $0 + Double($1) * Double($1) } / Double(values.count)
        let deviation = power.squareRoot()
        #expect((4_200...4_400).contains(deviation), "\(deviation)")
        let product = zip(values, values.dropFirst()).reduce(0) { $0 + Double($1.0) * Double($1.1) }
        let correlation = product / Double(values.count - 1) / power
        #expect((0.285...0.315).contains(correlation), "\(correlation)")
        let still = model.shadowing(after: 3_000, walked: 0, &random)
        #expect(still == 3_000, "who stands keeps it")
    }
}
