import SansIO

/// Controlled delay (CoDel, RFC 8289), decided for each packet when it arrives.
///
/// The RFC decides when a packet reaches the head of the queue. In a queue served in order that
/// instant, and with it the packet's sojourn time, depends only on packets that came before; a
/// dropped packet takes no capacity. So the RFC's loops over consecutive packets unroll into one
/// decision per packet, in the order of arrival, at the instant at which each will be dequeued: the
/// decisions are the same, one by one.
///
/// One term looks at packets that came *after*: the RFC never drops while at most one packet's worth
/// of bytes stays behind. Here that is asked of the bytes that the packet finds ahead of it, plus
/// one packet for the one being sent, which the RFC does not count. In a queue that neither grows
/// nor shrinks for ever, both numbers follow the same law (every level is crossed upwards by
/// arrivals as often as downwards by departures), yet for a single packet they may differ.
struct ControlledDelay: Sendable, Equatable {
    private let target: Int64
    private let interval: Int64
    /// `maxpacket`: the largest packet seen, as Linux has it.
    private var largestPacketBytes = 0
    /// `first_above_time`: when packets now late will have been so for an interval.
    private var persistentFrom: Int64?
    private var isDropping = false
    /// Whether a drop still owes the next one's instant, which the RFC sets with the next packet.
    private var owesNextDrop = false
    private var nextDrop: Int64 = 0
    private var count: Int64 = 0
    private var lastCount: Int64 = 0

    /// Makes the state of an empty queue; `nil` if the discipline is another.
    init?(_ discipline: QueueDiscipline) {
        guard case .coDel(let target, let interval, _) = discipline else { return nil }
        self.target = target.wholeNanoseconds
        self.interval = interval.wholeNanoseconds
    }

    /// Whether a packet sent at `sent` is dropped when the transmitter comes to it.
    mutating func drops(
        bytes: Int,
        sentAt sent: Int64,
        before transmitter: some Transmitter
    ) -> Bool {
        largestPacketBytes = max(largestPacketBytes, bytes)
        let instant = transmitter.nextStart
        let isLate =
            instant - sent >= target && transmitter.hasUnsent(moreThan: 2 * largestPacketBytes)
        guard isPersistent(isLate, at: instant) else {
            isDropping = false
            owesNextDrop = false
            return false
        }
        guard isDropping else {
            startDropping(at: instant)
            return true
        }
        if owesNextDrop {
            count += 1
            nextDrop = controlLaw(after: nextDrop)
        }
        owesNextDrop = instant >= nextDrop
        return owesNextDrop
    }

    /// The RFC's `dodequeue`: whether packets have been late for a whole interval.
    private mutating func isPersistent(_ isLate: Bool, at instant: Int64) -> Bool {
        guard isLate else {
            persistentFrom = nil
            return false
        }
        guard let persistentFrom else {
            persistentFrom = instant + interval
            return false
        }
        return instant >= persistentFrom
    }

    private mutating func startDropping(at instant: Int64) {
        isDropping = true
        // If the last spell of dropping ended lately, its rate is a good start for this one.
        let dropsOfLastSpell = count - lastCount
        let isRecent = instant - nextDrop < 16 * interval
        count = dropsOfLastSpell > 1 && isRecent ? dropsOfLastSpell : 1
        nextDrop = controlLaw(after: instant)
        lastCount = count
    }

    /// The control law: interval/√count later, cut to whole nanoseconds.
    private func controlLaw(after instant: Int64) -> Int64 {
        // √(⌊interval²/count⌋) and interval/√count have the same whole part.
        instant + Self.squareRoot(of: interval * interval / count)
    }

    /// The whole part of the square root of a number that is not negative (Newton's method).
    static func squareRoot(of number: Int64) -> Int64 {
        guard number > 0 else { return 0 }
        // A power of two no smaller than the root: from above, the steps never fall below it.
        var root: Int64 = 1 << ((65 - number.leadingZeroBitCount) / 2)
        while true {
            let next = (root + number / root) / 2
            guard next < root else { return root }
            root = next
        }
    }
}
