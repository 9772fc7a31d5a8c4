import KodamaSimulation
import SansIO

extension WorldPlan {
    /// Whether a seal can show in anything: whether some datagram may arrive that was changed on the way,
    /// for the second time, or from somebody on the air.
    public var putsSealsToTest: Bool {
        links.contains { $0.profile.spoilsPackets }
            || phones.contains { $0.radios.contains { $0.profile.spoilsPackets } }
            || timeline.contains { ($0.act as? LinkAct)?.spoilsPackets ?? false }
    }
}

extension LinkAct {
    fileprivate var spoilsPackets: Bool {
        switch self {
        case .disrupt: false
        case .attack: true
        case .change(let profile): profile.spoilsPackets
        }
    }
}

extension LinkProfile {
    fileprivate var spoilsPackets: Bool {
        [forward, backward].contains { $0.corruption > .zero || $0.duplication > .zero }
    }
}
