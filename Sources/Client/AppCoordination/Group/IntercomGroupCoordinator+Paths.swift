import PeerTransport
import SansIO

extension IntercomGroupCoordinator {
    mutating func pathCameUp(
        _ path: TransportPath,
        to member: MemberID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        probe(member, path, .pathCameUp, at: now, into: &effects)
        hand(member, .pathCameUp(path), at: now, into: &effects)
        areCardsStale = true
    }

    /// Gives a probe an event, or wakes it, and follows what it orders.
    mutating func probe(
        _ member: MemberID,
        _ path: TransportPath,
        _ event: LinkProbe.Event?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = group?.index(of: member) else { return }
        var orders = EffectBuffer<LinkProbe.Effect>()
        group?.peers[index].drive(path, event, at: now, into: &orders)
        for order in orders.effects {
            switch order {
            case .send(let message):
                guard let link = group?.link(to: member, by: path) else { continue }
                effects.append(.sendControl(message, link))
            case .activated: hand(member, .pathActivated(path), at: now, into: &effects)
            case .answered: hand(member, .radioAnswered, at: now, into: &effects)
            case .judged(let verdict, let metrics):
                effects.append(.judged(member, path, verdict, metrics))
                hand(member, .judged(verdict, path), at: now, into: &effects)
            }
        }
    }

    /// Gives a handover an event, or wakes it, and follows what it orders.
    mutating func hand(
        _ member: MemberID,
        _ event: Handover.Event?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = group?.index(of: member) else { return }
        var orders = EffectBuffer<Handover.Effect>()
        group?.peers[index].drive(event, at: now, into: &orders)
        for order in orders.effects {
            switch order {
            case .bringUpInternet: connectInternet(at: now, into: &effects)
            case .releaseInternet: settleInternet(at: now, into: &effects)
            case .probeLocal(let isProbing):
                let event = isProbing ? LinkProbe.Event.probingBegan : .probingEnded
                probe(member, .local, event, at: now, into: &effects)
            case .askLocal: probe(member, .local, .asked, at: now, into: &effects)
            case .sendNotice(let status, let path, let number):
                let metrics = group?.peers[index].metrics(of: path, at: now) ?? LinkMetrics()
                let notice = PathStatusNotice(
                    path: path,
                    status: status,
                    number: number,
                    lossFraction: metrics.lossFraction,
                    jitterMicroseconds: UInt32(clamping: metrics.jitter.wholeNanoseconds / 1_000)
                )
                send(.pathStatus(notice), to: member, into: &effects)
            case .phaseChanged(let phase, let cause):
                areCardsStale = true
                effects.append(.phaseChanged(member, phase, cause))
                settleInternet(at: now, into: &effects)
            }
        }
    }
}
