import PeerTransport
import SansIO

extension IntercomGroupCoordinator {
    mutating func pathCameUp(
        _ path: TransportPath,
        to member: MemberID,
        in turn: inout Turn<Effect>
    ) {
        probe(member, path, .pathCameUp, in: &turn)
        hand(member, .pathCameUp(path), in: &turn)
        areCardsStale = true
    }

    /// Gives a probe an event, or wakes it, and follows what it orders.
    mutating func probe(
        _ member: MemberID,
        _ path: TransportPath,
        _ event: LinkProbe.Event?,
        in turn: inout Turn<Effect>
    ) {
        guard let index = group?.index(of: member) else { return }
        for order in group?.peers[index].drive(path, event, at: turn.now) ?? [] {
            switch order {
            case .send(let message):
                guard let link = group?.link(to: member, by: path) else { continue }
                turn.order(.sendControl(message, link))
            case .activated: hand(member, .pathActivated(path), in: &turn)
            case .answered: hand(member, .radioAnswered, in: &turn)
            case .judged(let verdict, let metrics):
                turn.order(.judged(member, path, verdict, metrics))
                hand(member, .judged(verdict, path), in: &turn)
            }
        }
    }

    /// Gives a handover an event, or wakes it, and follows what it orders.
    mutating func hand(_ member: MemberID, _ event: Handover.Event?, in turn: inout Turn<Effect>) {
        guard let index = group?.index(of: member) else { return }
        for order in group?.peers[index].drive(event, at: turn.now) ?? [] {
            switch order {
            case .bringUpInternet: connectInternet(in: &turn)
            case .releaseInternet: settleInternet(in: &turn)
            case .probeLocal(let isProbing):
                let event = isProbing ? LinkProbe.Event.probingBegan : .probingEnded
                probe(member, .local, event, in: &turn)
            case .askLocal: probe(member, .local, .asked, in: &turn)
            case .sendNotice(let status, let path, let number):
                let metrics = group?.peers[index].metrics(of: path, at: turn.now) ?? LinkMetrics()
                let notice = PathStatusNotice(
                    path: path,
                    status: status,
                    number: number,
                    lossFraction: metrics.lossFraction,
                    jitterMicroseconds: UInt32(clamping: metrics.jitter.wholeNanoseconds / 1_000)
                )
                send(.pathStatus(notice), to: member, in: &turn)
            case .phaseChanged(let phase, let cause):
                areCardsStale = true
                turn.order(.phaseChanged(member, phase, cause))
                settleInternet(in: &turn)
            }
        }
    }
}
