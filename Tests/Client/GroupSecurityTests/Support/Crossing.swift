import GroupSecurity
import SansIO
import SansIOTesting

/// Two phones and a link between them that loses, doubles, delays and reorders packets.
final class Crossing {
    /// What the link does.
    struct Weather: Sendable {
        var lossPercent = 0
        var copyPercent = 0
        var delayMaxMilliseconds = 40
    }

    private struct Flight {
        var arrives: Instant
        var order: Int
        var toBen: Bool
        var packet: [UInt8]
    }

    private(set) var now = Instant.zero
    var anna: MachineDriver<SecureSession>
    var ben: MachineDriver<SecureSession>
    /// What each phone told its app.
    private(set) var news: (anna: [SecureSession.Effect], ben: [SecureSession.Effect]) = ([], [])
    /// When both were established, if they were.
    private(set) var establishedNanoseconds: Int64?
    var weather: Weather
    private var random: LawRandom
    private var flights: [Flight] = []
    private var flightCount = 0

    init(
        seed: UInt64,
        weather: Weather = Weather(),
        anna: GroupHandshake? = nil,
        ben: GroupHandshake? = nil
    ) {
        let left = anna ?? People.handshake(of: People.anna, seed: seed)
        let right = ben ?? People.handshake(of: People.ben, seed: seed)
        self.anna = MachineDriver(SecureSession(left))
        self.ben = MachineDriver(SecureSession(right))
        self.weather = weather
        random = LawRandom(seed: seed)
    }

    func send(_ event: SecureSession.Event, toBen: Bool) {
        var effects: [SecureSession.Effect] = []
        if toBen {
            ben.send(event, at: now) { effects.append($0) }
        } else {
            anna.send(event, at: now) { effects.append($0) }
        }
        perform(effects, ofBen: toBen)
    }

    /// Puts a packet on the link, as an attacker may as well.
    func put(_ packet: [UInt8], toBen: Bool) {
        guard !random.chance(percent: weather.lossPercent) else { return }
        for _ in 0..<(random.chance(percent: weather.copyPercent) ? 2 : 1) {
            let delay = Int64(1 + random.below(weather.delayMaxMilliseconds)) * 1_000_000
            flightCount += 1
            flights.append(
                Flight(
                    arrives: Instant(nanoseconds: now.nanoseconds + delay),
                    order: flightCount,
                    toBen: toBen,
                    packet: packet
                )
            )
        }
    }

    /// Lets time pass: packets arrive, deadlines come.
    func run(forMilliseconds milliseconds: Int64) {
        let end = Instant(nanoseconds: now.nanoseconds + milliseconds * 1_000_000)
        while true {
            let flight = flights.indices.min { left, right in
                (flights[left].arrives.nanoseconds, flights[left].order)
                    < (flights[right].arrives.nanoseconds, flights[right].order)
            }
            let arrival = flight.map { flights[$0].arrives }
            let wake = Deadline.earliest(anna.deadline, ben.deadline)?.instant
            guard let next = [arrival, wake].compactMap(\.self).min(), next <= end else { break }
            now = max(now, next)
            if let flight, arrival == next {
                let landed = flights.remove(at: flight)
                receive(landed.packet, atBen: landed.toBen)
            } else {
                wakeBoth()
            }
        }
        now = end
    }

    /// Whether each opens what the other seals.
    var agree: Bool {
        get {
            for (isBen, message) in [(false, [1, 2]), (true, [3, 4])] as [(Bool, [UInt8])] {
                guard let packet = seal(message, byBen: isBen),
                    open(packet, atBen: !isBen) == message
                else { return false }
            }
            return true
        }
    }

    func seal(_ message: [UInt8], byBen isBen: Bool) -> [UInt8]? {
        var packet = [UInt8](
            repeating: 0,
            count: PacketSealer.packetCount(plaintextCount: message.count)
        )
        let count = message.withUnsafeBytes { message in
            packet.withUnsafeMutableBytes { room in
                isBen
                    ? ben.update { $0.seal(message, stream: 0, into: room) }
                    : anna.update { $0.seal(message, stream: 0, into: room) }
            }
        }
        return count == nil ? nil : packet
    }

    /// Opens a packet as a phone does, refusal and all.
    func open(_ packet: [UInt8], atBen isBen: Bool) -> [UInt8]? {
        var room = [UInt8](repeating: 0, count: PacketSealer.plaintextCountMax)
        let now = now
        let result = packet.withUnsafeBytes { packet in
            room.withUnsafeMutableBytes { room in
                func open(_ session: inout SecureSession) -> Result<Int, PacketRefusal> {
                    Result { () throws(PacketRefusal) in
                        try session.open(packet, into: room, at: now).count
                    }
                }
                return isBen ? ben.update(open) : anna.update(open)
            }
        }
        switch result {
        case .success(let count): return Array(room[..<count])
        case .failure(let refusal):
            send(.packetRefused(refusal), toBen: isBen)
            return nil
        }
    }

    private func receive(_ packet: [UInt8], atBen isBen: Bool) {
        if packet.withUnsafeBytes({ SecureSession.isSealed($0) }) {
            _ = open(packet, atBen: isBen)
        } else {
            send(.handshakeReceived(packet), toBen: isBen)
        }
    }

    private func wakeBoth() {
        var effects: [SecureSession.Effect] = []
        anna.wake(at: now) { effects.append($0) }
        perform(effects, ofBen: false)
        effects = []
        ben.wake(at: now) { effects.append($0) }
        perform(effects, ofBen: true)
    }

    private func perform(_ effects: [SecureSession.Effect], ofBen isBen: Bool) {
        for effect in effects {
            if case .send(let packet) = effect {
                put(packet, toBen: !isBen)
            } else if isBen {
                news.ben.append(effect)
            } else {
                news.anna.append(effect)
            }
        }
        guard anna.machine.peer != nil, ben.machine.peer != nil else { return }
        establishedNanoseconds = establishedNanoseconds ?? now.nanoseconds
    }
}
