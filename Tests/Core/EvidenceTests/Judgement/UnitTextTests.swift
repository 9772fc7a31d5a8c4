@testable import KodamaEvidence
import SansIOTesting
import Testing

@Suite("How values are written")
struct UnitTextTests {
    @Test(
        "Every number carries its unit and three significant digits",
        arguments: [
            (.nanoseconds, 93_400_000, "93.4 ms"), (.nanoseconds, 117_123_456, "117 ms"),
            (.nanoseconds, 2_345_678_901, "2.35 s"), (.nanoseconds, 0, "0 s"),
            (.nanoseconds, 1_500, "1.5 µs"), (.nanoseconds, 17, "17 ns"),
            (.nanoseconds, -20_050_000, "-20.1 ms"), (.nanoseconds, 3_600_000_000_000, "3,600 s"),
            (.partsPerMillion, 4_200, "0.42 %"), (.partsPerMillion, 1_000_000, "100 %"),
            (.partsPerMillion, 123_456, "12.3 %"), (.partsPerMillion, 7, "0.0007 %"),
            (.bytes, 12_345, "12,345 B"), (.bytes, 999, "999 B"), (.count, 1_234_567, "1,234,567"),
            (.thousandthsMOS, 4_123, "MOS 4.12"), (.thousandthsMOS, 4_000, "MOS 4"),
        ] as [(MetricUnit, Int64, String)]
    )
    func texts(unit: MetricUnit, value: Int64, text: String) {
        #expect(unit.text(value) == text)
    }

    @Test(
        "Limits are written exactly, as scenarios write them",
        arguments: [
            (.nanoseconds, 120_000_000, "120ms"), (.nanoseconds, 30_000_000_000, "30s"),
            (.nanoseconds, 1_500_000_000, "1.5s"), (.nanoseconds, 250_000, "250us"),
            (.nanoseconds, 1, "1ns"), (.nanoseconds, 0, "0s"), (.partsPerMillion, 5_000, "0.5%"),
            (.partsPerMillion, 400_000, "40%"), (.bytes, 12_345, "12345B"), (.count, 1_000, "1000"),
            (.thousandthsMOS, 3_600, "3.6"),
        ] as [(MetricUnit, Int64, String)]
    )
    func exactTexts(unit: MetricUnit, value: Int64, text: String) {
        #expect(unit.exactText(value) == text)
    }

    @Test("A value just beyond its limit does not look like it")
    func justBeyond() {
        #expect(
            MetricUnit.nanoseconds.texts(120_000_001, limit: 120_000_000) == (
                "120.000001 ms", "120 ms"
            )
        )
        #expect(
            MetricUnit.nanoseconds.texts(119_960_000, limit: 120_000_000) == ("119.96 ms", "120 ms")
        )
        #expect(
            MetricUnit.nanoseconds.texts(3_200_000_000, limit: 20_000_000) == ("3,200 ms", "20 ms")
        )
        #expect(
            MetricUnit.nanoseconds.texts(71_700_000, limit: 2_000_000_000) == ("71.7 ms", "2 s")
        )
        #expect(
            MetricUnit.nanoseconds.texts(999_999_500, limit: 1_000_000_000)
                == ("999.9995 ms", "1 s")
        )
        #expect(MetricUnit.nanoseconds.texts(0, limit: 20_000_000) == ("0 ms", "20 ms"))
        #expect(MetricUnit.partsPerMillion.texts(5_001, limit: 5_000) == ("0.5001 %", "0.5 %"))
        #expect(MetricUnit.partsPerMillion.texts(5_000, limit: 5_000) == ("0.5 %", "0.5 %"))
    }

    @Test("The printed value and limit order as the real ones, for 100,000 pairs")
    func order() {
        var random = LawRandom(seed: 1)
        func draw(_ random: inout LawRandom) -> Int64 {
            Int64(truncatingIfNeeded: random.next()) >> Int64(random.below(64))
        }
        for round in 0..<100_000 {
            let unit = MetricUnit.allCases[round % MetricUnit.allCases.count]
            let limit = draw(&random)
            let isNear = random.chance(percent: 50)
            let nearby = limit.addingReportingOverflow(draw(&random) >> 40)
            let value = isNear && !nearby.overflow ? nearby.partialValue : draw(&random)
            let texts = unit.texts(value, limit: limit)
            guard let shown = Decimal(texts.value), let bound = Decimal(texts.limit) else {
                Issue.record("\(texts) cannot be read")
                return
            }
            if (shown < bound) != (value < limit) || (shown == bound) != (value == limit) {
                Issue.record("\(value) and \(limit) are written as \(texts)")
                return
            }
        }
    }

    @Test("A confidence is never written as more than it is, nor with digits that nobody reads")
    func confidences() {
        #expect(MetricUnit.percentOfConfidence(950_000) == "95")
        // What is left of 95 % for each of six looks.
        #expect(MetricUnit.percentOfConfidence(991_667) == "99.16")
        #expect(MetricUnit.percentOfConfidence(999_999) == "99.99")
    }

    @Test("Rules read as in a scenario")
    func rules() {
        func rule(_ unit: MetricUnit, _ statistic: Statistic, _ limit: Int64) -> String {
            Gate(metric: "any", in: unit, statistic: statistic, comparison: .atMost, limit: limit)
                .ruleText
        }
        #expect(
            rule(.nanoseconds, .quantile(perMille: 999), 120_000_000) == "p99.9 <= 120ms"
        )
        #expect(rule(.nanoseconds, .maximum, 30_000_000_000) == "max <= 30s")
        #expect(rule(.nanoseconds, .count, 1_000) == "count <= 1000")
        #expect(rule(.partsPerMillion, .value, 5_000) == "value <= 0.5%")
        #expect(rule(.count, .value, 0) == "value <= 0")
        #expect(rule(.thousandthsMOS, .minimum, 4_000) == "min <= 4")
    }

    @Test(
        "Wilson's interval is the published one",
        arguments: [
            // Newcombe, Statistics in Medicine 17, 1998, table I, method 3.
            (81, 263, 255_300, 366_200), (15, 148, 62_400, 160_500), (0, 20, 0, 161_100),
            (1, 29, 6_100, 171_800),
        ] as [(Int64, Int64, Int64, Int64)]
    )
    func wilson(successes: Int64, trials: Int64, lower: Int64, upper: Int64) throws {
        let interval = try #require(WilsonInterval(successes: successes, trials: trials))
        #expect(abs(interval.lowerPartsPerMillion - lower) <= 50)
        #expect(abs(interval.upperPartsPerMillion - upper) <= 50)
    }

    @Test("The interval of no trial does not exist, that of all successes reaches 100 %")
    func ends() throws {
        #expect(WilsonInterval(successes: 0, trials: 0) == nil)
        #expect(
            try #require(WilsonInterval(successes: 5, trials: 5)).upperPartsPerMillion == 1_000_000
        )
    }
}

/// A printed number, read back exactly: whole part and nine decimals, times as nanoseconds.
private struct Decimal: Comparable {
    private var isNegative: Bool
    private var whole: UInt64
    private var fraction: UInt64

    init?(_ text: String) {
        isNegative = false
        whole = 0
        fraction = 0
        var decimals: Int?
        var hasDigits = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"):
                isNegative = true
            case UInt8(ascii: ".") where decimals == nil && hasDigits:
                decimals = 0
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                hasDigits = true
                if decimals == nil {
                    whole = whole * 10 + UInt64(byte - UInt8(ascii: "0"))
                } else {
                    fraction = fraction * 10 + UInt64(byte - UInt8(ascii: "0"))
                    decimals? += 1
                }
            case UInt8(ascii: "."):
                return nil
            default:
                break
            }
        }
        guard hasDigits, decimals ?? 0 <= 9 else { return nil }
        for _ in (decimals ?? 0)..<9 {
            fraction *= 10
        }
        // Times are compared in nanoseconds: a value may have a finer unit than its limit.
        let powers: [(unit: String, count: UInt64)] = [
            (" ns", 1), (" µs", 1_000), (" ms", 1_000_000), (" s", 1_000_000_000),
        ]
        if let power = powers.first(where: { text.hasSuffix($0.unit) })?.count {
            whole = whole * power + fraction / (1_000_000_000 / power)
            fraction = 0
        }
        if whole == 0, fraction == 0 {
            isNegative = false
        }
    }

    static func < (left: Decimal, right: Decimal) -> Bool {
        guard left.isNegative == right.isNegative else { return left.isNegative }
        let (low, high) = left.isNegative ? (right, left) : (left, right)
        return (low.whole, low.fraction) < (high.whole, high.fraction)
    }
}
