package import SansIO

/// The parts of a phone whose energy is told apart.
package enum EnergyPart: Int, Sendable, Hashable, CaseIterable {
    /// The radio in use, its promotions and tails.
    case radio
    /// The processor: codec, echo canceller, the audio path.
    case processor
    /// The microphone's path.
    case microphone
    /// Loudspeaker, headset and music.
    case sound
    /// The screen.
    case screen
}

/// Counts what each part of a phone spends, interval by interval, exactly.
///
/// A milliwatt over a nanosecond is a picojoule: the sums are whole numbers and nothing is rounded before
/// the report. Range: 9.2 MJ for all parts together, 190 days of a full battery each day; it traps beyond.
package struct EnergyMeter: Sendable, Equatable {
    private var milliwatts = Array(repeating: Int64(0), count: EnergyPart.allCases.count)
    private var picojoules = Array(repeating: Int64(0), count: EnergyPart.allCases.count)
    private var since: Instant

    /// Makes a meter that has counted nothing, all parts at rest.
    package init(at now: Instant = .zero) {
        since = now
    }

    /// Counts up to `now`, and lets a part draw `milliwatts` from then on.
    ///
    /// - Parameters:
    ///   - part: Which part.
    ///   - power: Its power; not negative.
    ///   - now: The present; not before the previous call's.
    package mutating func set(_ part: EnergyPart, milliwatts power: Int64, at now: Instant) {
        precondition(power >= 0, "a power of \(power) mW is negative")
        count(until: now)
        milliwatts[part.rawValue] = power
    }

    /// Counts up to `now`.
    package mutating func count(until now: Instant) {
        let span = since.duration(to: now).wholeNanoseconds
        precondition(span >= 0, "time went back by \(-span) ns")
        for part in milliwatts.indices { picojoules[part] += milliwatts[part] * span }
        since = now
    }

    /// What a part draws now, in milliwatts.
    package func milliwatts(of part: EnergyPart) -> Int64 { milliwatts[part.rawValue] }

    /// What a part has spent, in picojoules.
    package func picojoules(of part: EnergyPart) -> Int64 { picojoules[part.rawValue] }

    /// What all parts have spent, in picojoules.
    package var totalPicojoules: Int64 { picojoules.reduce(0, +) }

    /// What was spent, in millijoules that add up.
    package var report: EnergyReport {
        var sum: Int64 = 0
        var told: Int64 = 0
        let parts = picojoules.map { spent in
            sum += spent
            defer { told = sum / 1_000_000_000 }
            return sum / 1_000_000_000 - told
        }
        return EnergyReport(millijoules: parts)
    }
}

/// What a phone spent, by part, in whole millijoules whose sum is the total cut to whole millijoules.
///
/// A part differs from its exact value by less than one millijoule.
package struct EnergyReport: Sendable, Equatable {
    private let millijoules: [Int64]

    init(millijoules: [Int64]) {
        self.millijoules = millijoules
    }

    /// A part's share.
    package func millijoules(of part: EnergyPart) -> Int64 { millijoules[part.rawValue] }

    /// The total.
    package var totalMillijoules: Int64 { millijoules.reduce(0, +) }

    /// The total as a share of a full battery, in millionths.
    package func millionths(of device: DeviceProfile) -> Int64 {
        totalMillijoules * 1_000_000 / device.batteryMillijoules
    }
}
