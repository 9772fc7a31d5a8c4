public import KodamaSimulation

/// Where a phone is over time, carried by somebody who walks.
public struct WalkPlan: Sendable, Equatable {
    /// The phone that the walker holds.
    public var phone: String
    /// The way.
    public var walk: Walk

    /// Describes a walk.
    public init(phone: String, walk: Walk) {
        self.phone = phone
        self.walk = walk
    }
}

extension PeerRadioModel: Tunable {}

extension WorldPlan {
    /// How far peer radios reach.
    public var peerRadio: PeerRadioModel { shared[PeerRadioModel.self] }
}
