/// How loud a frame is, in the form that RFC 6464 sends: decibels below the overload point.
///
/// The reference, 0 dBov, is a square wave of full scale; a sine of full scale has −3 dBov.
@frozen
public struct AudioLevel: Sendable, Hashable, Comparable, BitwiseCopyable {
    /// The level as −dBov; 0 (loudest) to 127 (silence).
    public var decibelsBelowOverload: UInt8

    /// The level of digital silence, and of all that is quieter than −126.5 dBov.
    @inlinable
    public static var silence: AudioLevel { AudioLevel(decibelsBelowOverload: 127) }

    /// Makes a level.
    ///
    /// - Parameter decibelsBelowOverload: −dBov; 0 to 127.
    @inlinable
    public init(decibelsBelowOverload: UInt8) {
        precondition(
            decibelsBelowOverload <= 127,
            "a level of −\(decibelsBelowOverload) dBov lies outside 0...127 (RFC 6464)"
        )
        self.decibelsBelowOverload = decibelsBelowOverload
    }

    /// Measures a frame's level, rounded to whole decibels.
    ///
    /// - Parameter frame: At most 2^33 samples; an empty frame is silent.
    public init(of frame: UnsafeBufferPointer<Int16>) {
        var squares: Int64 = 0
        for sample in frame {
            let wide = Int32(sample)
            squares &+= Int64(wide &* wide)
        }
        self.init(sumOfSquares: UInt64(squares), sampleCount: frame.count)
    }

    /// Turns an energy into a level, rounded to whole decibels.
    ///
    /// - Parameters:
    ///   - sumOfSquares: The sum of the samples' squares; at most 2^30 per sample.
    ///   - sampleCount: How many samples were summed; 0 is silence.
    public init(sumOfSquares: UInt64, sampleCount: Int) {
        guard sampleCount > 0, sumOfSquares > 0 else {
            self = .silence
            return
        }
        // Mean square in units in which full scale, 2^30, is 2^50.
        let (high, low) = sumOfSquares.multipliedFullWidth(by: 1 << 20)
        var meanSquare = UInt64(sampleCount).dividingFullWidth((high, low)).quotient
        var level: UInt8 = 0
        while meanSquare < Self.halfDecibelSteps[9] {
            meanSquare *= 10
            level += 10
            guard level < 130 else {
                self = .silence
                return
            }
        }
        for step in Self.halfDecibelSteps {
            guard meanSquare < step else { break }
            level += 1
        }
        self.init(decibelsBelowOverload: min(level, 127))
    }

    /// Orders levels from quiet to loud.
    @inlinable
    public static func < (left: AudioLevel, right: AudioLevel) -> Bool {
        left.decibelsBelowOverload > right.decibelsBelowOverload
    }

    /// 2^50 · 10^(−(n + ½)/10) for n from 0 to 9: where level n ends and level n + 1 begins.
    private static let halfDecibelSteps: [UInt64] = [
        1_003_459_348_218_185, 797_076_092_687_729, 633_140_045_645_572, 502_921_014_790_898,
        399_484_361_884_598, 317_321_707_975_749, 252_057_592_136_071, 200_216_462_210_298,
        159_037_588_990_247, 126_328_047_317_429,
    ]
}
