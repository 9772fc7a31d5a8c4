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

    /// Driving across the USA: outages of at least 1 s, median 1.8 s, at most 60 s.
    ///
    /// Fitted to the ping logs of NUWiNS/imc2023-cellular-network-performance-on-wheels-data: 9.6 an
    /// hour, 0.9 % of the time; quantiles 1.8 (50 %), 3.2 (75 %), 7.2 (90 %), 10.2 (95 %) and 16.4 s
    /// (99 %). The fit gives 1.8, 3.5, 6.5, 9.3 and 18.4 s.
    public static let driving = OutageProcess(
        perHour: 10,
        medianLength: .milliseconds(1_800),
        sigmaThousandths: 1_000,
        shortest: .seconds(1),
        longest: .seconds(60)
    )
}
