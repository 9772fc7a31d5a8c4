/// How values are written for people: unit with every number, and never a digit that lies.
extension MetricUnit {
    /// The value to three significant digits: `93.4 ms`, `0.42 %`, `12,345 B`, `MOS 4.12`.
    ///
    /// Whole units are never rounded away: 12,345 bytes stay 12,345.
    public func text(_ value: Int64) -> String {
        let scale = scale(for: value)
        return decorate(scale, rounded(value, scale, keeping: significantDigits))
    }

    /// A value and its limit, written so that they order as they truly do.
    ///
    /// The limit is exact; the value gets as many digits as that takes, in the limit's scale unless it is
    /// less than one there: 71.7 ms, not 0.0717 s.
    public func texts(_ value: Int64, limit: Int64) -> (value: String, limit: String) {
        let (own, common) = (self.scale(for: value), self.scale(for: limit == 0 ? value : limit))
        let scale = value != 0 && own.exponent < common.exponent ? own : common
        var digits = significantDigits
        var shown = rounded(value, scale, keeping: digits)
        while Self.order(shown, limit) != Self.order(value, limit) {
            digits += 1
            shown = rounded(value, scale, keeping: digits)
        }
        return (decorate(scale, shown), decorate(common, limit))
    }

    /// The exact value as scenarios write it: `120ms`, `0.5%`, `1200B`, `4.05`, `3`.
    public func exactText(_ value: Int64) -> String {
        let scale = scale(for: value)
        return Self.decimal(value, exponent: scale.exponent, grouped: false) + scale.symbol.ascii
    }

    /// The units that people read and write, or what is counted: `ms, s`, `%`, `B`, `MOS`, `count`.
    ///
    /// `rawValue` is the one in which a result stores figures.
    public var written: String {
        switch self {
        case .nanoseconds: "ms, s"
        case .partsPerMillion: "%"
        case .count: rawValue
        case .bytes: "B"
        case .thousandthsMOS: "MOS"
        }
    }

    /// How sure something is, in per cent: never more than it is, and no more digits than anybody reads.
    public static func percentOfConfidence(_ partsPerMillion: Int64) -> String {
        decimal(partsPerMillion / 100 * 100, exponent: 4, grouped: false)
    }

    private struct Scale {
        /// How many decimal places the unit is finer than what is shown.
        var exponent: Int
        var symbol: Symbol
    }

    private enum Symbol: String {
        case seconds = " s"
        case milliseconds = " ms"
        case microseconds = " µs"
        case nanoseconds = " ns"
        case percent = " %"
        case bytes = " B"
        case none = ""

        var ascii: String {
            self == .microseconds ? "us" : String(rawValue.drop { $0 == " " })
        }
    }

    private var significantDigits: Int { 3 }

    private func scale(for value: Int64) -> Scale {
        switch self {
        case .nanoseconds:
            switch value.magnitude {
            case 0, 1_000_000_000...: Scale(exponent: 9, symbol: .seconds)
            case 1_000_000...: Scale(exponent: 6, symbol: .milliseconds)
            case 1_000...: Scale(exponent: 3, symbol: .microseconds)
            default: Scale(exponent: 0, symbol: .nanoseconds)
            }
        case .partsPerMillion: Scale(exponent: 4, symbol: .percent)
        case .count: Scale(exponent: 0, symbol: .none)
        case .bytes: Scale(exponent: 0, symbol: .bytes)
        case .thousandthsMOS: Scale(exponent: 3, symbol: .none)
        }
    }

    private func decorate(_ scale: Scale, _ value: Int64) -> String {
        let number = Self.decimal(value, exponent: scale.exponent, grouped: true)
        return (self == .thousandthsMOS ? "MOS " : "") + number + scale.symbol.rawValue
    }

    /// The value rounded half up in magnitude to so many digits, but never above the decimal point.
    private func rounded(_ value: Int64, _ scale: Scale, keeping digits: Int) -> Int64 {
        let dropped = min(scale.exponent, String(value.magnitude).utf8.count - digits)
        guard dropped > 0 else { return value }
        let step = Self.powerOfTen(dropped)
        let magnitude =
            (value.magnitude / step + (value.magnitude % step >= step / 2 ? 1 : 0)) * step
        guard magnitude <= Int64.max.magnitude else { return value }
        return value < 0 ? -Int64(magnitude) : Int64(magnitude)
    }

    /// `value · 10^−exponent` without trailing zeros behind the point.
    private static func decimal(_ value: Int64, exponent: Int, grouped: Bool) -> String {
        // From the last digit to the first.
        var reversed: [UInt8] = []
        var rest = value.magnitude
        for _ in 0..<exponent {
            if !reversed.isEmpty || rest % 10 > 0 {
                reversed.append(UInt8(ascii: "0") + UInt8(rest % 10))
            }
            rest /= 10
        }
        if !reversed.isEmpty {
            reversed.append(UInt8(ascii: "."))
        }
        var wholeCount = 0
        repeat {
            if grouped, wholeCount > 0, wholeCount % 3 == 0 {
                reversed.append(UInt8(ascii: ","))
            }
            reversed.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
            wholeCount += 1
        } while rest > 0
        if value < 0 {
            reversed.append(UInt8(ascii: "-"))
        }
        return String(decoding: reversed.reversed(), as: UTF8.self)
    }

    private static func powerOfTen(_ exponent: Int) -> UInt64 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }

    private static func order(_ left: Int64, _ right: Int64) -> Int {
        left == right ? 0 : left < right ? -1 : 1
    }
}
