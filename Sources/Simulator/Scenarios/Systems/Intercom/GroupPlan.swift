public import AppCoordination
public import Models
public import PeerTransport

/// What can be tuned in the intercom of groups besides its voices: how paths are watched and changed.
public struct GroupTuning: Tunable {
    /// Handover, probes, membership and handshakes; the voices' figures in it do not count.
    public var configuration = IntercomGroupConfiguration()
    /// Who judges the paths.
    public var judge = ThresholdJudge()

    /// The default figures.
    public init() {}
}

extension NearbyConfiguration: Tunable {}

extension MatchConfiguration: Tunable {}

extension WorldPlan {
    /// How the framework for phones nearby behaves.
    public var nearby: NearbyConfiguration { shared[NearbyConfiguration.self] }

    /// How the match service behaves.
    public var match: MatchConfiguration { shared[MatchConfiguration.self] }
}

/// What can be done to an intercom app.
public enum IntercomAct: SystemAct {
    /// The phone's radio for phones nearby is switched on or off.
    case peerRadio(isOn: Bool)
    /// The user leaves the group.
    case leaveGroup
    /// The user chooses the group again.
    case joinGroup
}
