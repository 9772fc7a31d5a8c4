public import SansIO

/// What one path does to a stream: loss, jitter, and the fastest transit of late.
///
/// One per path, fed before duplicates of other paths are dropped: while sending twice, merged
/// figures would show the better path only. Burst frames were old when they were sent, so they
/// count as packets but not in jitter and transit.
public struct PathStatistics: Sendable, Equatable {
    /// The stretch over which the fastest transit is remembered, in steps of one second.
    public static let transitWindowSeconds = 10

    /// How many different packets came.
    public private(set) var packetsReceived: Int64 = 0
    private var first: Int64?
    private var greatest: Int64 = 0
    private var unwrapper = SerialUnwrapper()
    private var window = ReplayWindow()
    private var expectedReported: Int64 = 0
    private var receivedReported: Int64 = 0

    private var interarrivalJitter = InterarrivalJitter()
    private var fastest: [Int64]
    private var second: Int64 = .min

    /// Makes statistics of a path that nothing has come by.
    public init() {
        fastest = Array(repeating: .max, count: Self.transitWindowSeconds)
    }

    /// Takes one voice frame that came by this path.
    ///
    /// - Parameters:
    ///   - sequence: The frame's number; its gaps are losses.
    ///   - captureIndex: The frame's media time, unwrapped; within ±2^36.
    ///   - marks: A burst frame counts as a packet only.
    ///   - now: When it came.
    public mutating func receive(
        sequence: SerialNumber,
        captureIndex: Int64,
        marks: FrameMarks,
        at now: Instant
    ) {
        guard window.admit(sequence) == .first else { return }
        packetsReceived += 1
        let number = unwrapper.unwrap(sequence)
        if let first {
            self.first = min(first, number)
            greatest = max(greatest, number)
        } else {
            (first, greatest) = (number, number)
        }
        guard !marks.contains(.burst),
            (-JitterBuffer.indexMax...JitterBuffer.indexMax).contains(captureIndex)
        else { return }
        measure(captureIndex, at: now)
    }

    /// Learns from a keepalive which frames were sent, so that a loss at the end shows too.
    public mutating func expect(nextSequence: SerialNumber) {
        guard first != nil else { return }
        greatest = max(greatest, unwrapper.unwrap(nextSequence) - 1)
    }

    /// How many packets the sender numbered from the first that came to the last known of.
    public var packetsExpected: Int64 {
        guard let first else { return 0 }
        return greatest - first + 1
    }

    /// The share of packets lost since the start.
    public var lossFraction: Probability {
        Self.loss(expected: packetsExpected, received: packetsReceived)
    }

    /// The share of packets lost since the last call of this function (RFC 3550 appendix A.3).
    public mutating func takeIntervalLossFraction() -> Probability {
        let expected = packetsExpected - expectedReported
        let received = packetsReceived - receivedReported
        (expectedReported, receivedReported) = (packetsExpected, packetsReceived)
        return Self.loss(expected: expected, received: received)
    }

    /// The interarrival jitter (RFC 3550 section 6.4.1), in whole samples at 48 kHz.
    public var jitter: Duration { .nanoseconds(interarrivalJitter.nanoseconds) }

    /// The least arrival time minus media time of the last ten seconds with traffic.
    ///
    /// The sender's and the receiver's clocks share no zero: only differences between the paths of
    /// one stream mean something.
    public var fastestTransit: Duration? {
        guard let least = fastest.min(), least != .max else { return nil }
        return .nanoseconds(least)
    }

    private static func loss(expected: Int64, received: Int64) -> Probability {
        guard expected > 0, received < expected else { return .zero }
        return Probability(
            partsPerMillion: Int32((expected - max(received, 0)) * 1_000_000 / expected)
        )
    }

    private mutating func measure(_ captureIndex: Int64, at now: Instant) {
        let transit = now.nanoseconds - captureIndex * VoiceClock.frameNanoseconds
        interarrivalJitter.record(transitNanoseconds: transit)
        keepFastest(transit, at: now)
    }

    private mutating func keepFastest(_ transit: Int64, at now: Instant) {
        let present = now.nanoseconds / 1_000_000_000
        if second == .min { second = present }
        for passed in 0..<min(present - second, Int64(fastest.count)) {
            fastest[place(of: present - passed)] = .max
        }
        second = max(second, present)
        fastest[place(of: present)] = min(fastest[place(of: present)], transit)
    }

    private func place(of second: Int64) -> Int {
        let length = Int64(fastest.count)
        return Int((second % length + length) % length)
    }
}
