extension EvidenceSystem {
    /// The network: links, packets and paths.
    public static let network = EvidenceSystem(
        .network,
        forms: [
            LinkChanged.self, PacketSent.self, PacketArrived.self, PacketDropped.self,
            PathLost.self, PathUsable.self, LinkCarried.self, PacketCarried.self,
        ],
        meter: NetworkMeter.self,
        narrator: NetworkNarrator.self
    )
}
