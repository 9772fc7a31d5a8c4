extension EvidenceSystem {
    /// The network: links, packets and paths.
    public static let network = EvidenceSystem(
        .network,
        forms: [
            LinkChanged.self, LinkReached.self, LinkCarried.self, PacketSent.self,
            PacketArrived.self, PacketDropped.self, PacketCarried.self, PathLost.self,
            PathUsable.self,
        ],
        meter: NetworkMeter.self,
        narrator: NetworkNarrator.self
    )
}
