import AppServer
import KodamaBackend
import KodamaPhone
import SansIO

/// A story with the simulated push service, in simulated time.
struct SimulatedRun {
    private static let travel = Duration.milliseconds(1)

    private enum Message {
        case toService(PushService.Event)
        case toProvider(PushProvider.Event)
    }

    private let launch: WallTime
    private var provider: MachineDriver<PushProvider>
    private var service: MachineDriver<PushService>
    private var inTransit: [(due: Instant, message: Message)] = []
    private var issuedAt: [ProviderTokenID: WallTime] = [:]
    private var now = Instant.zero
    private(set) var decisions: [Decision] = []
    /// The device's token, in hexadecimal digits.
    private(set) var token = ""

    init(_ story: Story, launch: WallTime) {
        self.launch = launch
        var settings = PushServiceSettings()
        settings.removalNoticed = .zero ... .zero
        settings.connectionIdleLife = story.idleLife...story.idleLife
        settings.requestsPerDeviceMax = story.requestsMax
        settings.requestWindow = Story.requestWindow
        let clock = launch.advanced(by: .zero - story.clockBehind)
        provider = MachineDriver(
            PushProvider(clock: WallClock(showing: clock), seed: Story.seed)
        )
        service = MachineDriver(
            PushService(settings: settings, clock: WallClock(showing: launch), seed: Story.seed)
        )
        tell(.deviceConnected(Story.device))
        tell(.tokenRequested(Story.device, topic: Story.topic))
    }

    mutating func run(_ story: Story) {
        for (time, act) in story.acts {
            run(until: Instant.zero.advanced(by: time))
            perform(act, at: time)
        }
        run(until: Instant.zero.advanced(by: story.end))
    }

    private mutating func perform(_ act: Story.Act, at time: Duration) {
        if let command = act.command(at: time, token: token, launch: launch) {
            return tell(.commanded(command))
        }
        switch act {
        case .push, .pushToNobody, .withdraw: break
        case .removeApp: tell(.appRemoved(Story.device, topic: Story.topic))
        case .refuse(let reason): tell(.fault(.refuse(reason, for: .seconds(86_400))))
        case .slow(let delay): tell(.fault(.slow(by: delay, for: .seconds(86_400))))
        case .accept: tell(.fault(.clear))
        case .silence: tell(.fault(.goSilent(for: .zero)))
        case .close: tell(.fault(.closeConnections))
        case .setClock(let behind):
            tell(.clockChanged(launch.advanced(by: time - behind)))
        }
    }

    private mutating func run(until end: Instant) {
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
            decisions.append(
                Decision(effect, at: Instant.zero.duration(to: now), since: launch)
            )
            switch effect {
            case .mintToken(let id, let time): issuedAt[id] = time
            case .openConnection(let id): post(.toService(.providerOpened(id)))
            case .closeConnection(let id): post(.toService(.providerClosed(id)))
            case .ping(let id): post(.toService(.providerPinged(id)))
            case .send(let operation, let connection, let order, let id, let token):
                let request = PushRequest(order, id: id, providerTokenIssuedAt: issuedAt[token])
                post(.toService(.requested(request, operation, on: connection)))
            case .forgetDevice, .finished: break
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
                tell(.acknowledged(device, notification.id))
            case .issueToken(_, _, let bytes):
                token = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                    .joined()
            case .discarded: break
            }
        }
    }
}

extension Story.Act {
    /// What the server asks of its push provider, if the act is the server's.
    ///
    /// - Parameters:
    ///   - time: When the act is done.
    ///   - token: The device's token.
    ///   - launch: The true time at which the story began.
    /// - Returns: The command; `nil` for an act of somebody else.
    func command(at time: Duration, token: String, launch: WallTime) -> PushCommand? {
        func order(_ call: String, to token: String) -> PushCommand {
            .send(
                PushOrder(
                    callId: call,
                    deviceToken: token,
                    topic: Story.topic,
                    expiresAt: launch.advanced(by: time + .seconds(45)),
                    payload: #"{"aps":{"content-available":1},"type":"call.incoming"}"#
                )
            )
        }
        return switch self {
        case .push(let call): order(call, to: token)
        case .pushToNobody(let call): order(call, to: Story.nobody)
        case .withdraw(let call): .withdraw(callId: call, deviceToken: token)
        default: nil
        }
    }
}
