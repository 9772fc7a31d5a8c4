@testable import KodamaIntercom
import Testing

@Suite("The E-model (ITU-T G.107.2)")
struct EModelTests {
    /// MOS in thousandths by mouth-to-ear time in ms; for losses of 0, 0.5, 1, 2, 3, 5 and 10 %.
    ///
    /// The standard's formulas evaluated apart from this code, with a library's log2 and powers.
    private static let table: [(Int64, [Int64])] = [
        (100, [4240, 4137, 4032, 3822, 3621, 3263, 2622]),
        (150, [4235, 4132, 4026, 3815, 3613, 3255, 2613]),
        (200, [4143, 4028, 3913, 3687, 3476, 3107, 2462]),
        (250, [3923, 3789, 3657, 3408, 3182, 2800, 2162]),
        (300, [3671, 3521, 3377, 3112, 2877, 2492, 1879]),
        (400, [3217, 3052, 2898, 2623, 2389, 2021, 1483]),
        (1000, [2191, 2033, 1893, 1659, 1479, 1234, 1004]),
    ]
    private static let losses: [Int64] = [0, 5_000, 10_000, 20_000, 30_000, 50_000, 100_000]

    @Test("The estimate agrees with the formulas to a thousandth, over delay and loss")
    func scores() {
        for (milliseconds, row) in Self.table {
            for (loss, expected) in zip(Self.losses, row) {
                let score = EModel.meanOpinionScoreThousandths(
                    mouthToEarNanoseconds: milliseconds * 1_000_000,
                    lostPartsPerMillion: loss
                )
                #expect(score == expected, "\(milliseconds) ms, \(loss) ppm")
            }
        }
    }

    @Test("Losses in bursts score as G.107.2 has it, and worse than as many at random")
    func bursts() {
        // Worked by hand, 10 % lost three at a time: BurstR = 3 · 0.9 = 2.7,
        // Ie,eff = 20.2 + 111.8 · 10 / (10 / 2.7 + 11.3) = 94.7, R = 53.3 / 1.48 = 36.0.
        func score(_ loss: Int64, _ burst: Int64) -> Int64 {
            EModel.meanOpinionScoreThousandths(
                mouthToEarNanoseconds: 100_000_000,
                lostPartsPerMillion: loss,
                burstThousandths: burst
            )
        }
        #expect(score(100_000, 3_000) == 1_873)
        #expect(score(100_000, 1_111) == score(100_000, 1_000))
        #expect(score(100_000, 1_000) == 2_622)
        #expect(score(100_000, 3_000) < score(100_000, 1_000))
        #expect(score(0, 90_000) == score(0, 1_000))
        #expect(score(50_000, 90_000) == score(50_000, 9_000))
    }

    @Test("More delay and more loss never score better, and scores stay on the scale")
    func monotonic() {
        var above: [Int64] = []
        for milliseconds in stride(from: Int64(0), through: 5_000, by: 50) {
            let row = stride(from: Int64(0), through: 1_000_000, by: 20_000).map {
                EModel.meanOpinionScoreThousandths(
                    mouthToEarNanoseconds: milliseconds * 1_000_000,
                    lostPartsPerMillion: $0
                )
            }
            #expect(zip(row, row.dropFirst()).allSatisfy { $0 >= $1 })
            #expect(zip(above, row).allSatisfy { $0 >= $1 })
            #expect(row.allSatisfy { (1_000...4_500).contains($0) })
            above = row
        }
    }

    @Test("The logarithm and the sixth root are exact where the answer is a whole number")
    func elementaryFunctions() {
        for octaves in 0..<20 {
            #expect(EModel.binaryLogarithm(Double(1 << octaves)) == Double(octaves))
        }
        // log2(10), OEIS A020862.
        #expect(abs(EModel.binaryLogarithm(10) - 3.321928094887362) < 1e-15)
        #expect(EModel.sixthRootOfOnePlusSixthPower(0) == 1)
        // The sixth root of 65, by 65 = 2⁶ + 1.
        let root = EModel.sixthRootOfOnePlusSixthPower(2)
        let power = root * root * root * root * root * root
        #expect(abs(power - 65) < 1e-12)
    }
}
