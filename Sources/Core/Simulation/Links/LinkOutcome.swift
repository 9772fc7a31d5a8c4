public import SansIO

/// What becomes of one packet, known as soon as it is sent.
@frozen
public enum LinkOutcome: Sendable, Hashable, BitwiseCopyable {
    /// It arrives.
    case delivered(Arrival)
    /// It arrives twice, in the order of departure; the second may overtake where that is allowed.
    case duplicated(Arrival, Arrival)
    /// It never arrives.
    case dropped(LinkDropReason)

    /// The packet's arrival; `nil` if it is dropped.
    public var arrival: Arrival? {
        switch self {
        case .delivered(let arrival), .duplicated(let arrival, _): arrival
        case .dropped: nil
        }
    }

    /// The second copy's arrival, if there is one.
    public var secondArrival: Arrival? {
        guard case .duplicated(_, let copy) = self else { return nil }
        return copy
    }

    /// Why it is dropped; `nil` if it arrives.
    public var dropReason: LinkDropReason? {
        guard case .dropped(let reason) = self else { return nil }
        return reason
    }
}

/// One copy of a packet at the far end.
@frozen
public struct Arrival: Sendable, Hashable, BitwiseCopyable {
    /// When it arrives.
    public var instant: Instant
    /// The flipped bit, if there is one: bit `n % 8`, the lowest being 0, of byte `n / 8`.
    public var corruptedBit: Int?

    /// Makes an arrival.
    public init(instant: Instant, corruptedBit: Int? = nil) {
        self.instant = instant
        self.corruptedBit = corruptedBit
    }
}

/// Why a link drops a packet.
@frozen
public enum LinkDropReason: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    /// The loss model took it.
    case loss
    /// The queue had no room.
    case queueFull
    /// The queue's discipline dropped it to keep the delay down.
    case queueManaged
    /// The interface was down or the link stopped.
    case down
    /// It was larger than the link carries.
    case tooLarge
    /// A filter on its way lets no packet of its kind pass.
    case blocked
}
