import IncomingCalls
import SansIO
import SansIOTesting

/// A phone and a server in a few obvious lines, around a real registry: what the system's call UI shows
/// and what it was owed, judged from outside.
struct ModelPhone {
    /// What broke.
    private(set) var faults: [String] = []
    /// How often each call id rang.
    private(set) var rings: [String: Int] = [:]
    /// How many conversations came about.
    private(set) var conversations = 0
    /// How often the server was told of an answer.
    private(set) var answers = 0

    private var random: LawRandom
    private var registry: CallRegistry
    private var stored: String?
    private var now = Instant.zero
    private var due: [(at: Instant, event: CallRegistry.Event)] = []
    /// The calls that the system shows, and the call id that each was reported for.
    private var shown: [(uuid: UniqueID, callId: String?)] = []
    private var owedPushes: [PushID] = []
    private var owedActions: [(ActionID, SystemCallAction, Instant)] = []
    private var joined: [UniqueID] = []
    private var agreed: [UniqueID] = []
    private var callIdOfPush: String?
    private var reporting: [(OperationID, UniqueID, callId: String?)] = []
    private var overAtServer: [String: CallEndReason] = [:]
    private var number: UInt32 = 0
    /// Whether the server says of every call that it is over.
    private var isAllOver = false
    private let loss: Int

    private let configuration: CallsConfiguration
    private var microphone: MicrophoneAccess

    init(
        seed: UInt64,
        _ configuration: CallsConfiguration = CallsConfiguration(),
        microphone: MicrophoneAccess = .allowed
    ) {
        random = LawRandom(seed: seed)
        self.configuration = configuration
        self.microphone = microphone
        registry = CallStory.registry(configuration, microphone: microphone)
        loss = [0, 10, 40][Int(seed % 3)]
    }

    /// Lives through so many happenings, then lets everything come to rest.
    mutating func live(_ happenings: Int) {
        for _ in 0..<happenings {
            run(until: now.advanced(by: .milliseconds(random.below(4_000))))
            happen()
        }
        isAllOver = true
        give(.credentialsChanged(CallStory.credentials))
        run(until: now.advanced(by: .seconds(200)))
        expect(registry.descriptions.isEmpty, "calls that never end: \(registry.descriptions)")
        expect(registry.deadline == nil, "a registry that never rests")
        expect(shown.isEmpty, "the system shows \(shown.count) calls for ever")
        expect(owedPushes.isEmpty, "\(owedPushes.count) pushes never completed")
        expect(owedActions.isEmpty, "\(owedActions.count) actions never done")
        expect(joined.isEmpty, "\(joined.count) media never left")
    }

    /// Lives through so many happenings before the user answers the question for the microphone.
    mutating func live(_ happenings: Int, deciding isAllowed: Bool, after others: Int) {
        for _ in 0..<others {
            run(until: now.advanced(by: .milliseconds(random.below(4_000))))
            happen()
        }
        microphone = isAllowed ? .allowed : .refused
        give(.microphoneDecided(isAllowed: isAllowed))
        live(happenings - others)
    }

    private mutating func expect(_ condition: Bool, _ fault: String) {
        if !condition { faults.append("\(fault) at \(now.nanoseconds / 1_000_000) ms") }
    }

    private mutating func happen() {
        number += 1
        let callId = "c-\(random.below(12))"
        switch random.below(12) {
        case 0...3: push(callId)
        case 4: push(nil)
        case 5: overAtServer[callId] = [.cancelled, .answeredElsewhere][random.below(2)]
        case 6: give(.endSignalReceived(CallStory.endSignal(callId, "cancelled")))
        case 7: give(.credentialsChanged(random.chance(percent: 80) ? CallStory.credentials : nil))
        case 8: give(.callRequested(contactId: "u-9", name: "次郎", hasVideo: false))
        case 9: random.chance(percent: 30) ? relaunch() : give(.pathRestored)
        default: act()
        }
    }

    private mutating func push(_ callId: String?) {
        let push = PushID(number: number)
        callIdOfPush = callId
        owedPushes.append(push)
        let before = reporting.count
        give(.pushReceived(push, callId.map { CallStory.payload($0) } ?? .null))
        expect(reporting.count == before + 1, "a push without a report: the system ends the app")
        callIdOfPush = nil
    }

    /// The user does something to a call that is shown.
    private mutating func act() {
        guard !shown.isEmpty else { return }
        let uuid = shown[random.below(shown.count)].uuid
        let action: SystemCallAction =
            switch random.below(5) {
            case 0, 1: .answer(uuid)
            case 2: .end(uuid)
            case 3: .setMuted(uuid, isMuted: random.chance(percent: 50))
            default: .setHeld(uuid, isHeld: random.chance(percent: 50))
            }
        perform(action)
    }

    private mutating func perform(_ action: SystemCallAction) {
        number += 1
        let id = ActionID(number: number)
        owedActions.append((id, action, now))
        give(.actionRequested(id, action))
    }

    /// The system ends the process: what it showed is gone, and only the storage survives.
    private mutating func relaunch() {
        registry = CallRegistry(
            configuration: configuration,
            restoring: stored,
            clock: WallClock(showing: CallStory.launch.advanced(by: now.seconds), at: now),
            microphone: microphone,
            seed: random.next(),
            operations: OperationCounter(lane: number * 100, of: 1_000_000)
        )
        due = []
        shown = []
        owedPushes = []
        owedActions = []
        joined = []
        agreed = []
        reporting = []
        give(.launched)
    }

    private mutating func run(until end: Instant) {
        while true {
            let next = due.indices.min { due[$0].at < due[$1].at }
            let wake = registry.deadline?.instant
            if let next, due[next].at <= end, due[next].at <= wake ?? end {
                now = max(now, due[next].at)
                give(due.remove(at: next).event)
            } else if let wake, wake <= end {
                now = max(now, wake)
                for effect in registry.wake(at: now) { perform(effect) }
            } else {
                now = end
                return checkPatience()
            }
        }
    }

    private mutating func checkPatience() {
        for (id, action, since) in owedActions where since.duration(to: now) > .seconds(31) {
            faults.append("action \(id) is still owed: \(action)")
        }
    }

    private mutating func give(_ event: CallRegistry.Event) {
        for effect in registry.handle(event, at: now) { perform(effect) }
        if case .reportFinished(let operation, let error) = event {
            countRing(operation, error)
        }
    }

    /// A call rings if the system has it and the app lets it be.
    private mutating func countRing(_ operation: OperationID, _ error: SystemReportError?) {
        guard let index = reporting.firstIndex(where: { $0.0 == operation }) else { return }
        let (_, uuid, callId) = reporting.remove(at: index)
        guard error == nil, let callId, shown.contains(where: { $0.uuid == uuid }) else { return }
        rings[callId, default: 0] += 1
        expect(rings[callId] == 1, "\(callId) rings \(rings[callId, default: 0]) times")
    }

    private mutating func later(_ event: CallRegistry.Event, upTo milliseconds: Int = 800) {
        due.append((now.advanced(by: .milliseconds(1 + random.below(milliseconds))), event))
    }
}

// MARK: What the registry orders

extension ModelPhone {
    private mutating func perform(_ effect: CallRegistry.Effect) {
        switch effect {
        case .system(let command): perform(command)
        case .completePush(let push):
            let index = owedPushes.firstIndex(of: push)
            expect(index != nil, "\(push) completed twice")
            if let index { owedPushes.remove(at: index) }
        case .callAPI(let operation, let request),
            .callAPIAsFormer(let operation, let request, _):
            if case .answer = request {
                answers += 1
                expect(microphone == .allowed, "an answer by somebody who cannot be heard")
            }
            guard !random.chance(percent: loss) else { return }
            later(.apiAnswered(operation, answer(to: request)))
        case .media(let uuid, .join):
            expect(agreed.contains(uuid), "media without anybody's consent")
            joined.append(uuid)
            conversations += 1
            later(random.chance(percent: 90) ? .mediaConnected(uuid) : .mediaLost(uuid))
        case .media(let uuid, .leave):
            let index = joined.firstIndex(of: uuid)
            expect(index != nil, "media left that were never joined")
            if let index { joined.remove(at: index) }
        case .media(let uuid, _): expect(joined.contains(uuid), "media that were never joined")
        case .writeStorage(let text): stored = text
        case .configureAudio, .cancelAPI, .announce, .missedCallExpected, .microphoneMissing,
            .signInRequired, .writeLog:
            return
        }
    }

    private mutating func perform(_ command: SystemCallCommand) {
        switch command {
        case .reportIncoming(let operation, let uuid, _):
            let exists = shown.contains { $0.uuid == uuid }
            reporting.append((operation, uuid, exists ? nil : callIdOfPush))
            if exists {
                later(.reportFinished(operation, .callUUIDAlreadyExists))
            } else if random.chance(percent: 95) {
                shown.append((uuid, callIdOfPush))
                later(.reportFinished(operation, nil), upTo: 200)
            } else {
                later(.reportFinished(operation, .filteredByDoNotDisturb), upTo: 200)
            }
        case .reportEnded(let uuid, _):
            expect(shown.contains { $0.uuid == uuid }, "an end of a call that is not shown")
            shown.removeAll { $0.uuid == uuid }
        case .reportConnecting(let uuid), .reportConnected(let uuid):
            expect(shown.contains { $0.uuid == uuid }, "news of a call that is not shown")
        case .fulfill(let id): done(id, isFulfilled: true)
        case .fail(let id): done(id, isFulfilled: false)
        case .request(let operation, let action):
            let isAccepted = random.chance(percent: 90)
            later(.requestFinished(operation, isAccepted: isAccepted))
            guard isAccepted else { return }
            number += 1
            owedActions.append((ActionID(number: number), action, now))
            if case .start(let uuid, _, _) = action { shown.append((uuid, nil)) }
            later(.actionRequested(ActionID(number: number), action))
        }
    }

    private mutating func done(_ id: ActionID, isFulfilled: Bool) {
        guard let index = owedActions.firstIndex(where: { $0.0 == id }) else {
            return expect(false, "\(id) done twice, or never asked")
        }
        switch owedActions.remove(at: index).1 {
        case .end(let uuid): shown.removeAll { $0.uuid == uuid }
        case .answer(let uuid) where isFulfilled: agreed.append(uuid)
        case .start(let uuid, _, _):
            if isFulfilled { agreed.append(uuid) } else { shown.removeAll { $0.uuid == uuid } }
        case .answer, .setMuted, .setHeld: return
        }
    }

    private mutating func answer(to request: CallRequest) -> CallAnswer {
        func over(_ callId: String) -> CallEndReason? {
            isAllOver ? .cancelled : overAtServer[callId]
        }
        switch request {
        case .registerDevice, .unregisterDevice, .withdrawToken: return .accepted
        case .place: return random.chance(percent: 90) ? .placed(room: "r") : .ended(.busy)
        case .status(let callId):
            if let reason = over(callId) { return .status(.ended(reason)) }
            // Calls of our own have long names; they are answered, and end by and by.
            guard callId.utf8.count > 9 else { return .status(.ringing()) }
            return .status(random.chance(percent: 90) ? .answered : .ended(.hungUp))
        case .offer(let callId):
            if let reason = over(callId) { return .ended(reason) }
            return .offer(CallOffer(room: "r", hasVideo: false))
        case .answer(let callId):
            if let reason = over(callId) { return .ended(reason) }
            return .answered(room: "r")
        case .end(let callId, let reason):
            overAtServer[callId] = reason
            return .accepted
        case .missed: return .missed([])
        }
    }
}

extension Instant {
    /// The time since the line's start.
    fileprivate var seconds: Duration { .nanoseconds(nanoseconds) }
}
