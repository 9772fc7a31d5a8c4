/// Follows the power of the background noise in 32 bands, whatever is said meanwhile.
///
/// The floor is a low quantile of each band's power: it rises a little whenever the power lies above
/// it and falls a little more whenever below, and so needs no decision about speech that could lock
/// it up. Minimum statistics (Martin 2001, with the two buffers of Cohen and Berdugo 2002) fence it
/// in: speech leaves gaps in every band within a second or two, noise does not, so the minimum of the
/// smoothed power takes a floor along that suddenly lies far too low or too high.
struct NoiseFloor: Sendable, Equatable {
    /// The least power that is told from silence, in squared steps of the 16-bit scale.
    static let powerMin: Float = 1

    /// The base-2 logarithm of the floor in each band.
    private var logarithms = BandValues()
    private var smoothed = BandValues()
    private var minimum = BandValues()
    private var nextMinimum = BandValues()
    private var hopsHeard = 0
    private var minimumHops = Self.minimumHopsAtStart
    private var hopsLeft = Self.minimumHopsAtStart

    /// How much the floor rises and falls in a 10 ms hop; in octaves of power.
    ///
    /// It settles at the quantile `rise / (rise + fall)`, 35 per cent of all hops.
    private static let rise: Float = 0.0105
    private static let fall: Float = 0.0195
    /// How much of the smoothed power is new in each hop.
    private static let smoothing: Float = 0.25
    /// The minimum buffers change places every 2 s, at the start after 0.2 s, 0.4 s and so on.
    ///
    /// A minimum is thus 2 to 4 s old, and a bad beginning is forgotten sooner.
    private static let minimumHopsMax = 200
    private static let minimumHopsAtStart = 20
    /// How far the power of steady noise lies above its smoothed minimum; in octaves.
    ///
    /// Measured on white noise with the smoothing and the ages above. A band of 2 bins varies more
    /// than one of 4 or 7.
    private static let bias = BandValues(narrow: 1.29, middle: 0.99, wide: 0.78)
    /// How far the followed quantile of steady noise lies below the mean of its power; in octaves.
    private static let quantileBelowMean = BandValues(narrow: 0.9, middle: 0.61, wide: 0.43)
    /// How many hops are heard before the floor counts as found: 0.1 s.
    private static let warmUpHops = 10
    /// How far the floor may lie above the smoothed minimum; in octaves (10 dB).
    private static let headroom: Float = 3.32

    /// Follows one hop.
    ///
    /// - Parameter powers: The powers in the bands.
    /// - Returns: How far each power lies above the floor, negative if below, in octaves; 0 while the
    ///   floor is still being found.
    mutating func follow(_ powers: BandValues) -> BandValues {
        guard hopsHeard >= Self.warmUpHops else {
            warmUp(powers)
            return BandValues()
        }
        followMinimum(powers)
        var rises = BandValues()
        for band in BandValues.bands {
            let logarithm = Logarithm.base2(max(powers[band], Self.powerMin))
            let lowest = Logarithm.base2(max(minimum[band], Self.powerMin))
            let before = logarithms[band]
            let moved = before + (logarithm > before ? Self.rise : -Self.fall)
            let after = min(max(moved, lowest + Self.bias[band]), lowest + Self.headroom)
            logarithms[band] = after
            rises[band] = logarithm - after
        }
        return rises
    }

    /// Takes the mean of the first hops for the noise: one hop alone may be far off.
    private mutating func warmUp(_ powers: BandValues) {
        hopsHeard += 1
        for band in BandValues.bands {
            smoothed[band] += powers[band] / Float(Self.warmUpHops)
        }
        guard hopsHeard == Self.warmUpHops else { return }
        minimum = smoothed
        nextMinimum = smoothed
        for band in BandValues.bands {
            let mean = Logarithm.base2(max(smoothed[band], Self.powerMin))
            logarithms[band] = mean - Self.quantileBelowMean[band]
        }
    }

    private mutating func followMinimum(_ powers: BandValues) {
        for band in BandValues.bands {
            let value = smoothed[band] + Self.smoothing * (powers[band] - smoothed[band])
            smoothed[band] = value
            minimum[band] = min(minimum[band], value)
            nextMinimum[band] = min(nextMinimum[band], value)
        }
        hopsLeft -= 1
        if hopsLeft == 0 {
            minimum = nextMinimum
            nextMinimum = smoothed
            minimumHops = min(2 * minimumHops, Self.minimumHopsMax)
            hopsLeft = minimumHops
        }
    }
}
