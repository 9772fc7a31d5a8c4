import RealtimeVoice
import SansIO

extension PhoneSystem {
    mutating func change(
        _ kind: NetworkInterface,
        isUp: Bool,
        _ notice: PathNotice,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneSystemEffect>
    ) {
        guard let place = interfaces.firstIndex(where: { $0.kind == kind }),
            interfaces[place].isUp || isUp
        else { return }
        let lost = interfaces[place].current
        interfaces[place].isUp = isUp
        if isUp {
            // A number that was used is used again only after 65,535 others.
            interfaces[place].lease &+= 1
        }
        effects.append(.addresses(addresses))
        if let lost, notice.breaksSockets {
            breakSockets(of: lost, into: &effects)
        }
        guard let delay = notice.delay else { return }
        let belief = interfaces[place].current
        notices.append(Notice(due: now.advanced(by: delay), interface: kind, belief: belief))
        hearNotices(at: now, into: &effects)
    }

    private mutating func breakSockets(
        of lease: InterfaceLease,
        into effects: inout EffectBuffer<PhoneSystemEffect>
    ) {
        switch process {
        case .none:
            break
        case .running:
            effects.append(.breakSockets(lease))
        case .suspended:
            if let place = sleeping.firstIndex(where: { $0.lease == lease }) {
                sleeping[place].isBroken = true
            }
        }
    }

    /// Takes the notices that are due into the system's belief, and tells the app once.
    mutating func hearNotices(
        at now: Instant,
        into effects: inout EffectBuffer<PhoneSystemEffect>
    ) {
        guard notices.contains(where: { $0.due <= now }) else { return }
        for notice in notices where notice.due <= now {
            if let place = interfaces.firstIndex(where: { $0.kind == notice.interface }) {
                interfaces[place].believed = notice.belief
            }
        }
        notices.removeAll { $0.due <= now }
        tellPath(into: &effects)
    }

    /// Tells a running app the path, if the lease behind it is not the one it was told.
    mutating func tellPath(into effects: inout EffectBuffer<PhoneSystemEffect>) {
        let lease = interfaces.lazy.compactMap(\.believed).first
        guard process == .running, toldLease != .some(lease) else { return }
        toldLease = .some(lease)
        effects.append(.path(lease.map { .satisfied($0.interface) } ?? .unsatisfied))
    }
}
