import AppServer
import IncomingCalls
@testable import KodamaCalls
import SansIO
import SansIOTesting

/// Phones, server and push service face to face, with a network that loses requests and answers, and a
/// push service whose answers get lost.
struct CallTown {
    /// One phone with the app's machines.
    struct Phone {
        let name: String
        let credentials: CallCredentials
        var registry: CallRegistry
        var registration: PushTokenRegistration
        var inbox: MissedCallInbox
        /// The calls that its system shows.
        var shown: [UniqueID] = []
        var reporting: [(OperationID, UniqueID)] = []
        var notices: [String] = []
        var ends: [String: CallEndReason] = [:]
        var joined: [UniqueID] = []
    }

    enum Happening {
        case registry(Int, CallRegistry.Event)
        case registration(Int, PushTokenRegistration.Event)
        case inbox(Int, MissedCallInbox.Event)
        case request(Int, Machine, OperationID, CallRequest)
        case provider(PushProvider.Event)
    }

    enum Machine { case registry, registration, inbox }

    private(set) var phones: [Phone] = []
    private(set) var faults: [String] = []
    /// How often each phone rang for each call.
    private(set) var rings: [String: Int] = [:]
    /// How many pushes the push service delivered.
    private(set) var deliveries = 0
    private(set) var provider: PushProvider

    private var bench = ServerBench { $0.displayNames = ["hana": "花子"] }
    private let start: WallTime
    private var now = Instant.zero
    private var due: [(at: Instant, happening: Happening)] = []
    private var random: LawRandom
    private let loss: Int

    init(seed: UInt64, loss: Int) {
        random = LawRandom(seed: seed)
        self.loss = loss
        start = bench.now
        provider = PushProvider(clock: WallClock(showing: start), seed: seed)
        for (index, name) in ["hana-phone", "mika-1", "mika-2"].enumerated() {
            let user = String(name.prefix(4))
            let credentials = CallCredentials(bearer: bench.session(of: user), deviceID: name)
            let phone = Phone(
                name: name,
                credentials: credentials,
                registry: CallRegistry(
                    configuration: CallsConfiguration(),
                    restoring: nil,
                    clock: WallClock(showing: start),
                    seed: seed &* 3 &+ UInt64(index),
                    operations: OperationCounter(lane: 0, of: 3)
                ),
                registration: PushTokenRegistration(
                    bundleId: "app",
                    seed: UInt64(index),
                    operations: OperationCounter(lane: 1, of: 3)
                ),
                inbox: MissedCallInbox(
                    restoring: nil,
                    seed: UInt64(index),
                    operations: OperationCounter(lane: 2, of: 3)
                )
            )
            phones.append(phone)
            give(.registry(index, .credentialsChanged(credentials)))
            give(.registration(index, .credentialsChanged(credentials)))
            give(.inbox(index, .credentialsChanged(credentials)))
            give(.registration(index, .tokenReceived(Array(name.utf8))))
        }
        run(for: .seconds(30))
    }

    /// `hana` calls `mika`; a moment later somebody may do something, and two minutes later all is over.
    mutating func callAndRest() {
        give(.registry(0, .callRequested(contactId: "mika", name: "美香", hasVideo: false)))
        for _ in 0..<random.below(4) {
            run(for: .milliseconds(random.below(9_000)))
            act()
        }
        run(for: .seconds(60))
        for (index, phone) in phones.enumerated() {
            for uuid in phone.shown { action(index, .end(uuid)) }
        }
        run(for: .seconds(120))
        for index in phones.indices { give(.inbox(index, .checkRequested)) }
        run(for: .seconds(60))
        for phone in phones {
            expect(phone.shown.isEmpty, "\(phone.name) shows a call for ever")
            expect(phone.registry.descriptions.isEmpty, "\(phone.name) has a call for ever")
            expect(phone.joined.isEmpty, "\(phone.name) never left the media")
            expect(Set(phone.notices).count == phone.notices.count, "two notices of one call")
        }
    }

    private mutating func act() {
        let index = random.below(3)
        guard let uuid = phones[index].shown.last else { return }
        let isCallee = index > 0
        action(index, isCallee && random.chance(percent: 60) ? .answer(uuid) : .end(uuid))
    }

    private var actions: UInt32 = 0

    private mutating func action(_ index: Int, _ action: SystemCallAction) {
        actions += 1
        if case .end(let uuid) = action { phones[index].shown.removeAll { $0 == uuid } }
        give(.registry(index, .actionRequested(ActionID(number: actions), action)))
    }

    private mutating func expect(_ condition: Bool, _ fault: String) {
        if !condition { faults.append(fault) }
    }

    private mutating func later(_ happening: Happening, upTo milliseconds: Int = 300) {
        due.append((now.advanced(by: .milliseconds(1 + random.below(milliseconds))), happening))
    }

    private mutating func run(for duration: Duration) {
        let end = now.advanced(by: duration)
        while true {
            let wake = deadlines.min()
            let next = due.indices.min { due[$0].at < due[$1].at }
            if let next, due[next].at <= end, due[next].at <= wake ?? end {
                now = max(now, due[next].at)
                give(due.remove(at: next).happening)
            } else if let wake, wake <= end {
                now = max(now, wake)
                wakeAll()
            } else {
                now = end
                return
            }
        }
    }

    private var deadlines: [Instant] {
        var deadlines = phones.flatMap {
            [$0.registry.deadline, $0.registration.deadline, $0.inbox.deadline]
        }
        deadlines.append(provider.deadline)
        return deadlines.compactMap { $0?.instant }
    }

    private mutating func wakeAll() {
        for index in phones.indices {
            for effect in phones[index].registry.wake(at: now) { perform(effect, on: index) }
            for effect in phones[index].registration.wake(at: now) { perform(effect, on: index) }
            for effect in phones[index].inbox.wake(at: now) { perform(effect, on: index) }
        }
        for effect in provider.wake(at: now) { perform(effect) }
    }
}

// MARK: What happens

extension CallTown {
    private mutating func give(_ happening: Happening) {
        switch happening {
        case .registry(let index, let event):
            for effect in phones[index].registry.handle(event, at: now) {
                perform(effect, on: index)
            }
            if case .reportFinished(let operation, let error) = event {
                countRing(operation, error, on: index)
            }
        case .registration(let index, let event):
            let effects = phones[index].registration.handle(event, at: now)
            for effect in effects { perform(effect, on: index) }
        case .inbox(let index, let event):
            for effect in phones[index].inbox.handle(event, at: now) { perform(effect, on: index) }
        case .provider(let event):
            for effect in provider.handle(event, at: now) { perform(effect) }
        case .request(let index, let machine, let operation, let request):
            ask(request, operation, for: machine, on: index)
        }
    }

    private mutating func ask(
        _ request: CallRequest,
        _ operation: OperationID,
        for machine: Machine,
        on index: Int
    ) {
        bench.now = start.advanced(by: .nanoseconds(now.nanoseconds))
        let response = bench.ask(request.http(phones[index].credentials))
        for command in bench.server.takePushCommands() { give(.provider(.commanded(command))) }
        guard !random.chance(percent: loss) else { return }
        let answer = CallAnswer(response, to: request)
        switch machine {
        case .registry: later(.registry(index, .apiAnswered(operation, answer)))
        case .registration: later(.registration(index, .apiAnswered(operation, answer)))
        case .inbox: later(.inbox(index, .apiAnswered(operation, answer)))
        }
    }

    private mutating func send(
        _ request: CallRequest,
        _ operation: OperationID,
        for machine: Machine,
        on index: Int
    ) {
        guard !random.chance(percent: loss) else { return }
        later(.request(index, machine, operation, request))
    }

    private mutating func countRing(
        _ operation: OperationID,
        _ error: SystemReportError?,
        on index: Int
    ) {
        guard let found = phones[index].reporting.firstIndex(where: { $0.0 == operation }) else {
            return
        }
        let uuid = phones[index].reporting.remove(at: found).1
        guard error == nil, phones[index].shown.contains(uuid),
            let call = phones[index].registry.descriptions.first(where: { $0.uuid == uuid })
        else { return }
        let name = phones[index].name + " " + call.callId
        rings[name, default: 0] += 1
        expect(rings[name] == 1, "\(name) rings \(rings[name] ?? 0) times")
    }
}

// MARK: What is ordered

extension CallTown {
    private mutating func perform(_ effect: CallRegistry.Effect, on index: Int) {
        switch effect {
        case .system(.reportIncoming(let operation, let uuid, _)):
            let exists = phones[index].shown.contains(uuid)
            if !exists { phones[index].shown.append(uuid) }
            phones[index].reporting.append((operation, uuid))
            let error: SystemReportError? = exists ? .callUUIDAlreadyExists : nil
            later(.registry(index, .reportFinished(operation, error)), upTo: 50)
        case .system(.reportEnded(let uuid, _)):
            phones[index].shown.removeAll { $0 == uuid }
        case .system(.request(let operation, let action)):
            phones[index].shown.append(action.uuid)
            later(.registry(index, .requestFinished(operation, isAccepted: true)))
            actions += 1
            later(.registry(index, .actionRequested(ActionID(number: actions), action)))
        case .callAPI(let operation, let request),
            .callAPIAsFormer(let operation, let request, _):
            send(request, operation, for: .registry, on: index)
        case .media(let uuid, .join):
            phones[index].joined.append(uuid)
            later(.registry(index, .mediaConnected(uuid)))
        case .media(let uuid, .leave): phones[index].joined.removeAll { $0 == uuid }
        case .announce(.ended(_, let callId, let reason)): phones[index].ends[callId] = reason
        case .missedCallExpected(let from, let by):
            give(.inbox(index, .callMissed(from: from, by: by)))
        case .system, .completePush, .configureAudio, .media, .cancelAPI, .writeStorage, .announce,
            .microphoneMissing, .signInRequired, .writeLog:
            return
        }
    }

    private mutating func perform(_ effect: PushTokenRegistration.Effect, on index: Int) {
        switch effect {
        case .callAPI(let operation, let request):
            send(request, operation, for: .registration, on: index)
        case .gaveUp: later(.registration(index, .pathRestored), upTo: 5_000)
        case .cancelAPI, .registered, .registeredLate, .signInRequired, .deviceIdentityRefused:
            return
        }
    }

    private mutating func perform(_ effect: MissedCallInbox.Effect, on index: Int) {
        switch effect {
        case .callAPI(let operation, let request):
            send(request, operation, for: .inbox, on: index)
        case .notify(let call): phones[index].notices.append(call.callId)
        case .cancelAPI, .writeStorage, .signInRequired: return
        }
    }

    /// The push service delivers what it gets; it is its answers that go missing, now and then with the
    /// whole connection.
    private mutating func perform(_ effect: PushProvider.Effect) {
        switch effect {
        case .openConnection(let id):
            later(
                .provider(
                    random.chance(percent: loss) ? .connectionClosed(id) : .connectionOpened(id)
                )
            )
        case .ping(let id):
            if !random.chance(percent: loss) { later(.provider(.pingAnswered(id))) }
        case .send(let operation, let connection, let order, _, _):
            let index = phones.firstIndex { phone in
                order.deviceToken == phone.name.utf8.map { String($0, radix: 16) }.joined()
            }
            if let index {
                let payload = PayloadValue(json: order.payload)
                deliveries += 1
                let push = PushID(number: UInt32(deliveries))
                later(.registry(index, .pushReceived(push, payload)), upTo: 3_000)
            }
            switch random.below(100) {
            case 0..<loss: return
            case loss..<(loss + loss / 2): later(.provider(.connectionClosed(connection)))
            default: later(.provider(.answered(operation, PushResponse(statusCode: 200))))
            }
        case .mintToken, .closeConnection, .forgetDevice, .finished: return
        }
    }
}
