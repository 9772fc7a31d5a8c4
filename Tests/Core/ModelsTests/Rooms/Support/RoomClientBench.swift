@testable import KodamaNetwork
@testable import KodamaSession
import RealtimeVoice
import SansIO

/// A room object and its scripted server, 20 ms apart, with a knife for every wire.
struct RoomClientBench {
    var client: MachineDriver<RoomClient>
    var script = RoomClientScript()
    /// What does not get through, in both directions.
    var cut: Set<TrafficClass> = []
    private(set) var now = Duration.zero
    private(set) var callbacks: [(at: Duration, callback: RoomCallback)] = []
    private(set) var notes: [(at: Duration, note: RoomClientNote)] = []
    /// Where the latest packet came from.
    private(set) var socket: SocketAddress?
    private var onTheWay: [(at: Duration, packet: Packet, isForClient: Bool)] = []

    static let delay: Duration = .milliseconds(20)
    static let wifi = NetworkAddress(host: 0, interface: 0, lease: 1)
    static let cellular = NetworkAddress(host: 0, interface: 1, lease: 1)
    /// The agent, with one track.
    static let agent = RemoteParticipant(participant: 77, identity: "agent", tracks: [500])

    init(
        _ curve: ReconnectCurve = .swift,
        defects: SDKDefects = .faithful,
        seed: UInt64 = 1,
        configure: (inout RoomClientConfiguration) -> Void = { _ in }
    ) {
        var configuration = RoomClientConfiguration()
        configuration.curve = curve
        configuration.defects = defects
        configuration.jittersDelays = false
        configuration.offlineTimeMax = .zero
        configure(&configuration)
        client = MachineDriver(
            RoomClient(
                configuration: configuration,
                room: RoomID(number: 1),
                server: RoomClientScript.signalling,
                portBase: 0x10000,
                seed: seed
            )
        )
        script.others = [Self.agent]
        send(.addressesChanged([Self.wifi]))
    }

    /// A room object that is connected, with its microphone on, and has told of it.
    static func connected(
        _ curve: ReconnectCurve = .swift,
        defects: SDKDefects = .faithful,
        options: ConnectOptions = .sdk,
        configure: (inout RoomClientConfiguration) -> Void = { _ in }
    ) -> RoomClientBench {
        var bench = RoomClientBench(curve, defects: defects, configure: configure)
        bench.connect(options)
        bench.run(for: .seconds(1))
        bench.send(.command(.setMicrophone(OperationID(number: 2), isEnabled: true)))
        bench.run(for: .seconds(1))
        bench.forget()
        return bench
    }

    /// The callbacks without the statistics.
    var told: [RoomCallback] {
        callbacks.map(\.callback).filter {
            if case .statistics = $0 { false } else { true }
        }
    }

    /// What the latest statistics say of the tracks that are there and not muted.
    var audibleTracks: Int? {
        for entry in callbacks.reversed() {
            if case .statistics(let statistics) = entry.callback { return statistics.audibleTracks }
        }
        return nil
    }

    var noted: [RoomClientNote] { notes.map(\.note) }

    /// When something was noted first.
    func time(of note: RoomClientNote) -> Duration? {
        notes.first { $0.note == note }?.at
    }

    /// When an attempt of this number began.
    func beginning(ofAttempt number: Int) -> Duration? {
        notes.first {
            if case .attemptBegan(number, _) = $0.note { true } else { false }
        }?.at
    }

    mutating func forget() {
        callbacks = []
        notes = []
    }

    mutating func connect(_ options: ConnectOptions = .sdk) {
        let operation = OperationID(number: 1)
        send(.command(.connect(operation, url: "wss://room", token: "token 0", options)))
    }

    mutating func send(_ event: RoomClientEvent) {
        var ordered: [RoomClientEffect] = []
        client.send(event, at: Instant.zero.advanced(by: now)) { ordered.append($0) }
        perform(ordered)
    }

    mutating func say(_ response: SignalResponse) {
        deliver(script.say(response, at: Instant.zero.advanced(by: now)))
    }

    mutating func hangUp() {
        deliver(script.hangUp(at: Instant.zero.advanced(by: now)))
    }

    mutating func run(for time: Duration) {
        run(until: now + time)
    }

    mutating func run(until end: Duration) {
        while let next = nextTime, next <= end {
            now = max(now, next)
            step()
        }
        now = end
    }

    private var nextTime: Duration? {
        let packet = onTheWay.first?.at
        let wake = client.deadline.map { Instant.zero.duration(to: $0.instant) }
        let server = script.deadline.map { Instant.zero.duration(to: $0) }
        return [packet, wake, server].compactMap { $0 }.min()
    }

    private mutating func step() {
        let instant = Instant.zero.advanced(by: now)
        if let next = onTheWay.first, next.at <= now {
            onTheWay.removeFirst()
            guard !cut.contains(next.packet.trafficClass) else { return }
            if next.isForClient {
                send(.packet(next.packet))
            } else {
                deliver(script.receive(next.packet, at: instant))
            }
        } else if let server = script.deadline, server <= instant {
            deliver(script.wake(at: instant))
        } else {
            var ordered: [RoomClientEffect] = []
            client.wake(at: instant) { ordered.append($0) }
            perform(ordered)
        }
    }

    private mutating func perform(_ effects: [RoomClientEffect]) {
        for effect in effects {
            switch effect {
            case .callback(let callback): callbacks.append((now, callback))
            case .note(let note): notes.append((now, note))
            case .transmit(let packet):
                socket = packet.source
                put(packet, isForClient: false)
            }
        }
    }

    private mutating func deliver(_ packets: [Packet]) {
        for packet in packets {
            put(packet, isForClient: true)
        }
    }

    /// All ways are equally long, so that packets arrive in the order in which they were sent.
    private mutating func put(_ packet: Packet, isForClient: Bool) {
        guard !cut.contains(packet.trafficClass) else { return }
        onTheWay.append((now + Self.delay, packet, isForClient))
    }
}
