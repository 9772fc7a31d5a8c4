/// Outages that come by themselves: Poisson in time, log-normal in length.
public struct OutageProcess: Sendable, Equatable {
    /// Outages per hour of being up.
    public var perHour: Int64
    /// The median length.
    public var medianLength: Duration
    /// The standard deviation of the length's natural logarithm, in thousandths.
    public var sigmaThousandths: Int64
    /// The shortest length.
    public var shortest: Duration
    /// The longest length.
    public var longest: Duration

    /// Makes a process.
    public init(
        perHour: Int64,
        medianLength: Duration,
        sigmaThousandths: Int64,
        shortest: Duration,
        longest: Duration
    ) {
        self.perHour = perHour
        self.medianLength = medianLength
        self.sigmaThousandths = sigmaThousandths
        self.shortest = shortest
        self.longest = longest
    }

    /// Driving across the USA: 9.6 outages an hour of at least 1 s, median 1.8 s, at most 60 s
    /// (fitted to the ping logs of NUWiNS/imc2023-cellular-network-performance-on-wheels-data).
    public static let driving = OutageProcess(
        perHour: 10,
        medianLength: .milliseconds(1_800),
        sigmaThousandths: 1_000,
        shortest: .seconds(1),
        longest: .seconds(60)
    )
}
