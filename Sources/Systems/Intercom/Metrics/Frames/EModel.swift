import KodamaEvidence

/// The E-model's estimate of how listeners would rate a call: ITU-T G.107.2 (fullband).
///
/// R = 148 − Id − Ie,eff with Id = 1.48 · Idd and Ie,eff = Ie + (132 − Ie) · Ppl / (Ppl / BurstR + Bpl),
/// where BurstR is the mean length of loss bursts over that of random loss, 1 / (1 − Ppl). The Opus
/// factors, Ie 20.2 and Bpl 11.3 (super-wideband VBR, 25 kbit/s, random loss), are those of Alahmadi,
/// Pocta and Melvin, ACM TOMM 17(4) 133, 2021; there are none by the ITU. Their Bpl for bursts, 9.2,
/// is not used, since BurstR is. Only + − × ÷ √ are used, so all machines agree to the last bit.
enum EModel {
    /// The greatest R on the fullband scale.
    static let scaleTop = 148.0
    /// The least impairment by the codec.
    static let equipmentImpairment = 20.2
    /// How well the codec stands losses, in per cent.
    static let lossRobustness = 11.3
    /// The greatest BurstR that is applied, an assumption: longer bursts are interruptions, of which the
    /// formula does not speak.
    static let burstRatioMax = 8.0

    /// The estimated mean opinion score.
    ///
    /// - Parameters:
    ///   - mouthToEarNanoseconds: The mean one-way delay from mouth to ear.
    ///   - lostPartsPerMillion: The share of frames that the ear did not get.
    ///   - burstThousandths: The mean number of frames that it did not get in a row, in thousandths.
    /// - Returns: The score in thousandths, from 1,000 to 4,500.
    static func meanOpinionScoreThousandths(
        mouthToEarNanoseconds: Int64,
        lostPartsPerMillion: Int64,
        burstThousandths: Int64 = 1_000
    ) -> Int64 {
        let delay = 1.48 * delayImpairment(milliseconds: Double(mouthToEarNanoseconds) / 1_000_000)
        let lossPercent = Double(lostPartsPerMillion) / 10_000
        let lengthRatio = Double(burstThousandths) / 1_000 * (1 - lossPercent / 100)
        let burstRatio = max(1, min(burstRatioMax, lengthRatio))
        let equipment =
            equipmentImpairment
            + (132 - equipmentImpairment) * lossPercent
            / (lossPercent / burstRatio + lossRobustness)
        let rating = max(0, min(100, (scaleTop - delay - equipment) / 1.48))
        let curve = rating * (rating - 60) * (100 - rating) * 0.000007
        return Int64(1_000 * max(1, 1 + 0.035 * rating + curve) + 0.5)
    }

    /// Idd of G.107: 0 up to 100 ms.
    static func delayImpairment(milliseconds: Double) -> Double {
        guard milliseconds > 100 else { return 0 }
        let octaves = binaryLogarithm(milliseconds / 100)
        let third = octaves / 3
        return 25
            * (sixthRootOfOnePlusSixthPower(octaves)
                - 3 * sixthRootOfOnePlusSixthPower(third) + 2)
    }

    /// (1 + x⁶)^(1/6): the cube root, by Newton's method from above, of the square root.
    static func sixthRootOfOnePlusSixthPower(_ value: Double) -> Double {
        let cube = value * value * value
        let square = (1 + cube * cube).squareRoot()
        var root = square
        while true {
            let next = (2 * root + square / (root * root)) / 3
            // From above the steps fall until rounding stops them.
            guard next < root else { return root }
            root = next
        }
    }

    /// The logarithm to base 2 of a `value` of at least 1: halvings, then the series of artanh.
    static func binaryLogarithm(_ value: Double) -> Double {
        var mantissa = value
        var octaves = 0.0
        while mantissa >= 2 {
            mantissa /= 2
            octaves += 1
        }
        // ln m = 2 artanh z with z = (m − 1) / (m + 1) < 1/3: 20 terms leave less than 10⁻²⁰.
        let ratio = (mantissa - 1) / (mantissa + 1)
        var power = ratio
        var sum = 0.0
        for term in 0..<20 {
            sum += power / Double(2 * term + 1)
            power *= ratio * ratio
        }
        return octaves + 2 * sum / 0.693147180559945309417
    }
}
