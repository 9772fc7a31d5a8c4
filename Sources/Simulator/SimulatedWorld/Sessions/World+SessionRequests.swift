import AppCoordination
import AppServer
import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios
import Simulation

extension World {
    /// Sends a request of the app to its own server: a name lookup, TCP, TLS, one exchange.
    mutating func call(
        _ request: APIRequest,
        _ operation: OperationID,
        of phone: SessionPhone,
        at now: Instant
    ) {
        write(.tokenRequested, phone, SIMD4(Int64(operation.number), 0, 0, 0), at: now)
        guard let address = phone.addresses.first else {
            answer(.failed(.offline), operation, of: phone)
            return
        }
        let source = SocketAddress(address: address, port: phone.nextRequestPort)
        phone.nextRequestPort += 1
        phone.requests.append(
            .init(
                operation: operation,
                request: request,
                source: source,
                stream: Hosted(StreamConnection(role: .client, looksUp: true), at: now)
            )
        )
        let message = request.httpMessage
        sessionInbox.append(.request(phone: phone.place, operation, .open))
        sessionInbox.append(.request(phone: phone.place, operation, .send(message)))
    }

    private mutating func answer(
        _ answer: APIAnswer,
        _ operation: OperationID,
        of phone: SessionPhone
    ) {
        phone.requests.removeAll { $0.operation == operation }
        sessionInbox.append(.app(phone: phone.place, .apiAnswered(operation, answer)))
    }

    /// Gives the connection of a request an event, or wakes it.
    mutating func driveRequest(
        _ phone: SessionPhone,
        _ operation: OperationID,
        _ event: StreamEvent?,
        at now: Instant
    ) {
        guard let place = phone.requests.firstIndex(where: { $0.operation == operation }) else {
            return
        }
        let call = phone.requests[place]
        let perform = { (world: inout World, effect: StreamEffect) in
            switch effect {
            case .transmit(let segment, let wireBytes):
                let packet = Packet(
                    from: call.source,
                    to: ServerSite.apiSocket,
                    wireBytes: wireBytes,
                    .stream(segment)
                )
                world.transmit(packet, from: phone, at: now)
            case .opened:
                break
            case .delivered(let message):
                guard case .httpResponse(let response) = message.content else { return }
                world.answer(APIAnswer(response, to: call.request), operation, of: phone)
            case .closed:
                world.answer(.failed(.connectionLost), operation, of: phone)
            }
        }
        call.stream.drive(event, at: now) { perform(&self, $0) }
        armWake(of: phone, at: now)
    }

    /// Gives a connection at the app's own server an event, or wakes it.
    mutating func driveAPI(_ client: SocketAddress, _ event: StreamEvent?, at now: Instant) {
        guard let site,
            let connection = site.apiConnections.first(where: { $0.client == client })
        else { return }
        let perform = { (world: inout World, effect: StreamEffect) in
            switch effect {
            case .transmit(let segment, let wireBytes):
                let packet = Packet(
                    from: ServerSite.apiSocket,
                    to: client,
                    wireBytes: wireBytes,
                    .stream(segment)
                )
                world.transmitFromSite(packet, at: now)
            case .opened:
                break
            case .delivered(let message):
                guard case .httpRequest(let request) = message.content else { return }
                world.work(on: request, for: client, at: now)
            case .closed:
                world.site?.apiConnections.removeAll { $0.client == client }
            }
        }
        connection.stream.drive(event, at: now) { perform(&self, $0) }
        site.reviewAPI()
        armSiteWake(at: now)
    }

    /// A segment reaches the app's own server.
    mutating func receiveAtAPI(_ packet: Packet, at now: Instant) {
        guard let site, case .stream(let segment) = packet.content, !site.apiIsSilent else {
            return
        }
        let client = packet.source
        if !site.apiConnections.contains(where: { $0.client == client }) {
            switch StreamConnection.stray(segment) {
            case .opensConnection:
                let stream = StreamConnection(role: .server)
                site.apiConnections.append(
                    .init(client: client, stream: Hosted(stream, at: now))
                )
            case .answered(let answer, let wireBytes):
                let packet = Packet(
                    from: ServerSite.apiSocket,
                    to: client,
                    wireBytes: wireBytes,
                    .stream(answer)
                )
                return transmitFromSite(packet, at: now)
            case .dropped:
                return
            }
        }
        sendSession(.apiConnection(client, .received(segment)), at: now)
    }

    /// The server works on a request; the answer leaves when it is done.
    private mutating func work(
        on request: HTTPRequest,
        for client: SocketAddress,
        at now: Instant
    ) {
        guard let site else { return }
        let response = site.api.respond(to: request, at: apiClock(at: now))
        let slot = apiAnswers.take(
            Packet(
                from: ServerSite.apiSocket,
                to: client,
                wireBytes: 0,
                .stream(StreamSegment(.data(response.message), sequence: 0, acknowledgement: 0))
            )
        )
        let done = now.advanced(by: plan.services.apiWorkTime)
        queue.push(.apiAnswer(slot: slot), at: site.ownSource.key(at: done))
    }

    /// The answer to a request is ready.
    mutating func answerRequest(_ slot: UInt32, at now: Instant) {
        guard let packet = apiAnswers.release(slot), case .stream(let segment) = packet.content,
            case .data(let message?) = segment.kind
        else { return }
        sendSession(.apiConnection(packet.destination, .send(message)), at: now)
    }

    /// What the clock of the app's own server shows.
    private func apiClock(at now: Instant) -> WallTime {
        let true_ = wallClock(at: now).nanosecondsSince1970
        return WallTime(
            nanosecondsSince1970: true_ + plan.services.apiClockOffset.wholeNanoseconds
        )
    }

    /// What a true clock shows.
    func wallClock(at now: Instant) -> WallTime {
        Self.wallClock(of: plan, at: now)
    }

    static func wallClock(of plan: WorldPlan, at now: Instant) -> WallTime {
        WallTime(
            nanosecondsSince1970: firstDay + plan.timeOfDay.wholeNanoseconds + now.nanoseconds
        )
    }

    /// The day of every run: 2026-01-01, in nanoseconds since 1970.
    private static let firstDay: Int64 = 1_767_225_600_000_000_000
}
