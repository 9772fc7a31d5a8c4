import AppServer
import KodamaBackend
import KodamaPhone
import NIOCore
import NIOHTTP2
import NIOPosix
import SansIO

/// A story with the real HTTP/2 server, by a clock that both sides share.
///
/// The machine is the same as in the simulation; connections, frames and signatures are real. The story's
/// clock goes on by one step when both processes have done all that was there to do in the last one: a
/// machine that is busy with something else makes the story longer to tell, and no time-out comes early.
/// Everything of a story happens on one event loop, which is why it may be unchecked.
final class LoopbackRun: @unchecked Sendable {
    /// A hundredth of the shortest time-out; an exchange takes two or three.
    private static let step = Duration.milliseconds(50)

    private let loop: any EventLoop
    private let story: Story
    private let server: PushServer
    private let signer: ProviderTokenSigner
    private let launch: WallTime
    private let token: String
    private var driver: MachineDriver<PushProvider>
    private var connections: [PushConnectionID: HTTP2Connection] = [:]
    private var providerTokens: [ProviderTokenID: String] = [:]
    /// What the story's clock shows.
    private var now = Instant.zero
    /// How many of the story's acts are done.
    private var actsDone = 0
    private let finished: EventLoopPromise<[Decision]>
    private var decisions: [Decision] = []

    init(
        _ story: Story,
        server: PushServer,
        token: String,
        launch: WallTime,
        on loop: any EventLoop
    ) throws {
        self.loop = loop
        self.story = story
        self.server = server
        self.token = token
        self.launch = launch
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
        try server.order(
            "begin",
            [
                "launch": launch.secondsSince1970,
                "idle_life": Int(story.idleLife.components.seconds),
                "requests_max": story.requestsMax,
                "request_window": Int(Story.requestWindow.components.seconds),
            ]
        )
        scheduleStep()
    }

    /// Lets the loop read what has come in, which it does when no task is due.
    private func scheduleStep() {
        loop.scheduleTask(in: .microseconds(200)) { [self] in
            do {
                try step()
            } catch {
                finished.fail(error)
            }
        }
    }

    private func step() throws {
        now = now.advanced(by: Self.step)
        try server.tick(to: now)
        for (time, act) in story.acts.dropFirst(actsDone) {
            guard Instant.zero.advanced(by: time) <= now else { break }
            actsDone += 1
            try perform(act, at: time)
        }
        if let deadline = driver.deadline, deadline.instant <= now { tell(nil) }
        guard now < Instant.zero.advanced(by: story.end) else {
            for connection in connections.values { connection.close() }
            return finished.succeed(decisions)
        }
        scheduleStep()
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

    private func tell(_ event: PushProvider.Event?) {
        guard now < Instant.zero.advanced(by: story.end) else { return }
        let effects = driver.effects(of: event, at: now)
        for effect in effects {
            decisions.append(
                Decision(effect, at: Instant.zero.duration(to: now), since: launch)
            )
            perform(effect)
        }
        driver.reclaim(effects)
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
