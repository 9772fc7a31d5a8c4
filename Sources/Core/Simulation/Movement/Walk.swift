public import SansIO

/// Where somebody is over time: from way point to way point at a steady pace, with rests.
///
/// All in whole numbers: positions in millimetres, speeds in millimetres an hour, so that both metres a
/// second and kilometres an hour are exact.
public struct Walk: Sendable, Equatable {
    /// A point of the way.
    public struct Stop: Sendable, Equatable {
        /// Where it is.
        public var position: Position
        /// How long the walker stays there.
        public var stay: Duration
        /// How fast the walker comes there from the point before, in millimetres an hour; the first
        /// point's says nothing.
        public var speedMillimetresPerHour: Int64

        /// Describes a point of a way.
        public init(position: Position, stay: Duration, speedMillimetresPerHour: Int64) {
            self.position = position
            self.stay = stay
            self.speedMillimetresPerHour = speedMillimetresPerHour
        }
    }

    /// One piece of the way, with the rest at its end.
    private struct Leg: Sendable, Equatable {
        let start: Int64
        let arrival: Int64
        let from: Position
        let to: Position
        let lengthMillimetres: Int64
        /// The length of all legs before.
        let walkedMillimetres: Int64
        let speedMillimetresPerHour: Int64
    }

    private let first: Position
    private var legs: [Leg] = []
    /// How long the whole way is.
    public private(set) var lengthMillimetres: Int64 = 0

    /// The span in which speeds are counted.
    private static let hour: Int64 = 3_600_000_000_000

    /// Makes a walk that begins at the start of the run.
    ///
    /// - Parameter stops: The points, one at least; speeds above zero.
    public init(_ stops: [Stop]) {
        precondition(!stops.isEmpty, "a walk without a point leads nowhere")
        first = stops[0].position
        var now = stops[0].stay.wholeNanoseconds
        for (from, to) in zip(stops, stops.dropFirst()) {
            let length = from.position.distanceMillimetres(to: to.position)
            let speed = to.speedMillimetresPerHour
            precondition(speed > 0, "a walk at \(speed) mm/h arrives nowhere")
            let arrival = now + Self.time(length, at: speed)
            legs.append(
                Leg(
                    start: now,
                    arrival: arrival,
                    from: from.position,
                    to: to.position,
                    lengthMillimetres: length,
                    walkedMillimetres: lengthMillimetres,
                    speedMillimetresPerHour: speed
                )
            )
            lengthMillimetres += length
            now = arrival + to.stay.wholeNanoseconds
        }
    }

    /// Where the walker is.
    public func position(at now: Instant) -> Position {
        guard let leg = legs.last(where: { $0.start <= now.nanoseconds }) else { return first }
        let walked = Self.walked(leg, now.nanoseconds)
        guard walked < leg.lengthMillimetres else { return leg.to }
        func between(_ from: Int64, _ to: Int64) -> Int64 {
            from + Int64(Int128(to - from) * Int128(walked) / Int128(leg.lengthMillimetres))
        }
        return Position(
            eastMillimetres: between(leg.from.eastMillimetres, leg.to.eastMillimetres),
            northMillimetres: between(leg.from.northMillimetres, leg.to.northMillimetres)
        )
    }

    /// How far the walker has come along the way.
    public func walkedMillimetres(at now: Instant) -> Int64 {
        guard let leg = legs.last(where: { $0.start <= now.nanoseconds }) else { return 0 }
        return leg.walkedMillimetres + Self.walked(leg, now.nanoseconds)
    }

    /// When the walker has come so far along the way; `nil` if the way is shorter.
    public func arrival(atMillimetres distance: Int64) -> Instant? {
        guard distance > 0 else { return .zero }
        let leg = legs.first { distance <= $0.walkedMillimetres + $0.lengthMillimetres }
        guard let leg else { return nil }
        let time = Self.time(distance - leg.walkedMillimetres, at: leg.speedMillimetresPerHour)
        return Instant(nanoseconds: min(leg.start + time, leg.arrival))
    }

    /// When a walker who is looked at again and again, `step` apart while walking, is looked at next;
    /// `nil` once the last point is reached.
    public func nextLook(after now: Instant, step: Duration) -> Instant? {
        guard let leg = legs.first(where: { $0.arrival > now.nanoseconds }) else { return nil }
        let next = max(leg.start, now.nanoseconds) + step.wholeNanoseconds
        return Instant(nanoseconds: min(next, leg.arrival))
    }

    private static func walked(_ leg: Leg, _ now: Int64) -> Int64 {
        guard now < leg.arrival else { return leg.lengthMillimetres }
        let walked = Int128(leg.speedMillimetresPerHour) * Int128(now - leg.start) / Int128(hour)
        return min(Int64(walked), leg.lengthMillimetres)
    }

    /// How long a length takes, rounded up to whole nanoseconds.
    private static func time(_ lengthMillimetres: Int64, at speed: Int64) -> Int64 {
        Int64((Int128(lengthMillimetres) * Int128(hour) + Int128(speed) - 1) / Int128(speed))
    }
}
