import AppServer
import SansIO
import Simulation

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
    mutating func open(
        _ id: PushConnectionID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard !ailments.isSilent(at: now), !connections.contains(where: { $0.id == id }) else {
            return
        }
        if connections.count == Self.connectionsMax {
            effects.append(.closed(connections.removeFirst().id))
        }
        var lives = RandomStream(seed: seed, purpose: "push connection", entity: "")
        lives.index = UInt64(id.number)
        let life = lives.duration(in: settings.connectionIdleLife)
        connections.append(ProviderConnection(id: id, idleLife: life, lastHeardAt: now))
        effects.append(.opened(id))
    }

    mutating func ping(
        _ id: PushConnectionID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = liveConnection(id, at: now, into: &effects) else { return }
        connections[index].lastHeardAt = now
        effects.append(.ponged(id))
    }

    mutating func receive(
        _ request: PushRequest,
        _ operation: OperationID,
        on id: PushConnectionID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = liveConnection(id, at: now, into: &effects) else { return }
        connections[index].lastHeardAt = now
        let response = answer(request, on: index, at: now, into: &effects)
        let delay = ailments.delay(at: now)
        guard delay > .zero, answers.count < Self.inTransitMax else {
            return effects.append(.answer(response, operation, on: id))
        }
        let answer = QueuedAnswer(response: response, operation: operation, connection: id)
        Transit(due: now.advanced(by: delay), content: answer).insert(into: &answers)
    }

    /// Whether what is said on a connection reaches the provider.
    func isHeard(on id: PushConnectionID, at now: Instant) -> Bool {
        connections.contains { $0.id == id && !$0.isDead(at: now) }
    }

    /// A connection's index; none if it swallows everything, and one that was closed is closed again.
    private func liveConnection(
        _ id: PushConnectionID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) -> Int? {
        guard let index = connections.firstIndex(where: { $0.id == id }) else {
            if !ailments.isSilent(at: now) { effects.append(.closed(id)) }
            return nil
        }
        return connections[index].isDead(at: now) ? nil : index
    }

    private mutating func answer(
        _ request: PushRequest,
        on connection: Int,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) -> PushResponse {
        if let reason = ailments.refusal(at: now) { return reason.response }
        guard now >= connections[connection].unusableUntil else {
            return PushReason.tooManyProviderTokenUpdates.response
        }
        let issuedAt = request.providerTokenIssuedAt
        switch account.refusal(ofTokenIssuedAt: issuedAt, at: now, clock: clock, settings) {
        case .reason(let reason): return reason.response
        case .tooManyUpdates(let until):
            connections[connection].unusableUntil = until
            return PushReason.tooManyProviderTokenUpdates.response
        case nil: break
        }
        do throws(PushReason) {
            return try accept(PushFields(request), request.body, at: now, into: &effects)
        } catch {
            return error.response
        }
    }

    mutating func suffer(
        _ fault: PushServiceFault,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch fault {
        case .refuse(let reason, let time):
            ailments.refuse(reason, until: now.advanced(by: time))
        case .goSilent(let time):
            ailments.goSilent(until: now.advanced(by: time))
            for index in connections.indices { connections[index].isSilenced = true }
        case .slow(let delay, let time):
            ailments.slow(by: delay, until: now.advanced(by: time))
        case .closeConnections:
            for connection in connections where !connection.isDead(at: now) {
                effects.append(.closed(connection.id))
            }
            connections.removeAll { !$0.isDead(at: now) }
        case .clear: ailments = PushServiceAilments()
        }
    }
}
