public import SansIO

/// How well two phones reach each other by their peer radios, as far apart as they are.
public enum LinkReach: Int64, Sendable, CaseIterable {
    /// Less than 2 % of packets are lost to the distance.
    case good
    /// From there to a half.
    case weak
    /// More than half.
    case gone

    /// What a share of lost packets comes to.
    public init(lost: Probability) {
        self =
            switch lost.partsPerMillion {
            case ..<20_000: .good
            case ...500_000: .weak
            default: .gone
            }
    }
}

/// Two people have come nearer to each other or further apart, so that their radios reach differently.
public struct LinkReached: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.network, 5) }
    /// What it is called.
    public static let text = TraceFormText(
        "link.reached",
        .milestone,
        "Two people have come nearer or gone further apart, and their radios reach differently.",
        .words("reach", LinkReach.self),
        "distance_mm",
        "lost_ppm"
    )
    /// How well, from now on.
    public var reach: TraceWord<LinkReach>
    /// How far apart the two are, in millimetres.
    public var distanceMillimetres: Int64
    /// The share of packets that the distance takes, in millionths.
    public var lostPartsPerMillion: Int64

    /// Makes the values of a record.
    @inlinable
    public init(reach: LinkReach, distanceMillimetres: Int64, lostPartsPerMillion: Int64) {
        self.reach = TraceWord(reach)
        self.distanceMillimetres = distanceMillimetres
        self.lostPartsPerMillion = lostPartsPerMillion
    }
}
