/// The discrete Fourier transform of 256 complex values, radix 4.
///
/// Computed with + − × only, so its results are the same bits on every machine. Each of the four
/// passes splits every transform into four of a quarter of its size, which come to lie one after the
/// other (Stockham's ordering, transposed): so values beside each other are treated alike, four at
/// once. The last pass, whose transforms are of four values, takes its values across.
enum FourierTransform {
    /// How many complex values are transformed.
    static let size = 256

    /// cos(2πk/256) for k from 0 to 255.
    static let cosines: [Float] = unitCircle().map { Float($0.cosine) }
    /// exp(2πj·k·m/n) for the transforms of n = 256, 64 and 16 values: for m = 1, 2 and 3 the cosines
    /// for k from 0 to n/4 − 1, then the sines.
    private static let twiddles: [Float] = {
        let circle = unitCircle()
        return [1, 4, 16].flatMap { stride in
            (1...3).flatMap { factor in
                let points = (0..<size / 4 / stride).map { circle[$0 * stride * factor] }
                return points.map { Float($0.cosine) } + points.map { Float($0.sine) }
            }
        }
    }()

    /// Transforms `real + j·imaginary` in place.
    ///
    /// - Parameters:
    ///   - real: `size` values.
    ///   - imaginary: `size` values.
    ///   - scratch: Room for `2 × size` values.
    static func transform(
        real: UnsafeMutablePointer<Float>,
        imaginary: UnsafeMutablePointer<Float>,
        scratch: UnsafeMutablePointer<Float>
    ) {
        let given = ComplexNumbers(real: real, imaginary: imaginary)
        let spare = ComplexNumbers(real: scratch, imaginary: scratch + size)
        twiddles.withUnsafeBufferPointer { twiddles in
            guard let twiddles = twiddles.baseAddress else { return }
            pass(transformCount: 1, from: given, to: spare, twiddles)
            pass(transformCount: 4, from: spare, to: given, twiddles + 6 * 64)
            pass(transformCount: 16, from: given, to: spare, twiddles + 6 * (64 + 16))
        }
        lastPass(from: spare, to: given)
    }

    /// Splits each of so many transforms into four.
    @inline(__always)
    private static func pass(
        transformCount: Int,
        from source: ComplexNumbers,
        to target: ComplexNumbers,
        _ twiddles: UnsafePointer<Float>
    ) {
        let quarter = size / 4 / transformCount
        for transform in 0..<transformCount {
            for index in stride(from: 0, to: quarter, by: ComplexLanes.count) {
                let start = 4 * quarter * transform + index
                let split = butterfly(
                    source[start],
                    source[start + quarter],
                    source[start + 2 * quarter],
                    source[start + 3 * quarter]
                )
                let turns = twiddles + index
                let place = quarter * transform + index
                target[place] = split.0
                target[place + size / 4] = split.1.turned(turns, turns + quarter)
                target[place + size / 2] = split.2.turned(turns + 2 * quarter, turns + 3 * quarter)
                target[place + 3 * size / 4] =
                    split.3.turned(turns + 4 * quarter, turns + 5 * quarter)
            }
        }
    }

    private static func lastPass(from source: ComplexNumbers, to target: ComplexNumbers) {
        for index in stride(from: 0, to: size / 4, by: ComplexLanes.count) {
            let given = source.across(4 * index)
            let split = butterfly(given.0, given.1, given.2, given.3)
            target[index] = split.0
            target[index + size / 4] = split.1
            target[index + size / 2] = split.2
            target[index + 3 * size / 4] = split.3
        }
    }

    /// The transform of four values.
    @inline(__always)
    private static func butterfly(
        _ first: ComplexLanes,
        _ second: ComplexLanes,
        _ third: ComplexLanes,
        _ fourth: ComplexLanes
    ) -> (ComplexLanes, ComplexLanes, ComplexLanes, ComplexLanes) {
        let (evenSum, evenDifference) = (first + third, first - third)
        let (oddSum, oddDifference) = (second + fourth, (second - fourth).turnedBack)
        return (
            evenSum + oddSum, evenDifference + oddDifference,
            evenSum - oddSum, evenDifference - oddDifference
        )
    }

    /// Walks once around the unit circle by turning a vector 256 times by 2π/256.
    private static func unitCircle() -> [(cosine: Double, sine: Double)] {
        let angle = 2 * Double.pi / Double(size)
        let square = angle * angle
        // Taylor: the first term left out is below 1e-19.
        let cosine = 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56)))
        let sine =
            angle * (1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72))))
        var points = [(cosine: 1.0, sine: 0.0)]
        while points.count < size {
            let last = points[points.count - 1]
            points.append(
                (last.cosine * cosine - last.sine * sine, last.sine * cosine + last.cosine * sine)
            )
        }
        return points
    }
}
