public import SansIO

/// What one direction of a link does to a packet, stage by stage.
public struct LinkDirection: Sendable, Equatable {
    /// The longest delay, jitter or slowing that a link has.
    public static let delayMax = Duration.seconds(86_400)

    /// The largest packet that passes, in bytes; `nil` if there is no limit.
    public var maximumBytes: Int?
    /// When packets may leave.
    public var capacity: Capacity = .unlimited
    /// What happens to packets that wait for the capacity.
    public var queue: QueueDiscipline = .dropTail(limitBytes: 64_000)
    /// Which packets vanish.
    public var loss: LossModel = .none
    /// The propagation delay that every packet has, from 0 to a day.
    public var delay: Duration = .zero
    /// What is added to the delay.
    public var jitter: JitterModel = .none
    /// Whether a packet may overtake another; if not, each arrives no earlier than the one before.
    public var allowsReordering: Bool = false
    /// How likely a packet arrives twice.
    public var duplication: Probability = .zero
    /// How likely a packet arrives with a flipped bit.
    public var corruption: Probability = .zero

    /// Makes a direction that delivers everything at once.
    public init() {}

    /// What makes this direction impossible, one sentence each; empty if nothing does.
    ///
    /// A `Link` refuses a direction with faults, so whoever reads one from a file asks first.
    public var faults: [String] {
        var faults = capacity.faults + queue.faults + jitter.faults
        if !delay.isLinkDelay {
            faults.append("a delay of \(delay) lies outside 0 s...1 day")
        }
        if let maximumBytes, maximumBytes < 0 {
            faults.append("a largest packet of \(maximumBytes) bytes is negative")
        }
        return faults
    }
}
