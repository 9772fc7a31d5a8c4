/// A kind of quantity, with the units that it may be written in.
public enum QuantityKind: String, Sendable, CaseIterable {
    /// Time, held in nanoseconds.
    case duration
    /// Data over time, held in bits per second.
    case dataRate = "data_rate"
    /// A share or a relative difference, held in parts per million.
    case share
    /// Data, held in bytes.
    case dataSize = "data_size"
    /// A ratio of levels, held in thousandths of a decibel.
    case level
    /// How loud something is, held in thousandths of a decibel relative to the overload point.
    case loudness
    /// A way, held in millimetres.
    case distance
    /// A pace, held in millimetres an hour.
    case speed

    /// A unit that a quantity may be written in.
    struct Unit: Sendable, Equatable {
        /// How it is written, behind the number, with a space or without.
        var symbol: String
        /// How many of the units that it is held in make one.
        var factor: Int64
    }

    /// The units, from the finest to the coarsest.
    var units: [Unit] {
        switch self {
        case .duration:
            [
                Unit(symbol: "ns", factor: 1), Unit(symbol: "us", factor: 1000),
                Unit(symbol: "ms", factor: 1_000_000), Unit(symbol: "s", factor: 1_000_000_000),
                Unit(symbol: "min", factor: 60_000_000_000),
                Unit(symbol: "h", factor: 3_600_000_000_000),
            ]
        case .dataRate:
            [
                Unit(symbol: "bps", factor: 1), Unit(symbol: "kbps", factor: 1000),
                Unit(symbol: "Mbps", factor: 1_000_000),
                Unit(symbol: "Gbps", factor: 1_000_000_000),
            ]
        case .share:
            [Unit(symbol: "ppm", factor: 1), Unit(symbol: "%", factor: 10_000)]
        case .dataSize:
            [
                Unit(symbol: "B", factor: 1), Unit(symbol: "kB", factor: 1000),
                Unit(symbol: "MB", factor: 1_000_000),
            ]
        case .level:
            [Unit(symbol: "dB", factor: 1000)]
        case .loudness:
            [Unit(symbol: "dBov", factor: 1000)]
        case .distance:
            [
                Unit(symbol: "mm", factor: 1), Unit(symbol: "m", factor: 1000),
                Unit(symbol: "km", factor: 1_000_000),
            ]
        case .speed:
            [Unit(symbol: "km/h", factor: 1_000_000), Unit(symbol: "m/s", factor: 3_600_000)]
        }
    }

    /// What a message calls a value of this kind.
    var noun: String {
        switch self {
        case .duration: "a time"
        case .dataRate: "a data rate"
        case .share: "a share"
        case .dataSize: "an amount of data"
        case .level: "a ratio of levels"
        case .loudness: "a loudness"
        case .distance: "a distance"
        case .speed: "a speed"
        }
    }

    /// Two values for messages and descriptions.
    var example: String {
        switch self {
        case .duration: "25s or 150ms"
        case .dataRate: "24kbps or 2Mbps"
        case .share: "1.5% or 200ppm"
        case .dataSize: "1000B or 64kB"
        case .level: "30dB"
        case .loudness: "-40dBov"
        case .distance: "400m or 1.5km"
        case .speed: "1.2m/s or 4km/h"
        }
    }

    /// The smallest difference that can be written.
    var finest: String { Self.decimal(1, over: units[0].factor) + units[0].symbol }

    /// What a bare number may have meant.
    func unitExamples(for number: String) -> String {
        switch self {
        case .duration: "\(number)s or \(number)ms"
        case .dataRate: "\(number)kbps or \(number)bps"
        case .share: shareExamples(for: number)
        case .dataSize: "\(number)B or \(number)kB"
        case .level: "\(number)dB"
        case .loudness: "\(number)dBov"
        case .distance: "\(number)m or \(number)km"
        case .speed: "\(number)m/s or \(number)km/h"
        }
    }

    /// What a bare number may have meant where a share is wanted: 0.05 is often meant as 5 %.
    private func shareExamples(for number: String) -> String {
        guard let decimal = try? ExactDecimal(number), decimal.scale > 0,
            let percent = try? decimal.scaled(by: 1_000_000), percent <= 1_000_000
        else { return "\(number)% or \(number)ppm" }
        return "\(Self.decimal(percent, over: 10_000))% or \(number)%"
    }

    /// The unit that was probably meant by another spelling, or behind a space that is not U+0020.
    func meant(by spelling: String) -> String? {
        let spelling = spelling.filter { !$0.isWhitespace }
        let lower = spelling.lowercased()
        if let unit = units.first(where: { $0.symbol.lowercased() == lower }) {
            return unit.symbol
        }
        let others = Self.spellings.filter { $0.kind == self && $0.others.contains(lower) }
        if let meant = others.first { return meant.symbol }
        // Days are no slip of the finger for seconds.
        guard spelling.count > 1 else { return nil }
        return Suggestion.nearest(to: spelling, among: units.map(\.symbol))
    }

    /// Whether some other spelling of a unit of this kind is this, though another kind has it as a unit:
    /// `5m` for five minutes.
    func isOwnSpelling(_ unit: String) -> Bool {
        Self.spellings.contains { $0.kind == self && $0.others.contains(unit.lowercased()) }
    }

    /// Other spellings in use, in lower case.
    private static let spellings: [(kind: QuantityKind, symbol: String, others: [String])] = [
        (.duration, "us", ["µs", "μs", "usec", "microseconds"]),
        (.duration, "ms", ["msec", "msecs", "millis", "milliseconds"]),
        (.duration, "s", ["sec", "secs", "second", "seconds"]),
        (.duration, "min", ["m", "mins", "minute", "minutes"]),
        (.duration, "h", ["hr", "hrs", "hour", "hours"]),
        (.dataRate, "bps", ["bit/s", "b/s", "bits"]),
        (.dataRate, "kbps", ["kbit/s", "kb/s", "kbit", "k"]),
        (.dataRate, "Mbps", ["mbit/s", "mb/s", "mbit", "m"]),
        (.dataRate, "Gbps", ["gbit/s", "gb/s", "gbit", "g"]),
        (.share, "%", ["percent", "per cent", "pct"]),
        (.dataSize, "B", ["byte", "bytes", "octets"]),
        (.dataSize, "kB", ["kib", "k", "kbytes"]),
        (.dataSize, "MB", ["mib", "m", "mbytes"]),
        (.level, "dB", ["decibel"]),
        (.loudness, "dBov", ["dbfs", "dbo"]),
        (.distance, "m", ["metre", "metres", "meter", "meters"]),
        (.distance, "km", ["kilometre", "kilometres", "kilometer", "kilometers"]),
        (.speed, "km/h", ["kmh", "kph", "kmph"]),
        (.speed, "m/s", ["mps", "m/sec"]),
    ]

    /// The value in the coarsest unit that needs no fraction, such as `1500ms`.
    ///
    /// Shares are written in per cent where two decimals do.
    public func text(of amount: Int64) -> String {
        if self == .share, amount % 100 == 0 { return Self.decimal(amount, over: 10_000) + "%" }
        if self == .level || self == .loudness || self == .speed {
            return Self.decimal(amount, over: units[0].factor) + units[0].symbol
        }
        if amount == 0 { return self == .duration ? "0s" : "0\(units[0].symbol)" }
        // Seconds are familiar up to an hour, so minutes are never chosen.
        let unit = units.last { $0.symbol != "min" && $0.symbol != "%" && amount % $0.factor == 0 }
        guard let unit else { return "\(amount)\(units[0].symbol)" }
        return "\(amount / unit.factor)\(unit.symbol)"
    }

    /// `amount / divisor` as a decimal without trailing zeros; `divisor` is a power of ten.
    static func decimal(_ amount: Int64, over divisor: Int64) -> String {
        let magnitude = amount.magnitude
        let whole = magnitude / UInt64(divisor)
        var rest = magnitude % UInt64(divisor)
        var text = (amount < 0 ? "-" : "") + "\(whole)"
        guard rest > 0 else { return text }
        text += "."
        var place = UInt64(divisor) / 10
        while rest > 0 {
            text += "\(rest / place)"
            rest %= place
            place /= 10
        }
        return text
    }
}
