import GroupSecurity
import SansIO
import SansIOTesting
import Testing

@Suite("A handshake under recorded offers (S-SEC-004)")
struct GroupHandshakeFloodTests {
    private func offer(of member: MemberIdentity, _ seed: UInt64) -> [UInt8] {
        var recorded = People.handshake(of: member, seed: seed)
        return recorded.call(.requested).sent[0]
    }

    /// Ben's, with two recorded offers of Anna's that wait for proof.
    private func loaded() -> GroupHandshake {
        var ben = People.handshake(of: People.ben)
        for seed in 100..<102 as Range<UInt64> {
            let replies = ben.call(.packetReceived(offer(of: People.anna, seed))).sent
            #expect(replies.map(\.count) == [133])
        }
        return ben
    }

    @Test(
        "Where two offers wait for proof, one more is answered once its sender proves that it is new"
    )
    func challenged() throws {
        var ben = loaded()
        var other = ben
        var anna = People.handshake(of: People.anna)
        let offered = anna.call(.requested).sent[0]
        let challenge = ben.call(.packetReceived(offered), at: 100).sent
        #expect(challenge.map(\.count) == [37], "shorter than the offer")
        _ = other.call(.packetReceived(offer(of: People.anna, 300)), at: 100)
        #expect(ben == other, "a challenge leaves nothing of its offer")
        let echoed = anna.call(.packetReceived(challenge[0]), at: 120).sent
        #expect(echoed.map(\.count) == [97])
        #expect(anna.call(.packetReceived(challenge[0]), at: 130).isEmpty, "its clock repeats it")
        #expect(anna.wake(at: 250).sent == echoed)
        let answer = ben.call(.packetReceived(echoed[0]), at: 260).sent
        let proof = anna.call(.packetReceived(answer[0]), at: 280)
        #expect(proof.established != nil)
        #expect(ben.call(.packetReceived(proof.sent[0]), at: 300).established != nil)
        // Played back it is an offer that was answered.
        #expect(ben.call(.packetReceived(echoed[0]), at: 400) == [.refused(.replayed)])
    }

    @Test("A cookie serves for 10 to 20 s, by its receiver and for its offer alone")
    func bound() throws {
        func echo(at time: Int64) -> (GroupHandshake, [UInt8]) {
            var (ben, anna) = (loaded(), People.handshake(of: People.anna))
            let offered = anna.call(.requested).sent[0]
            let challenge = ben.call(.packetReceived(offered), at: time).sent[0]
            return (ben, anna.call(.packetReceived(challenge), at: time).sent[0])
        }
        for (time, lateness, isTaken) in [
            (Int64(0), Int64(0), true), (9_000, 900, true), (3_000, 6_900, true),
            (19_999, 10_000, true), (10_000, 20_000, false),
        ] {
            var (ben, echoed) = echo(at: 0)
            if time > 0 { (ben, echoed) = echo(at: time) }
            // The answers before are not let go of: nobody wakes Ben.
            let reply = ben.call(.packetReceived(echoed), at: time + lateness).sent
            #expect(reply.map(\.count) == [isTaken ? 133 : 37], "\(time) + \(lateness)")
        }
        let (_, echoed) = echo(at: 0)
        var other = People.handshake(of: People.ben, seed: 7)
        for seed in 100..<102 as Range<UInt64> {
            _ = other.call(.packetReceived(offer(of: People.anna, seed)))
        }
        #expect(other.call(.packetReceived(echoed)).sent.map(\.count) == [37])
        let moved = offer(of: People.anna, 200) + echoed[81...]
        var ben = loaded()
        #expect(ben.call(.packetReceived(moved)).sent.map(\.count) == [37])
    }

    @Test("A challenge that nobody with the secret made is refused, and one of no attempt")
    func forged() throws {
        var (ben, anna) = (loaded(), People.handshake(of: People.anna))
        let offered = anna.call(.requested).sent[0]
        let challenge = ben.call(.packetReceived(offered)).sent[0]
        let before = anna
        for byte in [5, 20, 21, 36] {
            var changed = challenge
            changed[byte] ^= 1
            #expect(anna.call(.packetReceived(changed)) == [.refused(.forged)])
        }
        var changed = challenge
        changed[1] ^= 1
        #expect(anna.call(.packetReceived(changed)) == [.refused(.unknownAttempt)])
        #expect(anna == before)
        var cleo = People.handshake(of: People.cleo)
        #expect(cleo.call(.packetReceived(challenge)) == [.refused(.unknownAttempt)])
    }

    @Test(
        "One source has 128 offers a second read; one that proves that it is new is read beyond that"
    )
    func limited() throws {
        var ben = loaded()
        let recorded = offer(of: People.anna, 400)
        for second in 0..<3 as Range<Int64> {
            // Two are used up: by those that wait for proof, or at the end of the second before.
            let time = second * 1_000
            for number in 0..<126 {
                let reply = ben.call(.packetReceived(recorded), at: time)
                #expect(reply.sent.map(\.count) == [37], "\(second) s, \(number)")
            }
            #expect(ben.call(.packetReceived(recorded), at: time) == [.refused(.tooManyHandshakes)])
            // A part of a second gives back its part of them.
            #expect(ben.call(.packetReceived(recorded), at: time + 7).sent.isEmpty)
            #expect(ben.call(.packetReceived(recorded), at: time + 8).sent.map(\.count) == [37])
            var anna = People.handshake(of: People.anna, seed: 500 + UInt64(second))
            let offered = anna.call(.requested, at: time).sent[0]
            let challenge = ben.call(.packetReceived(offered), at: time + 16).sent[0]
            #expect(ben.call(.packetReceived(offered), at: time + 16).sent.isEmpty)
            let echoed = anna.call(.packetReceived(challenge), at: time + 16).sent[0]
            let answer = ben.call(.packetReceived(echoed), at: time + 16).sent
            #expect(answer.map(\.count) == [133], "its offer is read whatever was played back")
        }
    }

    @Test(
        "Over any time a source has no more offers read than its share, and is cut beyond it (S-SEC-004)",
        arguments: 0..<10 as Range<UInt64>
    )
    func shares(seed: UInt64) {
        var random = LawRandom(seed: seed)
        let offers = (0..<20 as Range<UInt64>).map { offer(of: People.anna, 600 + $0) }
        for perSecond in [20, 100, 1_000] as [Int64] {
            var session = SecureSession(People.handshake(of: People.ben))
            var (now, answered) = (Int64(0), [Int64]())
            var cutAt: Int64?
            while now < 10_000, cutAt == nil {
                let bytes = offers[random.below(offers.count)]
                let effects = session.handle(
                    .handshakeReceived(bytes),
                    at: Instant(nanoseconds: now * 1_000_000)
                )
                for case .send in effects { answered.append(now) }
                if effects.contains(where: { if case .cut = $0 { true } else { false } }) {
                    cutAt = now
                }
                now += 1 + Int64(random.below(Int(2_000 / perSecond) - 1))
            }
            for (index, time) in answered.enumerated() {
                #expect(answered[index...].prefix { $0 < time + 1_000 }.count <= 256)
            }
            #expect((cutAt != nil) == (perSecond == 1_000), "\(perSecond) a second: \(cutAt ?? -1)")
        }
    }

    @Test(
        "Recorded offers, more than are remembered, delay a session by no more than two round trips"
    )
    func flooded() throws {
        let annas = (0..<300 as Range<UInt64>).map { offer(of: People.anna, 1_000 + $0) }
        let bens = (0..<300 as Range<UInt64>).map { offer(of: People.ben, 1_000 + $0) }
        for begin in stride(from: Int64(7_000), to: 10_000, by: 1_010) {
            var sides = [People.handshake(of: People.anna), People.handshake(of: People.ben)]
            var flying: [(at: Int64, to: Int, packet: [UInt8])] = []
            var established: [Int64?] = [nil, nil]
            var (now, played) = (Int64(0), 0)
            while now < begin + 20_000, established.contains(nil) {
                var received: [(to: Int, packet: [UInt8])] = []
                if now.isMultiple(of: 20) {
                    received = [(0, bens[played % 300]), (1, annas[played % 300])]
                    played += 1
                }
                received += flying.filter { $0.at <= now }.map { ($0.to, $0.packet) }
                flying.removeAll { $0.at <= now }
                var orders = [0, 1].map { sides[$0].wake(at: now) }
                if now == begin {
                    for side in 0...1 { orders[side] += sides[side].call(.requested, at: now) }
                }
                for (side, packet) in received {
                    orders[side] += sides[side].call(.packetReceived(packet), at: now)
                }
                for side in 0...1 {
                    flying += orders[side].sent.map { (now + 20, 1 - side, $0) }
                    if orders[side].established != nil { established[side] = now }
                }
                now += 10
            }
            let last = try #require(established.compactMap(\.self).max())
            #expect(established.count { $0 != nil } == 2 && last - begin <= 200, "\(last - begin)")
        }
    }
}
