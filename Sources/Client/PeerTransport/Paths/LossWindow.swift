import SansIO

/// Counts the numbered packets of the last two seconds: how many were sent, how many came.
///
/// Two seconds hold 100 frames of talk or 20 pings of probing, and are half of what a walker needs from
/// the first lost frames to the last heard one.
struct LossWindow: Sendable, Equatable {
    static let bucketCount = SIMD8<Int32>.scalarCount
    static let bucketNanoseconds: Int64 = 250_000_000
    static let lengthNanoseconds = Int64(bucketCount) * bucketNanoseconds
    /// A stream's numbers begin anew when nothing came by this path for so long, or when the talker
    /// is known to have left it: what was sent by another path only is no loss of this one.
    static let pauseNanoseconds: Int64 = 1_000_000_000
    /// A greater step than a pause can hold is another stream.
    static let stepMax: Int32 = 250

    private var expectedCounts = SIMD8<Int32>()
    private var receivedCounts = SIMD8<Int32>()
    private var bucket: Int64?
    /// How many packets were numbered, and how many of them came, in the whole window.
    private(set) var expected = 0
    private(set) var received = 0

    private var greatest: SerialNumber?
    private var seen = ReplayWindow()
    /// When a voice frame came last.
    private(set) var heardNanoseconds: Int64?
    /// Whether the talker has left this path since its last frame.
    private var wasLeft = false

    /// The share that did not come.
    var lossFraction: Probability {
        guard expected > 0, received < expected else { return .zero }
        return Probability(partsPerMillion: Int32((expected - received) * 1_000_000 / expected))
    }

    /// Lets what is too old fall out.
    mutating func advance(to now: Instant) {
        let present = now.nanoseconds / Self.bucketNanoseconds
        let last = bucket ?? present
        bucket = max(last, present)
        guard present > last else { return }
        for step in 1...min(present - last, Int64(Self.bucketCount)) {
            let index = Self.index(of: last + step)
            expected -= Int(expectedCounts[index])
            received -= Int(receivedCounts[index])
            (expectedCounts[index], receivedCounts[index]) = (0, 0)
        }
    }

    /// Counts a voice frame by its number.
    mutating func receive(_ sequence: SerialNumber, at now: Instant) {
        advance(to: now)
        let pausedSince = now.nanoseconds - Self.pauseNanoseconds
        let hasPaused = wasLeft || heardNanoseconds.map { $0 < pausedSince } ?? true
        let step = greatest.map { sequence.distance(ahead: $0) }
        heardNanoseconds = now.nanoseconds
        guard let step, abs(step) <= Self.stepMax, !(hasPaused && step > 1) else {
            (greatest, wasLeft) = (sequence, false)
            seen = ReplayWindow()
            _ = seen.admit(sequence)
            return count(expected: 1, received: 1)
        }
        guard seen.admit(sequence) == .first else { return }
        if step > 0 { (greatest, wasLeft) = (sequence, false) }
        count(expected: max(step, 0), received: 1)
    }

    /// Says that the frames between the last one and the next go by another path only.
    mutating func leave() { wasLeft = true }

    /// Whether a frame that came by another path was sent after all that came by this one.
    func isBehind(_ sequence: SerialNumber) -> Bool {
        greatest.map { sequence.distance(ahead: $0) > 0 } ?? false
    }

    /// Counts a ping whose pong came, or did not come in time.
    mutating func settlePing(isAnswered: Bool, at now: Instant) {
        advance(to: now)
        count(expected: 1, received: isAnswered ? 1 : 0)
    }

    /// A late frame was counted as expected when its successor came, perhaps in a bucket that is gone.
    private mutating func count(expected more: Int32, received arrived: Int32) {
        let index = Self.index(of: bucket ?? 0)
        expectedCounts[index] += more
        receivedCounts[index] += arrived
        expected += Int(more)
        received += Int(arrived)
    }

    private static func index(of bucket: Int64) -> Int {
        let count = Int64(bucketCount)
        return Int((bucket % count + count) % count)
    }
}
