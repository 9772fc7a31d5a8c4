public import SansIO

/// A named link: what each direction does to a packet, and where the figures come from.
public struct LinkProfile: Sendable, Equatable {
    /// The name in scenario files, such as `local-clean`.
    public var name: String
    /// What it stands for, in one sentence.
    public var summary: String
    /// Where the figures come from.
    public var source: String
    /// From the first named end to the second.
    public var forward: LinkDirection
    /// From the second named end to the first.
    public var backward: LinkDirection

    /// Makes a profile whose two directions are alike unless `backward` is given.
    public init(
        name: String,
        summary: String,
        source: String,
        forward: LinkDirection,
        backward: LinkDirection? = nil
    ) {
        self.name = name
        self.summary = summary
        self.source = source
        self.forward = forward
        self.backward = backward ?? forward
    }
}

/// What one direction of a link does to a packet, stage by stage.
public struct LinkDirection: Sendable, Equatable {
    /// When packets may leave.
    public var capacity: Capacity = .unlimited
    /// What happens to packets that wait for the capacity.
    public var queue: QueueDiscipline = .dropTail(limitBytes: 64_000)
    /// Which packets vanish.
    public var loss: LossModel = .none
    /// The propagation delay that every packet has; not negative.
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
}

/// When packets may leave.
public enum Capacity: Sendable, Equatable {
    /// At once.
    case unlimited
    /// One after the other, each taking its size over the rate.
    case rate(DataRate)
    /// At the opportunities of a trace in mahimahi's format.
    case opportunities(DeliveryTrace)
}

/// The opportunities of a link trace: milliseconds at which up to 1,504 bytes may leave, repeated.
public struct DeliveryTrace: Sendable, Equatable {
    /// The name for reports.
    public var name: String
    /// Milliseconds since the start of the trace, never falling; the last one is the period.
    public var milliseconds: [Int32]

    /// Makes a trace; see `DeliveryTrace.parse` for checked input.
    public init(name: String, milliseconds: [Int32]) {
        self.name = name
        self.milliseconds = milliseconds
    }
}

/// What happens to packets that wait.
public enum QueueDiscipline: Sendable, Equatable {
    /// A packet that finds no room is dropped.
    case dropTail(limitBytes: Int)
    /// Controlled delay (RFC 8289), with a drop-tail limit behind it.
    case coDel(target: Duration, interval: Duration, limitBytes: Int)
}

/// Which packets vanish.
public enum LossModel: Sendable, Equatable {
    /// None.
    case none
    /// Each on its own.
    case independent(Probability)
    /// A two-state chain stepped per packet: `p` good to bad, `r` bad to good; a packet in the good
    /// state is lost with `lossGood`, in the bad state with `lossBad`.
    case gilbertElliott(
        p: Probability,
        r: Probability,
        lossGood: Probability,
        lossBad: Probability
    )
}

/// What is added to the delay.
public enum JitterModel: Sendable, Equatable {
    /// Nothing.
    case none
    /// Anything from nothing to `most`, equally likely.
    case uniform(most: Duration)
    /// The magnitude of a normal deviate with this standard deviation.
    case halfNormal(deviation: Duration)
    /// Drawn from quantiles at equal steps of probability, from 0 to 1, linear between them.
    case quantiles([Duration])
}
