import AppServer
import KodamaSimulation
import SansIO

/// A provider's connection as the service knows it.
struct ProviderConnection: Sendable, Equatable {
    let id: PushConnectionID
    /// After how long a silence it is dead.
    let idleLife: Duration
    var lastHeardAt: Instant
    /// Whether it was open when the service went silent.
    var isSilenced = false
    /// Until when no request on it is answered otherwise than with TooManyProviderTokenUpdates.
    var unusableUntil = Instant(nanoseconds: .min)

    func isDead(at now: Instant) -> Bool {
        isSilenced || now >= lastHeardAt.advanced(by: idleLife)
    }
}

/// The provider's side: connections, requests and faults.
extension PushService {
    mutating func open(_ id: PushConnectionID, in turn: inout Turn<Effect>) {
        guard !ailments.isSilent(at: turn.now), !connections.contains(where: { $0.id == id }) else {
            return
        }
        if connections.count == Self.connectionsMax {
            turn.order(.closed(connections.removeFirst().id))
        }
        var lives = RandomStream(seed: seed, purpose: "push connection", entity: "")
        lives.index = UInt64(id.number)
        let life = lives.duration(in: settings.connectionIdleLife)
        connections.append(ProviderConnection(id: id, idleLife: life, lastHeardAt: turn.now))
        turn.order(.opened(id))
    }

    mutating func ping(_ id: PushConnectionID, in turn: inout Turn<Effect>) {
        guard let index = liveConnection(id, in: &turn) else { return }
        connections[index].lastHeardAt = turn.now
        turn.order(.ponged(id))
    }

    mutating func receive(
        _ request: PushRequest,
        _ operation: OperationID,
        on id: PushConnectionID,
        in turn: inout Turn<Effect>
    ) {
        guard let index = liveConnection(id, in: &turn) else { return }
        connections[index].lastHeardAt = turn.now
        let response = answer(request, on: index, in: &turn)
        let delay = ailments.delay(at: turn.now)
        guard delay > .zero, answers.count < Self.inTransitMax else {
            return turn.order(.answer(response, operation, on: id))
        }
        let answer = QueuedAnswer(response: response, operation: operation, connection: id)
        Transit(due: turn.now.advanced(by: delay), content: answer).insert(into: &answers)
    }

    /// Whether what is said on a connection reaches the provider.
    func isHeard(on id: PushConnectionID, at now: Instant) -> Bool {
        connections.contains { $0.id == id && !$0.isDead(at: now) }
    }

    /// A connection's index; none if it swallows everything, and one that was closed is closed again.
    private func liveConnection(_ id: PushConnectionID, in turn: inout Turn<Effect>) -> Int? {
        guard let index = connections.firstIndex(where: { $0.id == id }) else {
            if !ailments.isSilent(at: turn.now) { turn.order(.closed(id)) }
            return nil
        }
        return connections[index].isDead(at: turn.now) ? nil : index
    }

    private mutating func answer(
        _ request: PushRequest,
        on connection: Int,
        in turn: inout Turn<Effect>
    ) -> PushResponse {
        if let reason = ailments.refusal(at: turn.now) { return reason.response }
        guard turn.now >= connections[connection].unusableUntil else {
            return PushReason.tooManyProviderTokenUpdates.response
        }
        let issuedAt = request.providerTokenIssuedAt
        switch account.refusal(ofTokenIssuedAt: issuedAt, at: turn.now, clock: clock, settings) {
        case .reason(let reason): return reason.response
        case .tooManyUpdates(let until):
            connections[connection].unusableUntil = until
            return PushReason.tooManyProviderTokenUpdates.response
        case nil: break
        }
        do throws(PushReason) {
            return try accept(PushFields(request), request.body, in: &turn)
        } catch {
            return error.response
        }
    }

    mutating func suffer(_ fault: PushServiceFault, in turn: inout Turn<Effect>) {
        switch fault {
        case .refuse(let reason, let time):
            ailments.refuse(reason, until: turn.now.advanced(by: time))
        case .goSilent(let time):
            ailments.goSilent(until: turn.now.advanced(by: time))
            for index in connections.indices { connections[index].isSilenced = true }
        case .slow(let delay, let time):
            ailments.slow(by: delay, until: turn.now.advanced(by: time))
        case .closeConnections:
            for connection in connections where !connection.isDead(at: turn.now) {
                turn.order(.closed(connection.id))
            }
            connections.removeAll { !$0.isDead(at: turn.now) }
        case .clear: ailments = PushServiceAilments()
        }
    }
}
