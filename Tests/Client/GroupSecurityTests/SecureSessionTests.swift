import GroupSecurity
import SansIO
import SansIOTesting
import Testing

@Suite("Two phones and the link between them")
struct SecureSessionTests {
    private static let bad = Crossing.Weather(
        lossPercent: 30,
        copyPercent: 20,
        delayMaxMilliseconds: 400
    )

    @Test(
        "Both phones invite at once over a link that loses 30 %, doubles and reorders",
        arguments: 0..<10 as Range<UInt64>
    )
    func bothInvite(decade: UInt64) {
        for seed in decade * 10..<decade * 10 + 10 {
            let crossing = Crossing(seed: seed, weather: Self.bad)
            crossing.send(.requested, toBen: false)
            crossing.run(forMilliseconds: Int64(seed % 7) * 100)
            crossing.send(.requested, toBen: true)
            crossing.run(forMilliseconds: 20_000)
            crossing.weather.lossPercent = 0
            #expect(crossing.establishedNanoseconds != nil, "seed \(seed)")
            #expect(crossing.agree, "seed \(seed): they established different sessions")
        }
    }

    @Test("On a good link the session stands after one and a half round trips")
    func quick() {
        let crossing = Crossing(seed: 1, weather: .init(delayMaxMilliseconds: 1))
        crossing.send(.requested, toBen: false)
        crossing.run(forMilliseconds: 100)
        #expect(crossing.establishedNanoseconds == 3_000_000)
        #expect(crossing.news.anna == [.established(People.ben.publicKey)])
        #expect(crossing.news.ben == [.established(People.anna.publicKey)])
        #expect(crossing.agree)
    }

    @Test("Nothing is sealed before the peer is proven: no voice for strangers (S-GRP-012)")
    func nothingBefore() {
        let crossing = Crossing(seed: 1)
        #expect(crossing.seal([1], byBen: false) == nil)
        crossing.send(.requested, toBen: false)
        #expect(crossing.seal([1], byBen: false) == nil)
        let stranger = People.handshake(of: People.ben, in: People.strangers)
        let foreign = Crossing(seed: 2, ben: stranger)
        foreign.send(.requested, toBen: false)
        foreign.run(forMilliseconds: 1_000)
        #expect(foreign.news.ben == [.cut(.foreignGroup)], "cut at once (A-F-018, A-F-019)")
        #expect(foreign.ben.machine.isFinished && foreign.ben.machine.peer == nil)
        #expect(foreign.seal([1], byBen: true) == nil && foreign.seal([1], byBen: false) == nil)
    }

    @Test("A damaged hash cuts off no member, whose next offer counts (A-NF-003)")
    func damagedHash() {
        var anna = People.handshake(of: People.anna)
        var offer = anna.call(.requested, at: 0).sent[0]
        offer[9] ^= 4
        let crossing = Crossing(seed: 1)
        crossing.put(offer, toBen: true)
        crossing.run(forMilliseconds: 100)
        #expect(crossing.news.ben.isEmpty && crossing.ben.machine.refusals[.forged] == 1)
        crossing.send(.requested, toBen: false)
        crossing.run(forMilliseconds: 1_000)
        #expect(crossing.agree)
    }

    @Test("A phone that starts again is heard at once, and its old packets for five seconds more")
    func restart() throws {
        let crossing = Crossing(seed: 1)
        crossing.send(.requested, toBen: false)
        crossing.run(forMilliseconds: 1_000)
        let old = try #require(crossing.seal([9], byBen: false))
        let late = try #require(crossing.seal([8], byBen: false))
        crossing.anna = MachineDriver(
            SecureSession(People.handshake(of: People.anna, seed: 77)),
            at: crossing.now
        )
        crossing.send(.requested, toBen: false)
        crossing.run(forMilliseconds: 200)
        #expect(crossing.agree)
        #expect(crossing.open(old, atBen: true) == [9])
        #expect(crossing.open(old, atBen: true) == nil, "once")
        crossing.run(forMilliseconds: 5_000)
        #expect(crossing.open(late, atBen: true) == nil)
        #expect(crossing.ben.machine.refusals[.replayed] == 1)
        #expect(crossing.ben.machine.refusals[.unknownSession] == 1)
    }

    @Test("A stamp is given and admitted where a packet would be sealed and its session known")
    func stamps() throws {
        let crossing = Crossing(seed: 1)
        let anna = { crossing.anna.update { $0.stamp() } }
        let isAdmitted = { (stamp: UInt32) in
            crossing.ben.update { ben in
                (try? ben.admit(stamp: stamp, isVouching: true, at: crossing.now)) != nil
            }
        }
        #expect(anna() == nil)
        crossing.send(.requested, toBen: false)
        crossing.run(forMilliseconds: 1_000)
        let old = try #require(anna())
        #expect(isAdmitted(old))
        #expect(!isAdmitted(old &+ 1))
        crossing.anna = MachineDriver(
            SecureSession(People.handshake(of: People.anna, seed: 77)),
            at: crossing.now
        )
        #expect(anna() == nil)
        crossing.send(.requested, toBen: false)
        crossing.run(forMilliseconds: 200)
        #expect(isAdmitted(try #require(anna())))
        #expect(isAdmitted(old), "for as long as packets of the session before are opened")
        crossing.run(forMilliseconds: 5_000)
        #expect(!isAdmitted(old))
        crossing.send(.disconnected, toBen: false)
        #expect(anna() == nil)
    }

    @Test("Phones that hold different sessions find out and agree anew")
    func recovery() throws {
        let crossing = Crossing(seed: 1)
        crossing.send(.requested, toBen: false)
        crossing.run(forMilliseconds: 1_000)
        // Anna holds another session with Ben, of which this Ben knows nothing.
        let other = Crossing(seed: 2)
        other.send(.requested, toBen: false)
        other.run(forMilliseconds: 1_000)
        crossing.anna = other.anna
        #expect(!crossing.agree)
        var heard = 0
        for _ in 0..<200 {
            crossing.run(forMilliseconds: 20)
            let packet = try #require(crossing.seal([1], byBen: false))
            if crossing.open(packet, atBen: true) != nil { heard += 1 }
        }
        #expect(heard > 60, "heard again within three seconds")
        #expect(crossing.agree)
    }

    @Test("Strange packets beside honest ones begin nothing")
    func noRecovery() throws {
        let crossing = Crossing(seed: 1)
        crossing.send(.requested, toBen: false)
        crossing.run(forMilliseconds: 1_000)
        let strange = try StrangePacket.make()
        for _ in 0..<300 {
            crossing.run(forMilliseconds: 20)
            #expect(crossing.open(strange, atBen: true) == nil)
            let packet = try #require(crossing.seal([1], byBen: false))
            #expect(crossing.open(packet, atBen: true) == [1])
        }
        #expect(crossing.news.ben.count == 1, "only the one session was established")
    }

    @Test("Whoever forges beside an honest peer changes nothing, however much of it (S-SEC-004)")
    func injected() throws {
        let crossing = Crossing(seed: 1)
        crossing.send(.requested, toBen: false)
        crossing.run(forMilliseconds: 1_000)
        let real = try #require(crossing.seal([1, 2, 3], byBen: false))
        var forged = real
        forged[13] ^= 1
        for _ in 0..<30 {
            // Keepalives as rare as they may be (S-VAD-002), a hundred forged packets in every second.
            let packet = try #require(crossing.seal([1], byBen: false))
            #expect(crossing.open(packet, atBen: true) == [1])
            for _ in 0..<500 {
                crossing.run(forMilliseconds: 10)
                #expect(crossing.open(forged, atBen: true) == nil)
            }
        }
        #expect(crossing.news.ben.count == 1, "only the session was established")
        #expect(crossing.ben.machine.refusals[.forged] == 15_000)
    }

    @Test("A peer that proves who it is and sends nonsense is cut (S-SEC-004)")
    func nonsense() throws {
        let crossing = Crossing(seed: 1)
        crossing.send(.requested, toBen: false)
        crossing.run(forMilliseconds: 1_000)
        for _ in 0..<21 {
            let packet = try #require(crossing.seal([0xFF], byBen: false))
            #expect(crossing.open(packet, atBen: true) == [0xFF])
            crossing.send(.packetRefused(.unreadable), toBen: true)
        }
        #expect(crossing.news.ben.last == .cut(.unreadable))
    }

    @Test("A peer of which nothing but forgery comes is cut, and hears nothing more (S-SEC-004)")
    func cut() throws {
        let crossing = Crossing(seed: 1)
        crossing.send(.requested, toBen: false)
        crossing.run(forMilliseconds: 8_000)
        var packet = try #require(crossing.seal([1, 2, 3], byBen: false))
        packet[13] ^= 1
        for _ in 0..<21 { #expect(crossing.open(packet, atBen: true) == nil) }
        #expect(crossing.news.ben.last == .cut(.forged))
        #expect(crossing.ben.machine.isFinished && crossing.ben.machine.refusals[.forged] == 21)
        #expect(crossing.seal([1], byBen: true) == nil)
        #expect(crossing.ben.deadline == nil)
    }

    @Test("An attacker who plays back all that was ever sent changes nothing (A-NF-003)")
    func playback() throws {
        var recorded: [[UInt8]] = []
        for seed in 100..<110 as Range<UInt64> {
            var past = People.handshake(of: People.anna, seed: seed)
            var ben = People.handshake(of: People.ben, seed: seed)
            let offer = past.call(.requested).sent[0]
            let answer = ben.call(.packetReceived(offer)).sent[0]
            recorded += [offer, answer, past.call(.packetReceived(answer)).sent[0]]
        }
        for seed in 0..<20 as Range<UInt64> {
            let crossing = Crossing(seed: seed)
            var random = LawRandom(seed: seed)
            crossing.send(.requested, toBen: false)
            crossing.send(.requested, toBen: true)
            for _ in 0..<40 {
                crossing.put(recorded[random.below(30)], toBen: random.chance(percent: 50))
                crossing.run(forMilliseconds: Int64(random.below(20)))
            }
            crossing.run(forMilliseconds: 12_000)
            #expect(crossing.agree, "seed \(seed)")
            for news in [crossing.news.anna, crossing.news.ben] {
                #expect(news.allSatisfy { if case .established = $0 { true } else { false } })
            }
        }
    }
}

/// Makes a packet of a session that nobody has.
enum StrangePacket {
    static func make() throws -> [UInt8] {
        try Sender(SessionEnds(seed: 500).anna).seal([1])
    }
}
