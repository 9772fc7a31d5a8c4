package import SansIO

/// The sample clock of a phone's sound hardware: 48 kHz, with a drift.
package struct AudioClock {
    /// When sample 0 is taken or sounded.
    package let origin: Instant
    /// How much faster than true the clock runs.
    package let driftPartsPerMillion: Int64

    /// The true instant of a sample.
    ///
    /// Computed from the sample's number each time, so that nothing accumulates. 48 kHz is 6 samples
    /// per 125 µs; whole turns are split off so that the product stays within 64 bits.
    package func instant(ofSample sample: Int64) -> Instant {
        let turn = 6 * (1_000_000 + driftPartsPerMillion)
        let (turns, rest) = sample.quotientAndRemainder(dividingBy: turn)
        let elapsed = turns * 125_000_000_000 + rest * 125_000_000_000 / turn
        return Instant(nanoseconds: origin.nanoseconds + elapsed)
    }

    /// The first period of this many samples that does not begin before an instant.
    package func firstPeriod(of samples: Int64, from now: Instant) -> Int64 {
        guard now > origin else { return 0 }
        let turn = 6 * (1_000_000 + driftPartsPerMillion)
        let elapsed = now.nanoseconds - origin.nanoseconds
        let (turns, rest) = elapsed.quotientAndRemainder(dividingBy: 125_000_000_000)
        var period = (turns * turn + rest * turn / 125_000_000_000) / samples
        while instant(ofSample: period * samples) < now { period += 1 }
        return period
    }

    /// The duration of this many samples by a true clock.
    package static func duration(ofSamples samples: Int) -> Int64 {
        Int64(samples) * 125_000 / 6
    }
}
