/// Numbers in plots: written from integers, so that every machine draws the same bytes.
package enum PlotNumber {
    /// A coordinate given in tenths of a pixel, such as `12.3` or `7`.
    static func tenths(_ tenths: Int) -> String {
        let sign = tenths < 0 ? "-" : ""
        let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
        return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
    }

    /// `amount / unit` with up to three decimals, cut off, such as `10`, `0.5` or `150.125`.
    package static func text(_ amount: Int, over unit: Int) -> String {
        let thousandths = amount.magnitude * 1_000 / UInt(unit)
        let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1_000)
        let sign = amount < 0 && thousandths > 0 ? "-" : ""
        guard rest > 0 else { return "\(sign)\(whole)" }
        let digits = String(rest)
        var decimals = String(repeating: "0", count: 3 - digits.count) + digits
        while decimals.hasSuffix("0") { decimals.removeLast() }
        return "\(sign)\(whole).\(decimals)"
    }

    /// A share in per cent with one decimal, rounded.
    package static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "0" }
        return tenths((part * 2_000 + whole) / (2 * whole))
    }

    /// A time on an axis: `12 s`, `1:05` from a minute on, `1:02:05` from an hour on.
    package static func clock(seconds: Int, upTo end: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        guard end >= 60 else { return "\(seconds) s" }
        let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
        guard end >= 3_600 else { return "\(minutes):\(two(rest))" }
        return "\(minutes / 60):\(two(minutes % 60)):\(two(rest))"
    }
}
