import GroupSecurity
import SansIO
import SansIOTesting
import Testing

@Suite("The laws of the handshake and of the session")
struct SecurityLawTests {
    /// Draws what a link, a peer and an attacker may bring.
    private struct Traffic {
        private var peer: GroupHandshake
        private var packets: [[UInt8]] = []

        init(seed: UInt64) {
            peer = People.handshake(of: People.ben, seed: seed)
        }

        /// Keeps what the machine under test sends.
        mutating func note(_ packet: [UInt8]) {
            packets.append(packet)
            if packets.count > 4 { packets.removeFirst() }
        }

        /// A packet of the peer, one of the machine's own, or bytes; mostly in answer to the last.
        mutating func packet(_ random: inout LawRandom, _ now: Instant) -> [UInt8] {
            var effects: [GroupHandshake.Effect] = []
            switch random.below(10) {
            case 0..<5:
                guard let last = packets.last else { fallthrough }
                effects = peer.handle(.packetReceived(last), at: now)
            case 5..<7: effects = peer.handle(.requested, at: now)
            default: effects = peer.wake(at: now)
            }
            var packet = effects.sent.last ?? packets.last ?? [0x18]
            if random.chance(percent: 10) {
                packet[random.below(packet.count)] ^= 1 << UInt8(random.below(8))
            }
            return random.chance(percent: 3) ? (0..<81).map { _ in 0x18 } : packet
        }
    }

    @Test("The handshake keeps the laws of a state machine", arguments: 0..<4 as Range<UInt64>)
    func handshake(seed: UInt64) throws {
        var traffic = Traffic(seed: seed + 50)
        var established = 0
        try checkLaws(
            seed: seed,
            steps: 150,
            make: { People.handshake(of: People.anna, seed: seed) },
            frame: { (effect: GroupHandshake.Effect) in
                if case .send(let packet) = effect { traffic.note(packet) }
                if case .established = effect { established += 1 }
                return nil
            }
        ) { random, now in
            switch random.below(100) {
            case 0..<25: .requested
            case 25: random.chance(percent: 10) ? .closed : .requested
            default: .packetReceived(traffic.packet(&random, now))
            }
        }
        #expect(established > 0, "a story without a session proves little")
    }

    @Test("The session keeps the laws of a state machine", arguments: 0..<4 as Range<UInt64>)
    func session(seed: UInt64) throws {
        var traffic = Traffic(seed: seed + 50)
        var established = 0
        try checkLaws(
            seed: seed,
            steps: 150,
            make: { SecureSession(People.handshake(of: People.anna, seed: seed)) },
            frame: { (effect: SecureSession.Effect) in
                if case .send(let packet) = effect { traffic.note(packet) }
                if case .established = effect { established += 1 }
                return nil
            }
        ) { random, now in
            switch random.below(100) {
            case 0..<25: .requested
            case 25: random.chance(percent: 10) ? .disconnected : .requested
            case 26..<35:
                .packetRefused(random.chance(percent: 80) ? .unknownSession : .replayed)
            default: .handshakeReceived(traffic.packet(&random, now))
            }
        }
        #expect(established > 0, "a story without a session proves little")
    }
}
