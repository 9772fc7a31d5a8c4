/// The horizontal axis of a picture: values of one unit, evenly spread or by octaves.
///
/// Octaves are drawn with straight lines between powers of two, in whole numbers: close to a logarithm,
/// and the same on every machine.
struct FigureAxis {
    let least: Int64
    let most: Int64
    let isByOctaves: Bool
    /// Whether some of the values are less than the least, and lie at the left edge.
    let clipsLow: Bool
    /// The width in tenths of a pixel.
    let width: Int

    /// The number of octaves shown below the greatest value; smaller values lie at the left edge.
    private static let octaveCountMax: Int64 = 12
    /// The ratio of the greatest value to the middle one from which on octaves are used.
    private static let longTail: Int64 = 12

    /// Spans values.
    ///
    /// - Parameters:
    ///   - values: All values that must lie on it, not in any order.
    ///   - middle: What half of the samples lie below, for choosing the spread.
    ///   - width: The width in tenths of a pixel.
    init(_ values: [Int64], middle: Int64?, width: Int) {
        self.width = width
        let low = Self.held(values.min() ?? 0)
        let high = max(Self.held(values.max() ?? 0), low + 1)
        isByOctaves = low >= 0 && (middle ?? high) < high / Self.longTail
        if isByOctaves {
            most = high
            least = max(1, low, high >> Self.octaveCountMax)
            clipsLow = low < least
        } else {
            // Times and counts begin at zero unless they all lie far from it.
            let margin = max(1, (high - low) / 20)
            least = low >= 0 && low < (high - low) * 2 ? 0 : low - margin
            most = high + margin
            clipsLow = false
        }
    }

    /// A value as far out as a picture goes: what a file says may lie at the ends of its type.
    static func held(_ value: Int64) -> Int64 { min(max(value, -1 << 60), 1 << 60) }

    /// Where a value lies, in tenths of a pixel from the left edge.
    func x(_ value: Int64) -> Int {
        let value = min(max(value, least), most)
        guard isByOctaves else { return Self.scaled(value - least, most - least, width) }
        let (low, high) = (Self.octaves(least), Self.octaves(most))
        return Self.scaled(Self.octaves(value) - low, max(1, high - low), width)
    }

    /// Values with round numbers, rising, at most about eight.
    var ticks: [Int64] {
        var ticks: [Int64] = []
        if isByOctaves {
            var decade: Int64 = 1
            while decade <= most {
                for factor in [1, 2, 5] as [Int64] {
                    let (tick, overflows) = decade.multipliedReportingOverflow(by: factor)
                    if !overflows, tick >= least, tick <= most { ticks.append(tick) }
                }
                let (next, overflows) = decade.multipliedReportingOverflow(by: 10)
                guard !overflows else { break }
                decade = next
            }
            let stride = (ticks.count + 7) / 8
            return ticks.enumerated().filter { $0.offset % max(1, stride) == 0 }.map(\.element)
        }
        let step = Self.roundStep((most - least) / 6)
        var tick = (least + (least > 0 ? step - 1 : 0)) / step * step
        while tick <= most {
            ticks.append(tick)
            tick += step
        }
        return ticks
    }

    /// The least of 1, 2 and 5 times a power of ten that is no less than a step.
    static func roundStep(_ step: Int64) -> Int64 {
        var decade: Int64 = 1
        while decade < Int64.max / 100 {
            for factor in [1, 2, 5] as [Int64] where decade * factor >= step {
                return decade * factor
            }
            decade *= 10
        }
        return decade
    }

    /// `part / whole · length`, without overflow.
    static func scaled(_ part: Int64, _ whole: Int64, _ length: Int) -> Int {
        let product = part.magnitude.multipliedFullWidth(by: UInt64(length))
        guard product.high < whole.magnitude else { return length }
        return Int(clamping: whole.magnitude.dividingFullWidth(product).quotient)
    }

    /// A million times the number of octaves above 1, with straight lines between.
    private static func octaves(_ value: Int64) -> Int64 {
        let value = UInt64(max(1, value))
        let whole = 63 - value.leadingZeroBitCount
        let fraction = scaled(Int64(value - 1 << whole), 1 << whole, 1_000_000)
        return Int64(whole) * 1_000_000 + Int64(fraction)
    }
}
