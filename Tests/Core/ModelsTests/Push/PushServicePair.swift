import AppServer
@testable import KodamaBackend
@testable import KodamaPhone
import SansIO

/// The real push provider and the push service, ten milliseconds apart, with one device that is online and
/// confirms everything.
struct PushServicePair {
    private static let travel = Duration.milliseconds(10)

    private enum Message {
        case toService(PushService.Event)
        case toProvider(PushProvider.Event)
    }

    private var provider: MachineDriver<PushProvider>
    private var service: MachineDriver<PushService>
    /// What is on its way, in the order in which it was sent; everything takes equally long.
    private var inTransit: [(due: Instant, message: Message)] = []
    private var token = ""
    private var calls: [UniqueID: String] = [:]
    private var mintedAt: [ProviderTokenID: WallTime] = [:]
    private var now = Instant.zero

    private(set) var outcomes: [String] = []
    private(set) var deliveries: [String] = []
    private(set) var identities: Set<UniqueID> = []
    private(set) var connections = 0
    var tokensMinted: Int { mintedAt.count }
    var time: Duration { Instant.zero.duration(to: now) }

    init(_ settings: PushServiceSettings, seed: UInt64 = PushServiceStory.seed) {
        let clock = WallClock(showing: PushServiceStory.launch)
        provider = MachineDriver(PushProvider(clock: clock, seed: seed))
        service = MachineDriver(PushService(settings: settings, clock: clock, seed: seed))
        let device = PushServiceStory.device
        tell(.deviceConnected(device))
        tell(.tokenRequested(device, topic: PushServiceStory.voip))
    }

    mutating func order(_ call: String) {
        let order = PushOrder(
            callId: call,
            deviceToken: token,
            topic: PushServiceStory.voip,
            expiresAt: PushServiceStory.launch.advanced(by: time + .seconds(45)),
            payload: "{}"
        )
        tell(.commanded(.send(order)))
    }

    mutating func suffer(_ fault: PushServiceFault) { tell(.fault(fault)) }

    mutating func invalidate() {
        let former = token
        tell(.tokenInvalidated(PushServiceStory.device, topic: PushServiceStory.voip))
        token = former
    }

    mutating func run(until end: Duration) {
        let end = Instant.zero.advanced(by: end)
        while true {
            let instants = [
                inTransit.first?.due, provider.deadline?.instant, service.deadline?.instant,
            ]
            guard let next = instants.compactMap({ $0 }).min(), next <= end else { break }
            now = max(now, next)
            if let first = inTransit.first, first.due <= now {
                inTransit.removeFirst()
                switch first.message {
                case .toService(let event): tell(event)
                case .toProvider(let event): tell(event)
                }
            } else if let deadline = service.deadline, deadline.instant <= now {
                perform(service.effects(of: nil, at: now))
            } else {
                perform(provider.effects(of: nil, at: now))
            }
        }
        now = end
    }

    private mutating func tell(_ event: PushService.Event) {
        perform(service.effects(of: event, at: now))
    }

    private mutating func tell(_ event: PushProvider.Event) {
        perform(provider.effects(of: event, at: now))
    }

    private mutating func post(_ message: Message) {
        inTransit.append((now.advanced(by: Self.travel), message))
    }

    private mutating func perform(_ effects: [PushProvider.Effect]) {
        for effect in effects {
            switch effect {
            case .mintToken(let id, let time): mintedAt[id] = time
            case .openConnection(let id):
                connections += 1
                post(.toService(.providerOpened(id)))
            case .closeConnection(let id): post(.toService(.providerClosed(id)))
            case .ping(let id): post(.toService(.providerPinged(id)))
            case .send(let operation, let connection, let order, let id, let token):
                calls[id] = order.callId
                let request = PushRequest(order, id: id, providerTokenIssuedAt: mintedAt[token])
                post(.toService(.requested(request, operation, on: connection)))
            case .forgetDevice(_, let time):
                let seconds = time.secondsSince1970 - PushServiceStory.launch.secondsSince1970
                outcomes.append("forgotten at \(seconds) s")
            case .finished(let call, _, let outcome): outcomes.append("\(call) \(outcome)")
            }
        }
    }

    private mutating func perform(_ effects: [PushService.Effect]) {
        for effect in effects {
            switch effect {
            case .opened(let id): post(.toProvider(.connectionOpened(id)))
            case .ponged(let id): post(.toProvider(.pingAnswered(id)))
            case .answer(let response, let operation, _):
                post(.toProvider(.answered(operation, response)))
            case .closed(let id): post(.toProvider(.connectionClosed(id)))
            case .deliver(let notification, let device):
                let milliseconds = now.nanoseconds / 1_000_000
                deliveries.append("\(calls[notification.id] ?? "?") at \(milliseconds) ms")
                identities.insert(notification.id)
                tell(.acknowledged(device, notification.id))
            case .issueToken(_, _, let bytes): token = PushServiceStory.hexadecimal(bytes)
            case .discarded: break
            }
        }
    }
}
