public import SansIO

/// Draws the outages of one `OutageProcess`, one after the other.
///
/// Outage `i` has draws of its own, so another run with the same seed and a later start meets the same
/// gaps and lengths.
public struct OutageSequence: Sendable, Equatable {
    private let process: OutageProcess
    private let name: String
    private var gaps: RandomStream
    private var lengths: RandomStream

    /// Opens the sequence of one link.
    ///
    /// - Parameters:
    ///   - process: How often outages come and how long they last.
    ///   - seed: The run's seed.
    ///   - name: The link's name, such as `mika-phone/cellular`.
    public init(_ process: OutageProcess, seed: UInt64, name: String) {
        self.process = process
        self.name = name
        gaps = RandomStream(seed: seed, purpose: "outage gap", entity: name)
        lengths = RandomStream(seed: seed, purpose: "outage length", entity: name)
    }

    /// Lets the outages to come be drawn by another seed.
    public mutating func draw(by seed: UInt64) {
        self = OutageSequence(process, seed: seed, name: name)
    }

    /// Draws the next outage.
    ///
    /// - Parameter end: The end of the outage before, or the start of the run.
    /// - Returns: When it begins and ends; `nil` if the process has no outages.
    public mutating func next(after end: Instant) -> Range<Instant>? {
        guard process.perHour > 0 else { return nil }
        let gap = gaps.exponential(meanNanoseconds: 3_600_000_000_000 / process.perHour)
        let drawn = lengths.logNormal(
            median: process.medianLength.wholeNanoseconds,
            sigmaMillionths: process.sigmaThousandths * 1_000
        )
        // An outage of no length would be none.
        let shortest = max(process.shortest.wholeNanoseconds, 1)
        let length = max(shortest, min(drawn, process.longest.wholeNanoseconds))
        let start = Instant(nanoseconds: end.nanoseconds + gap)
        return start..<Instant(nanoseconds: start.nanoseconds + length)
    }
}
