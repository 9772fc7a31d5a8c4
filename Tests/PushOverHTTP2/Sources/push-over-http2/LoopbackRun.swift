import AppServer
import Models
import NIOCore
import NIOHTTP2
import NIOPosix
import SansIO

/// A story with the real HTTP/2 server, in real time that runs faster for the machine.
///
/// The machine is the same as in the simulation; connections, frames and signatures are real. Everything
/// happens on one event loop, which is why it may be unchecked.
final class LoopbackRun: @unchecked Sendable {
    private let loop: any EventLoop
    private let story: Story
    private let server: PushServer
    private let signer: ProviderTokenSigner
    private let launch: WallTime
    /// How many seconds pass for the machine in one real second.
    private let speed: Int64
    private let token: String
    private var driver: MachineDriver<PushProvider>
    private var connections: [PushConnectionID: HTTP2Connection] = [:]
    private var providerTokens: [ProviderTokenID: String] = [:]
    private var beganAt = NIODeadline.now()
    private var alarm: Scheduled<Void>?
    private var hasEnded = false
    private let finished: EventLoopPromise<[Decision]>
    private var decisions: [Decision] = []

    init(
        _ story: Story,
        server: PushServer,
        token: String,
        launch: WallTime,
        speed: Int64,
        on loop: any EventLoop
    ) throws {
        self.loop = loop
        self.story = story
        self.server = server
        self.token = token
        self.launch = launch
        self.speed = speed
        signer = try ProviderTokenSigner(
            pem: server.key,
            keyID: "KODAMAKEY1",
            teamID: "KODAMATEAM"
        )
        let clock = launch.advanced(by: .zero - story.clockBehind)
        driver = MachineDriver(
            PushProvider(clock: WallClock(showing: clock), seed: Story.seed)
        )
        finished = loop.makePromise()
    }

    /// Tells the story.
    ///
    /// - Returns: What the provider decided, when the story is over.
    func start() -> EventLoopFuture<[Decision]> {
        loop.execute { [self] in
            do {
                try begin()
            } catch {
                finished.fail(error)
            }
        }
        return finished.futureResult
    }

    private func begin() throws {
        try server.order("register", ["token": token, "topic": Story.topic])
        beganAt = .now()
        try server.order(
            "begin",
            [
                "speed": speed,
                "launch": launch.secondsSince1970,
                "idle_life": Int(story.idleLife.components.seconds),
                "requests_max": story.requestsMax,
                "request_window": Int(Story.requestWindow.components.seconds),
            ]
        )
        for (time, act) in story.acts {
            loop.scheduleTask(deadline: deadline(of: Instant.zero.advanced(by: time))) { [self] in
                do {
                    try perform(act, at: time)
                } catch {
                    finished.fail(error)
                }
            }
        }
        loop.scheduleTask(deadline: deadline(of: Instant.zero.advanced(by: story.end))) { [self] in
            hasEnded = true
            alarm?.cancel()
            for connection in connections.values { connection.close() }
            finished.succeed(decisions)
        }
    }

    private func perform(_ act: Story.Act, at time: Duration) throws {
        if let command = act.command(at: time, token: token, launch: launch) {
            return tell(.commanded(command))
        }
        switch act {
        case .push, .pushToNobody, .withdraw: break
        case .removeApp:
            let death = launch.advanced(by: time).nanosecondsSince1970 / 1_000_000
            try server.order("remove", ["token": token, "timestamp": death])
        case .refuse(let reason):
            try server.order("refuse", ["status": reason.statusCode, "reason": reason.rawValue])
        case .slow(let delay):
            try server.order("slow", ["seconds": Int(delay.components.seconds)])
        case .accept: try server.order("clear")
        case .silence: try server.order("silence")
        case .close: try server.order("close")
        case .setClock(let behind):
            tell(.clockChanged(launch.advanced(by: time - behind)))
        }
    }

    /// The machine's time.
    private func now() -> Instant {
        let nanoseconds = (NIODeadline.now() - beganAt).nanoseconds
        return max(driver.now, Instant(nanoseconds: nanoseconds * speed))
    }

    private func deadline(of instant: Instant) -> NIODeadline {
        beganAt + .nanoseconds((instant.nanoseconds + speed - 1) / speed)
    }

    private func tell(_ event: PushProvider.Event?) {
        guard !hasEnded else { return }
        let now = now()
        let effects = driver.effects(of: event, at: now)
        for effect in effects {
            decisions.append(
                Decision(effect, at: Instant.zero.duration(to: now), since: launch)
            )
            perform(effect)
        }
        driver.reclaim(effects)
        alarm?.cancel()
        alarm = driver.deadline.map { deadline in
            loop.scheduleTask(deadline: self.deadline(of: deadline.instant)) { [self] in
                tell(nil)
            }
        }
    }

    private func perform(_ effect: PushProvider.Effect) {
        switch effect {
        case .mintToken(let id, let issuedAt):
            do {
                providerTokens[id] = try signer.sign(issuedAt: issuedAt)
            } catch {
                finished.fail(error)
            }
        case .openConnection(let id): open(id)
        case .closeConnection(let id): connections.removeValue(forKey: id)?.close()
        case .ping(let id): connections[id]?.ping()
        case .send(let operation, let connection, let order, let id, let token):
            connections[connection]?
                .send(order, id: id, token: providerTokens[token] ?? "", operation)
        case .forgetDevice, .finished: break
        }
    }

    private func open(_ id: PushConnectionID) {
        let connection = HTTP2Connection { [weak self] fact in
            guard let self else { return }
            // A machine is not told anything while its effects are performed.
            loop.execute { self.heard(fact, on: id) }
        }
        connections[id] = connection
        let handlers = NIOLoopBound(connection, eventLoop: loop)
        ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        NIOHTTP2Handler(mode: .client), handlers.value,
                    ])
                }
            }
            .connect(host: "127.0.0.1", port: server.port)
            .whenFailure { [weak self] _ in self?.heard(.closed, on: id) }
    }

    private func heard(_ fact: HTTP2Connection.Fact, on id: PushConnectionID) {
        switch fact {
        case .opened: tell(.connectionOpened(id))
        case .ponged: tell(.pingAnswered(id))
        case .answered(let operation, let response): tell(.answered(operation, response))
        case .closed:
            guard connections.removeValue(forKey: id) != nil else { return }
            tell(.connectionClosed(id))
        }
    }
}
