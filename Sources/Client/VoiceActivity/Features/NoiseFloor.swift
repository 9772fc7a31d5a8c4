/// Follows the background noise in 32 bands: the least of each band's smoothed power of late.
///
/// Speech leaves gaps in every band within a second or two, steady noise does not; so the minimum of a
/// few seconds needs no decision about speech that could lock it up (minimum statistics: Martin 2001; two buffers that
/// change places: Cohen and Berdugo 2002).
struct NoiseFloor: Sendable, Equatable {
    /// The buffers change places at the start after 0.2 s, 0.4 s and so on.
    ///
    /// A bad beginning, such as the silence of a microphone that wakes up, is thus forgotten sooner.
    private static let hopsAtStart = 20

    private let hopsMax: Int
    private var smoothed = Shorts32()
    private var minimum = Shorts32()
    private var nextMinimum = Shorts32()
    private var period = Self.hopsAtStart
    private var hopsLeft = Self.hopsAtStart
    private var hasHeard = false

    /// Makes a floor that has heard nothing.
    ///
    /// - Parameter hopsMax: After how many hops of 10 ms the buffers change places: the floor is the
    ///   least of as many to twice as many.
    init(hopsMax: Int) {
        self.hopsMax = hopsMax
    }

    /// Follows one hop of 10 ms.
    ///
    /// - Parameters:
    ///   - powers: The power in each band, in `Octaves`.
    ///   - rises: Gets how far each power lies above its floor; negative if below.
    mutating func follow(
        _ powers: UnsafePointer<Int16>,
        rises: UnsafeMutablePointer<Int16>
    ) {
        let isFirst = !hasHeard
        hasHeard = true
        withNumbers(in: &smoothed) { (smoothed: UnsafeMutablePointer<Int16>) in
            withNumbers(in: &minimum) { (minimum: UnsafeMutablePointer<Int16>) in
                withNumbers(in: &nextMinimum) { (nextMinimum: UnsafeMutablePointer<Int16>) in
                    if isFirst {
                        smoothed.update(from: powers, count: BandSpectrum.bandCount)
                        minimum.update(from: powers, count: BandSpectrum.bandCount)
                        nextMinimum.update(from: powers, count: BandSpectrum.bandCount)
                    }
                    for band in 0..<BandSpectrum.bandCount {
                        let value = smoothed[band] &+ (powers[band] &- smoothed[band]) >> 2
                        smoothed[band] = value
                        minimum[band] = min(minimum[band], value)
                        nextMinimum[band] = min(nextMinimum[band], value)
                        rises[band] = powers[band] &- minimum[band]
                    }
                }
            }
        }
        hopsLeft -= 1
        if hopsLeft == 0 {
            minimum = nextMinimum
            nextMinimum = smoothed
            period = min(2 * period, hopsMax)
            hopsLeft = period
        }
    }
}
