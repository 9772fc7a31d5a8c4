package import SansIO

/// Counts a run's deliveries, and tells a run that has no end: too many at one instant, or in a stretch of time.
///
/// A storm of phones that all act at once stays far below either limit, and so do the few hundred deliveries a second
/// of a phone in a call. What is due again some nanoseconds after it was exceeds the second.
package struct DeliveryLimits {
    /// What has been exceeded.
    package enum Excess: Equatable {
        case instant(Int)
        case stretch(Int)
    }

    /// How long such a stretch of time is.
    package static let stretch = Duration.milliseconds(100)

    /// How many deliveries one instant may have, and one stretch.
    package let perInstant: Int
    package let perStretch: Int
    private var latest = Instant.zero
    private var atInstant = 0
    private var stretchEnd = Instant.zero
    private var inStretch = 0

    /// Makes limits for a world of this many components.
    package init(componentCount: Int) {
        perInstant = 10_000 + 100 * componentCount
        perStretch = 100 * perInstant
    }

    /// Counts a delivery; instants never fall.
    ///
    /// - Returns: The limit that it exceeds; `nil` if none.
    @inline(__always)
    package mutating func excess(at now: Instant) -> Excess? {
        atInstant = now == latest ? atInstant + 1 : 1
        latest = now
        if now >= stretchEnd { (inStretch, stretchEnd) = (0, now.advanced(by: Self.stretch)) }
        inStretch += 1
        if atInstant > perInstant { return .instant(perInstant) }
        return inStretch > perStretch ? .stretch(perStretch) : nil
    }
}

extension DeliveryLimits.Excess {
    /// Says at which instant, and for which component, a limit was exceeded.
    func error(at now: Instant, for component: String) -> WorldError {
        switch self {
        case .instant(let count): .livelock(at: now, component: component, count: count)
        case .stretch(let count):
            .rush(
                until: now,
                within: DeliveryLimits.stretch,
                component: component,
                count: count
            )
        }
    }
}
