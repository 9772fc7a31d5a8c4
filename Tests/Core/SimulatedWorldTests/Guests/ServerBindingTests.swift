import AppServer
@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaNetwork
@testable import KodamaSession
@testable import KodamaSimulation
@testable import KodamaWorld
import RealtimeVoice
import SansIO
import Testing

@Suite("Servers bound to the network, without a world")
struct ServerBindingTests {
    private static let second: Int64 = 1_000_000_000

    /// Room server, agents and the app's own server on a stage whose only phone is a bare socket, 20 ms
    /// away.
    private struct Bench: ~Copyable {
        let socket: BareSocket
        let system: SessionSystem
        private(set) var stage: Stage
        private var recorder = TraceRecorder(scenario: "bench", seed: 1)

        init() {
            let plan = WorldPlan.session(lasting: .seconds(60))
            let setting = Setting(
                plan: plan,
                seed: 1,
                tracks: [],
                material: nil,
                taps: [:],
                phones: [],
                firstApps: []
            )
            system = SessionSystem(in: setting, servers: (1...3).map(ComponentIndex.init))
            let link = NetworkLink(
                name: "phone/wifi",
                index: ComponentIndex(4),
                forward: 0,
                isRadio: true
            )
            let radio = Radio(.wifi, link: link)
            let wifi = NetworkInterface.wifi.rawValue
            let address = NetworkAddress(host: 0, interface: wifi, lease: 1)
            radio.address = address
            socket = BareSocket(SocketAddress(address: address, port: 50_000))
            let network = Network(
                directions: Cast.directions(of: plan, seed: 1),
                radios: [[radio]],
                keepsBytes: false,
                linkIndices: nil
            )
            stage = Stage(seed: 1, network: network, tieShuffleSeed: nil)
            recorder.begin(
                TraceDirectory(names: ["phone", "rooms", "agents", "api"], systems: .shipped)
            )
        }

        /// Connects the socket to a server, with something to say.
        mutating func connect(to server: SocketAddress, saying message: StreamMessage? = nil) {
            socket.connect(to: server, at: stage.now)
            socket.hear(.open, on: &stage)
            if let message { socket.hear(.send(message), on: &stage) }
            stage.settle()
        }

        mutating func undergo(_ act: any SystemAct, _ component: some Component) {
            component.undergo(act, on: &stage)
            stage.settle()
        }

        /// Lets an agent be wanted in a room.
        mutating func want(agentIn room: String) {
            system.rooms.perform(.agentWanted(room: room), on: &stage)
            stage.settle()
        }

        /// Lets happen what happens until so long after the start.
        mutating func play(until end: Duration) {
            let components = [socket as any Component] + system.servers
            let end = Instant.zero.advanced(by: end)
            while let delivery = stage.next(before: end) {
                components[delivery.receiver].deliver(delivery, on: &stage)
                stage.settle()
            }
            stage.end(at: end)
            stage.flush(into: &recorder, all: true)
        }

        /// When records of a form were written.
        func instants(of form: any TraceForm.Type) -> [Instant] {
            recorder.trace.records.filter { $0.kind == form.kind }.map(\.instant)
        }
    }

    /// Asks for a challenge, as whoever wants to sign in does.
    private static let question = StreamMessage(HTTPRequest.passkeyBegin, byteCount: 300)

    @Test("The app's own server answers a request after its work time, on the request's connection")
    func answer() throws {
        var bench = Bench()
        bench.connect(to: bench.system.api.socket, saying: Self.question)
        bench.play(until: .seconds(2))
        let answer = try #require(bench.socket.delivered.first)
        let response = try #require(answer.message.content as? HTTPResponse)
        #expect(response.statusCode == 200)
        // TCP, TLS 1.3 and the exchange are three round trips of 40 ms, the work is 20 ms.
        let asked = Duration.milliseconds(140)
        #expect(answer.instant >= Instant.zero.advanced(by: asked))
        #expect(answer.instant < Instant.zero.advanced(by: asked + .milliseconds(20)))
    }

    @Test("A silent server accepts the connection and never answers; a dark one accepts nothing")
    func faults() {
        var silent = Bench()
        silent.undergo(APIServerAct.silence(lasting: .seconds(30)), silent.system.api)
        silent.connect(to: silent.system.api.socket, saying: Self.question)
        silent.play(until: .seconds(5))
        #expect(silent.socket.seat.ask { $0.isOpen })
        #expect(silent.socket.delivered.isEmpty)

        var dark = Bench()
        dark.undergo(APIServerAct.goDark(lasting: .seconds(30)), dark.system.api)
        dark.connect(to: dark.system.api.socket, saying: Self.question)
        dark.play(until: .seconds(5))
        #expect(!dark.socket.seat.ask { $0.isOpen })
        #expect(dark.socket.receivedCount == 0)
    }

    @Test("A server that is back from the dark accepts who still knocks (RFC 9293)")
    func back() {
        var bench = Bench()
        bench.undergo(APIServerAct.goDark(lasting: .seconds(2)), bench.system.api)
        bench.connect(to: bench.system.api.socket, saying: Self.question)
        bench.play(until: .seconds(10))
        #expect(bench.socket.delivered.count == 1)
        #expect(bench.instants(of: FaultEnded.self) == [Instant(nanoseconds: 2 * Self.second)])
    }

    @Test("A room server whose process is gone resets who connects, until it is back (RFC 9293)")
    func crash() {
        var bench = Bench()
        let rooms = bench.system.rooms
        bench.undergo(RoomServerFault.crash(downtime: .seconds(3)), rooms)
        #expect(rooms.isAway)
        bench.connect(to: rooms.signalling)
        bench.play(until: .seconds(1))
        #expect(bench.socket.closure == .reset)
        bench.play(until: .seconds(4))
        #expect(!rooms.isAway)
        #expect(bench.instants(of: FaultEnded.self) == [Instant(nanoseconds: 3 * Self.second)])
        bench.connect(to: rooms.signalling)
        bench.play(until: .seconds(5))
        #expect(bench.socket.seat.ask { $0.isOpen })
    }

    @Test("A wanted agent reaches its room after its joining time; a call's room gets none (D-18)")
    func agents() {
        var bench = Bench()
        let joined = Instant.zero.advanced(by: bench.system.agents.configuration.joinTime)
        bench.want(agentIn: "a-room")
        bench.want(agentIn: RoomService.callPrefix + "7")
        #expect(bench.system.agents.agent(in: "a-room") != nil)
        #expect(bench.system.agents.agent(in: RoomService.callPrefix + "7") == nil)
        bench.play(until: .seconds(30))
        #expect(bench.instants(of: AgentJoined.self) == [joined])
        // Nobody opened the room: the server knows none of that name, and the job ends.
        #expect(bench.instants(of: AgentClosed.self) == [joined])
    }

    @Test("The agents of a room server that crashes end their sessions (livekit/agents, job.py)")
    func lostRooms() {
        var bench = Bench()
        let crash = bench.system.agents.configuration.joinTime / 2
        bench.want(agentIn: "a-room")
        bench.play(until: crash)
        bench.undergo(RoomServerFault.crash(downtime: .seconds(1)), bench.system.rooms)
        #expect(bench.system.agents.agent(in: "a-room") == nil)
        bench.play(until: .seconds(30))
        #expect(bench.instants(of: AgentClosed.self) == [Instant.zero.advanced(by: crash)])
        #expect(bench.instants(of: AgentJoined.self).isEmpty)
    }
}

/// A phone that is nothing but one client's end of a stream.
private final class BareSocket: Component, Host {
    enum Word: UInt8 {
        case wake
    }

    let name = "phone"
    let index = ComponentIndex(0)
    var seat = Seat(StreamConnection(role: .client))
    private(set) var delivered: [(message: StreamMessage, instant: Instant)] = []
    private(set) var closure: StreamClosure?
    private(set) var receivedCount = 0
    private var socket: SocketAddress
    private var server: SocketAddress?
    private var wakes = EventSource(component: 0)

    init(_ socket: SocketAddress) {
        self.socket = socket
    }

    /// Begins anew, from another port.
    func connect(to server: SocketAddress, at now: Instant) {
        self.server = server
        socket.port += 1
        closure = nil
        seat = Seat(StreamConnection(role: .client), at: now)
    }

    func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        awaken(on: &stage)
    }

    func receive(_ packet: Packet, on stage: inout Stage) {
        guard case .stream(let segment) = packet.content, packet.destination == socket else {
            return
        }
        receivedCount += 1
        hear(.received(segment), on: &stage)
    }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        schedule(.wake, at: instant, by: &wakes, on: &stage)
    }

    func perform(_ effect: StreamEffect, on stage: inout Stage) {
        switch effect {
        case .transmit(let segment, let wireBytes):
            guard let server else { return }
            stage.send(Packet(from: socket, to: server, wireBytes: wireBytes, .stream(segment)))
        case .opened: break
        case .delivered(let message): delivered.append((message, stage.now))
        case .closed(let closure): self.closure = closure
        }
    }
}
