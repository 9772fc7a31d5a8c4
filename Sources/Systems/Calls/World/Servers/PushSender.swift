import AppServer
import KodamaBackend
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaSimulation
import KodamaWorld
import SansIO

/// The app server's push provider, bound to the push service: real decisions, without HTTP/2 in between.
final class PushSender: Component, Host {
    /// What the provider schedules.
    enum Word: UInt8 {
        /// It wants to be woken.
        case wake
        /// Something from the push service, by its number, arrives.
        case arrives
        /// Some call's time is over.
        case callExpires
    }

    let name = CallServicesPlan.providerName
    let index: ComponentIndex
    @exclusivity(unchecked) var seat: Seat<PushProvider>
    unowned(unsafe) let desk: CallDesk
    unowned(unsafe) let service: PushServer
    /// When each provider token was issued; that is all that the service is told of it.
    private var tokens: [ProviderTokenID: WallTime] = [:]
    /// Which call each request in flight is for, and which token it was sent to.
    private var requests: [OperationID: PushOrder] = [:]
    private var arriving = Waiting<PushProvider.Event>()
    @exclusivity(unchecked) private var wakeSource: EventSource
    @exclusivity(unchecked) private var ownSource: EventSource

    init(in setting: Setting, index: ComponentIndex, desk: CallDesk, service: PushServer) {
        let provider = PushProvider(
            clock: desk.api.clock,
            seed: RandomStream(seed: setting.seed, purpose: "push", entity: "provider").bits(at: 0)
        )
        seat = Seat(provider)
        self.index = index
        self.desk = desk
        self.service = service
        wakeSource = EventSource(rank: DeliveryRank.wake, component: Int(index.index))
        ownSource = EventSource(rank: DeliveryRank.server, component: Int(index.index))
    }

    func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        switch word {
        case .wake: awaken(on: &stage)
        case .arrives:
            let event = arriving.take(argument)
            if !desk.api.isDark { hear(event, on: &stage) }
        case .callExpires: desk.served(on: &stage)
        }
    }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        schedule(.wake, at: instant, by: &wakeSource, on: &stage)
    }

    /// Lets calls be looked at again after so long, when one has run out of time.
    func reviewCalls(after delay: Duration, on stage: inout Stage) {
        let instant = stage.now.advanced(by: delay)
        schedule(.callExpires, at: instant, by: &ownSource, on: &stage)
    }

    /// Something leaves the service for the provider.
    func answer(_ event: PushProvider.Event, on stage: inout Stage) {
        let number = arriving.add(event)
        let instant = stage.now.advanced(by: CallSystem.serverDelay)
        schedule(.arrives, number, at: instant, by: &ownSource, on: &stage)
    }

    /// The service has answered a request.
    func answered(
        _ operation: OperationID,
        _ response: PushResponse,
        on stage: inout Stage
    ) {
        guard let order = requests.removeValue(forKey: operation),
            let app = desk.app(ofToken: order.deviceToken)
        else { return }
        let call = desk.number(of: order.callId)
        if response.statusCode == 200 {
            let accepted = PushAccepted(
                call: call,
                state: TraceWord(app.state),
                isLocked: TraceFlag(app.phone.seat.ask { $0.isLocked }),
                isReachable: TraceFlag(app.isReachable(on: stage))
            )
            stage.note(accepted, of: index, about: app.index)
        } else {
            let refused = PushRefused(call: call, status: Int64(response.statusCode))
            stage.note(refused, of: index, about: app.index)
        }
    }

    /// Somebody else sends a push with the provider's key: a fault of the server's.
    func undergo(_ act: any SystemAct, on stage: inout Stage) {
        if case .endSignal(let phone, let reason) = act as? PushAct {
            return desk.signalEnd(at: phone, reason, on: &stage)
        }
        guard case .payload(let phone, let payload) = act as? PushAct else {
            preconditionFailure("the plan does \(act) to the push provider")
        }
        guard let order = desk.order(for: phone, payload: payload, at: stage.now) else { return }
        hear(.commanded(.send(order)), on: &stage)
    }

    /// Something leaves for the push service, if the host is on the network: it is that of the app's own
    /// server, whose clock it has, too.
    private func send(_ event: PushService.Event, on stage: inout Stage) {
        if !desk.api.isDark { service.send(event, on: &stage) }
    }

    func perform(_ effect: PushProvider.Effect, on stage: inout Stage) {
        switch effect {
        case .openConnection(let connection):
            send(.providerOpened(connection), on: &stage)
        case .closeConnection(let connection):
            send(.providerClosed(connection), on: &stage)
        case .ping(let connection):
            send(.providerPinged(connection), on: &stage)
        case .mintToken(let token, let time):
            tokens[token] = time
        case .send(let operation, let connection, let order, let id, let token):
            let request = PushRequest(order, id: id, providerTokenIssuedAt: tokens[token])
            requests[operation] = order
            let call = desk.number(of: order.callId)
            desk.keep(id, for: call)
            let subject = desk.app(ofToken: order.deviceToken)?.index ?? .none
            stage.note(PushSent(call: call), of: index, about: subject)
            send(.requested(request, operation, on: connection), on: &stage)
        case .forgetDevice(let token, let death):
            desk.forgetDevice(token: token, deadSince: death)
        case .finished(let callId, let token, let outcome):
            desk.pushFinished(callId, token, outcome, on: &stage)
        }
    }
}
