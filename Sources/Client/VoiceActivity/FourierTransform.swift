/// The discrete Fourier transform of 256 complex values, radix 4, in the ordering of Stockham.
///
/// Computed with + − × only, so its results are the same bits on every machine.
enum FourierTransform {
    /// How many complex values are transformed.
    static let size = 256

    /// cos(2πk/256) for k from 0 to 255; the sine is the cosine a quarter turn earlier.
    static let cosines: [Float] = unitCircle().map { Float($0.cosine) }
    private static let sines: [Float] = unitCircle().map { Float($0.sine) }

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
        var source = (real: real, imaginary: imaginary)
        var target = (real: scratch, imaginary: scratch + size)
        var stride = 1
        // Four passes: the last one writes to where the first one read.
        while stride < size {
            pass(stride: stride, from: source, to: target)
            swap(&source, &target)
            stride *= 4
        }
    }

    private typealias Complexes = (
        real: UnsafeMutablePointer<Float>,
        imaginary: UnsafeMutablePointer<Float>
    )

    /// One radix-4 pass: `stride` interleaved transforms of `size / stride` values each.
    private static func pass(stride: Int, from source: Complexes, to target: Complexes) {
        cosines.withUnsafeBufferPointer { cosines in
            sines.withUnsafeBufferPointer { sines in
                for block in 0..<size / stride / 4 {
                    // The twiddle factors exp(−2πj·block·stride·m/256) for m = 1, 2, 3.
                    let turn = block * stride
                    butterflies(
                        count: stride,
                        from: (source.real + turn, source.imaginary + turn),
                        to: (target.real + 4 * turn, target.imaginary + 4 * turn),
                        cosines: (cosines[turn], cosines[2 * turn], cosines[3 * turn]),
                        sines: (sines[turn], sines[2 * turn], sines[3 * turn])
                    )
                }
            }
        }
    }

    @inline(__always)
    private static func butterflies(
        count: Int,
        from source: Complexes,
        to target: Complexes,
        cosines: (Float, Float, Float),
        sines: (Float, Float, Float)
    ) {
        let quarter = size / 4
        for index in 0..<count {
            let (ar, ai) = (source.real[index], source.imaginary[index])
            let (br, bi) = (source.real[index + quarter], source.imaginary[index + quarter])
            let (cr, ci) = (source.real[index + 2 * quarter], source.imaginary[index + 2 * quarter])
            let (dr, di) = (source.real[index + 3 * quarter], source.imaginary[index + 3 * quarter])
            let (evenSumR, evenSumI, evenDiffR, evenDiffI) = (ar + cr, ai + ci, ar - cr, ai - ci)
            let (oddSumR, oddSumI, oddDiffR, oddDiffI) = (br + dr, bi + di, br - dr, bi - di)
            target.real[index] = evenSumR + oddSumR
            target.imaginary[index] = evenSumI + oddSumI
            let (oneR, oneI) = (evenDiffR + oddDiffI, evenDiffI - oddDiffR)
            target.real[index + count] = oneR * cosines.0 + oneI * sines.0
            target.imaginary[index + count] = oneI * cosines.0 - oneR * sines.0
            let (twoR, twoI) = (evenSumR - oddSumR, evenSumI - oddSumI)
            target.real[index + 2 * count] = twoR * cosines.1 + twoI * sines.1
            target.imaginary[index + 2 * count] = twoI * cosines.1 - twoR * sines.1
            let (threeR, threeI) = (evenDiffR - oddDiffI, evenDiffI + oddDiffR)
            target.real[index + 3 * count] = threeR * cosines.2 + threeI * sines.2
            target.imaginary[index + 3 * count] = threeI * cosines.2 - threeR * sines.2
        }
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
