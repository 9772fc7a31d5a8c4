package import AppServer
import KodamaBackend
package import KodamaEvidence
package import KodamaLanguage
package import KodamaNetwork
import KodamaPhone
import KodamaSimulation
package import KodamaWorld
import RealtimeVoice
package import SansIO

/// The app's own server, bound to the network.
package final class APIService: Component {
    /// What the server schedules.
    package enum Word: UInt8 {
        /// A connection, by number, wants to be woken.
        case wake
        /// The answer to a request, by number, is ready.
        case answer
        /// The server answers again.
        case speaksAgain
        /// The server is back in the network.
        case back
    }

    package let name = Deployment.serverNames[2]
    package let index: ComponentIndex
    /// The server's settings, to which systems add theirs while the world is made.
    ///
    /// Users of other apps may have signed in before: they stay so.
    package var settings: APIServerSettings {
        get { server.settings }
        set { server.settings = newValue }
    }
    /// The server.
    @exclusivity(unchecked) package var server: APIServer
    /// Who looks at the server after each request, in this order.
    private var observers: [any APIObserver] = []
    private let services: ServicesPlan
    /// The clock of the host that the server runs on, and whatever else runs there.
    package let clock: WallClock
    /// Open connections, by their clients and by their numbers.
    private var connections: [SocketAddress: APIConnection] = [:]
    private var byNumber: [UInt32: APIConnection] = [:]
    private var connectionCount: UInt32 = 0
    /// Answers that the server works on.
    private var answers: [UInt32: (connection: APIConnection, message: StreamMessage)] = [:]
    private var answerCount: UInt32 = 0
    package private(set) var isSilent = false
    package private(set) var isDark = false
    @exclusivity(unchecked) private var wakeSource: EventSource
    @exclusivity(unchecked) private var ownSource: EventSource

    package init(of plan: WorldPlan, seed: UInt64, index: ComponentIndex) {
        server = Deployment.apiServer(Deployment.apiSettings(of: plan), seed: seed)
        services = plan.services
        clock = WallClock(showing: plan.wallClock.advanced(by: plan.services.apiClockOffset))
        self.index = index
        wakeSource = EventSource(rank: DeliveryRank.wake, component: Int(index.index))
        ownSource = EventSource(rank: DeliveryRank.server, component: Int(index.index))
    }

    /// Where the server takes connections.
    package var socket: SocketAddress {
        SocketAddress(address: NetworkAddress(ofServer: index), port: RoomServer.signalPort)
    }

    package func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        switch word {
        case .wake:
            byNumber[argument]?.awaken(on: &stage)
        case .answer:
            guard let (connection, message) = answers.removeValue(forKey: argument) else { return }
            if connection.isOpen, !isSilent { connection.hear(.send(message), on: &stage) }
        case .speaksAgain:
            isSilent = false
            stage.note(FaultEnded(fault: .silentAPI), of: index)
        case .back:
            isDark = false
            stage.note(FaultEnded(fault: .darkAPI), of: index)
        }
    }

    package func scheduleWake(
        of connection: APIConnection,
        at instant: Instant,
        on stage: inout Stage
    ) {
        schedule(.wake, connection.number, at: instant, by: &wakeSource, on: &stage)
    }

    package func undergo(_ act: any SystemAct, on stage: inout Stage) {
        switch act as? APIServerAct {
        case .silence(let duration):
            isSilent = true
            begin(.silentAPI, lasting: duration, until: .speaksAgain, on: &stage)
        case .goDark(let duration):
            isDark = true
            begin(.darkAPI, lasting: duration, until: .back, on: &stage)
        case nil: preconditionFailure("the plan does \(act) to the app's own server")
        }
    }

    private func begin(
        _ fault: WorldFault,
        lasting duration: Duration,
        until end: Word,
        on stage: inout Stage
    ) {
        let began = FaultBegan(fault: fault, parameter: duration.wholeNanoseconds)
        stage.note(began, of: index)
        schedule(end, at: stage.now.advanced(by: duration), by: &ownSource, on: &stage)
    }

    /// A segment, or a probe, reaches the server.
    package func receive(_ packet: Packet, on stage: inout Stage) {
        if answerProbe(packet, on: &stage) { return }
        guard case .stream(let segment) = packet.content, !isDark else { return }
        if let connection = connections[packet.source] {
            return connection.hear(.received(segment), on: &stage)
        }
        switch StreamConnection.stray(segment) {
        case .opensConnection:
            accept(from: packet.source, on: &stage).hear(.received(segment), on: &stage)
        case .answered(let answer, let wireBytes):
            send(answer, wireBytes, to: packet.source, on: &stage)
        case .dropped:
            break
        }
    }

    private func accept(from client: SocketAddress, on stage: inout Stage) -> APIConnection {
        let connection = APIConnection(
            number: connectionCount,
            client: client,
            at: self,
            now: stage.now
        )
        connectionCount += 1
        connections[client] = connection
        byNumber[connection.number] = connection
        return connection
    }

    /// Forgets a connection.
    package func close(_ connection: APIConnection) {
        connection.isOpen = false
        connections[connection.client] = nil
        byNumber[connection.number] = nil
    }

    /// Lets somebody look at the server after each request, behind those who do already.
    package func add(_ observer: any APIObserver) { observers.append(observer) }

    /// Whether the server answers who reaches it.
    package var isServing: Bool { !isSilent && !isDark }

    /// Signs a user in before the story begins: the app finds its session in the keychain.
    package func signIn(_ user: String, to installation: Installation) {
        guard let token = signIn(user, at: .zero) else { return }
        let key = SecureKey.sessionToken.account
        installation.phone.seat.ask { $0.keep(token, under: key, for: installation.id) }
    }

    /// The session token of a user who signs in.
    package func signIn(_ user: String, at now: Instant) -> String? {
        let time = wallTime(at: now)
        let begun = server.respond(to: .passkeyBegin, at: time)
        guard let challenge = ChallengeResponse(json: begun.body)?.challenge else { return nil }
        let assertion = SimulatedAuthenticator.assertion(user: user, challenge: challenge)
        let done = server.respond(to: .passkeyComplete(assertion: assertion), at: time)
        return SessionResponse(json: done.body)?.token
    }

    /// What the server's clock shows.
    package func wallTime(at now: Instant) -> WallTime { clock.reading(at: now) }

    /// Works on a request; the answer leaves when it is done.
    ///
    /// A server that has fallen silent takes requests and answers none.
    package func work(on request: HTTPRequest, of connection: APIConnection, on stage: inout Stage)
    {
        guard !isSilent else { return }
        let now = wallTime(at: stage.now)
        let response = server.respond(to: request, at: now)
        for observer in observers { observer.served(connection.client, on: &stage) }
        answers[answerCount] = (connection, response.message)
        let done = stage.now.advanced(by: services.apiWorkTime)
        schedule(.answer, answerCount, at: done, by: &ownSource, on: &stage)
        answerCount += 1
    }

    /// Sends a segment to a client.
    package func send(
        _ segment: StreamSegment,
        _ wireBytes: Int,
        to client: SocketAddress,
        on stage: inout Stage
    ) {
        let packet = Packet(from: socket, to: client, wireBytes: wireBytes, .stream(segment))
        stage.send(packet)
    }
}

/// Who follows what becomes of requests at the app's own server.
package protocol APIObserver: AnyObject {
    /// The server has worked on a client's request, or on one without a client.
    func served(_ client: SocketAddress?, on stage: inout Stage)
}

/// A connection of an app at its own server.
package final class APIConnection: Host {
    /// Its number among all that the server ever accepted.
    package let number: UInt32
    package let client: SocketAddress
    @exclusivity(unchecked) package var seat: Seat<StreamConnection>
    package unowned(unsafe) let service: APIService
    package var isOpen = true

    package init(number: UInt32, client: SocketAddress, at service: APIService, now: Instant) {
        self.number = number
        self.client = client
        self.service = service
        seat = Seat(StreamConnection(role: .server), at: now)
    }

    package var isAwake: Bool { isOpen }

    package func scheduleWake(at instant: Instant, on stage: inout Stage) {
        service.scheduleWake(of: self, at: instant, on: &stage)
    }

    package func perform(_ effect: StreamEffect, on stage: inout Stage) {
        switch effect {
        case .transmit(let segment, let wireBytes):
            service.send(segment, wireBytes, to: client, on: &stage)
        case .opened:
            break
        case .delivered(let message):
            guard let request = message.content as? HTTPRequest else { return }
            service.work(on: request, of: self, on: &stage)
        case .closed:
            service.close(self)
        }
    }
}
