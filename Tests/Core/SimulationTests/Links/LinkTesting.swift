@testable import KodamaSimulation
import SansIO

/// What the link tests share: short ways to build a direction and to send many packets.
extension LinkDirection {
    /// A direction that delivers at once but for what `adjust` sets.
    static func with(_ adjust: (inout LinkDirection) -> Void) -> LinkDirection {
        var direction = LinkDirection()
        adjust(&direction)
        return direction
    }
}

extension Link {
    /// A link called `test` that delivers at once but for what `adjust` sets.
    static func with(seed: UInt64 = 1, _ adjust: (inout LinkDirection) -> Void = { _ in }) -> Link {
        Link(.with(adjust), seed: seed, name: "test")
    }

    /// Sends `count` packets, the first at `start`, one every `spacing`.
    mutating func send(
        count: Int,
        bytes: Int = 100,
        every spacing: Int64 = 20_000_000,
        from start: Int64 = 0
    ) -> [LinkOutcome] {
        (0..<count).map { number in
            send(bytes: bytes, at: Instant(nanoseconds: start + Int64(number) * spacing))
        }
    }
}

extension Instant {
    /// So many milliseconds after the start.
    static func milliseconds(_ count: Int64) -> Instant {
        Instant(nanoseconds: count * 1_000_000)
    }
}

extension Probability {
    /// So many in a million.
    static func ppm(_ partsPerMillion: Int32) -> Probability {
        Probability(partsPerMillion: partsPerMillion)
    }
}

/// The lengths of the runs of `true`, in order.
func runLengths(of flags: [Bool]) -> [Int] {
    flags.split(separator: false).map(\.count)
}

extension LinkStatistics {
    /// Packets dropped for one reason.
    func dropped(for reason: LinkDropReason) -> Int {
        switch reason {
        case .loss: lost
        case .queueFull: queueFull
        case .queueManaged: queueManaged
        case .down: down
        case .tooLarge: tooLarge
        case .blocked: blocked
        }
    }
}
