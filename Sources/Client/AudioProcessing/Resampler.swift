/// Converts a stream of sound between 16 kHz and 48 kHz with a polyphase FIR filter.
///
/// Integers only, so the result is the same on every machine. The filter passes up to 7 kHz within
/// 0.3 dB and stops what lies above 8.8 kHz by 63 dB; a constant passes exactly. The sound
/// comes out 1 ms later: 48 samples at 48 kHz, 16 samples at 16 kHz. How a stream is cut into calls
/// changes nothing.
public struct Resampler: Sendable, Equatable {
    /// From which rate to which.
    public enum Conversion: Sendable, CaseIterable {
        /// 16 kHz to 48 kHz: three samples for one.
        case from16To48Kilohertz
        /// 48 kHz to 16 kHz: one sample for three.
        case from48To16Kilohertz
    }

    /// From which rate to which.
    public let conversion: Conversion

    /// By how many output samples the sound lags behind the input; 48 or 16, 1 ms in either case.
    public var groupDelaySamples: Int {
        conversion == .from16To48Kilohertz ? 48 : 16
    }

    /// The past that the filter still needs, then room for one chunk of input.
    private var window: [Int16]
    private let pastCount: Int
    private static let chunkCount = 960

    /// Starts a stream of silence.
    ///
    /// - Parameter conversion: From which rate to which.
    public init(_ conversion: Conversion) {
        self.conversion = conversion
        pastCount =
            conversion == .from16To48Kilohertz
            ? ResamplerFilter.tapsPerPhase - 1 : ResamplerFilter.taps.count - 1
        window = [Int16](repeating: 0, count: pastCount + Self.chunkCount)
    }

    /// Converts the next piece of the stream.
    ///
    /// - Parameters:
    ///   - input: Any number of samples; a multiple of three when going down to 16 kHz.
    ///   - output: Exactly three times as many samples, or exactly a third.
    public mutating func process(
        _ input: UnsafeBufferPointer<Int16>,
        into output: UnsafeMutableBufferPointer<Int16>
    ) {
        let goesUp = conversion == .from16To48Kilohertz
        precondition(
            goesUp ? output.count == input.count * 3 : output.count * 3 == input.count,
            "\(input.count) samples do not become \(output.count) by this conversion"
        )
        let pastCount = pastCount
        window.withUnsafeMutableBufferPointer { window in
            guard let past = window.baseAddress, var source = input.baseAddress,
                var target = output.baseAddress
            else { return }
            var left = input.count
            while left > 0 {
                let count = min(Self.chunkCount, left)
                (past + pastCount).update(from: source, count: count)
                if goesUp {
                    Self.upsample(past, count: count, into: target)
                    target += count * 3
                } else {
                    Self.downsample(past, count: count / 3, into: target)
                    target += count / 3
                }
                past.update(from: past + count, count: pastCount)
                source += count
                left -= count
            }
        }
    }

    /// Makes three samples of each of `count` inputs that follow the past in `window`.
    private static func upsample(
        _ window: UnsafePointer<Int16>,
        count: Int,
        into output: UnsafeMutablePointer<Int16>
    ) {
        let taps = ResamplerFilter.tapsPerPhase
        ResamplerFilter.phases.withUnsafeBufferPointer { phases in
            guard let phases = phases.baseAddress else { return }
            for index in 0..<count {
                for phase in 0..<3 {
                    let sum = dotProduct(phases + phase &* taps, window + index, count: taps)
                    let rounded = (sum &+ ResamplerFilter.unity / 2) >> ResamplerFilter.unityBits
                    output[index &* 3 &+ phase] = Int16(clamping: rounded)
                }
            }
        }
    }

    /// Makes `count` samples of three times as many inputs that follow the past in `window`.
    private static func downsample(
        _ window: UnsafePointer<Int16>,
        count: Int,
        into output: UnsafeMutablePointer<Int16>
    ) {
        let half = ResamplerFilter.taps.count / 2
        let gain = Int64(ResamplerFilter.unity) * 3
        ResamplerFilter.taps.withUnsafeBufferPointer { taps in
            guard let taps = taps.baseAddress else { return }
            for index in 0..<count {
                // Each half of the sum fits 32 bits; the whole may not.
                let start = window + index &* 3
                let older = dotProduct(taps, start, count: half)
                let newer = dotProduct(taps + half, start + half, count: half &+ 1)
                let sum = Int64(older) &+ Int64(newer)
                let rounded = (sum &+ (sum < 0 ? -gain / 2 : gain / 2)) / gain
                output[index] = Int16(clamping: rounded)
            }
        }
    }
}
