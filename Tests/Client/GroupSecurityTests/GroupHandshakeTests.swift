@testable import GroupSecurity
import SansIO
import SansIOTesting
import Testing

@Suite("The handshake, packet by packet")
struct GroupHandshakeTests {
    private static func offer(_ machine: inout GroupHandshake, at time: Int64 = 0) -> [UInt8] {
        machine.call(.requested, at: time).sent[0]
    }

    @Test("Three packets prove both members to each other and agree on keys (S-SEC-001, S-SEC-002)")
    func threePackets() throws {
        var anna = People.handshake(of: People.anna)
        var ben = People.handshake(of: People.ben)
        let offer = Self.offer(&anna)
        let answer = ben.call(.packetReceived(offer))
        #expect(answer.established == nil, "an offer alone proves nobody")
        let proof = anna.call(.packetReceived(answer.sent[0]))
        let last = ben.call(.packetReceived(proof.sent[0]))
        #expect(proof.established?.peer == People.ben.publicKey)
        #expect(last.established?.peer == People.anna.publicKey)
        #expect(proof.established?.sessionID == last.established?.sessionID)
        #expect([offer.count, answer.sent[0].count, proof.sent[0].count] == [81, 133, 105])
        #expect(last.sent.isEmpty)
        #expect(anna.deadline?.instant == Instant(nanoseconds: 10_000_000_000))
        #expect(ben.deadline == nil)
    }

    @Test("No flipped bit of any packet is accepted, and the right one still is (A-NF-003)")
    func flippedBits() throws {
        var anna = People.handshake(of: People.anna)
        var ben = People.handshake(of: People.ben)
        func refuses(_ machine: GroupHandshake, _ packet: [UInt8], _ group: Range<Int>) {
            for bit in 0..<packet.count * 8 {
                var changed = packet
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                var copy = machine
                let effects = copy.call(.packetReceived(changed))
                let expected: [PacketRefusal] =
                    switch bit / 8 {
                    case 0: bit % 8 < 4 ? [.malformed] : [.unknownVersion]
                    case group: [.forged]
                    case 1..<5: [.unknownAttempt]
                    default: [.forged]
                    }
                #expect(effects.count == 1 && effects.refused.allSatisfy(expected.contains))
                // What is read counts against its source, whatever it was.
                copy.offersUntilNanoseconds = machine.offersUntilNanoseconds
                #expect(copy == machine, "bit \(bit) moved something")
            }
            for count in 0..<packet.count {
                var copy = machine
                #expect(copy.call(.packetReceived(Array(packet[..<count]))).refused == [.malformed])
            }
        }
        let offer = Self.offer(&anna)
        refuses(ben, offer, 1..<33)
        let answer = ben.call(.packetReceived(offer)).sent[0]
        refuses(anna, answer, 0..<0)
        let proof = anna.call(.packetReceived(answer)).sent[0]
        refuses(ben, proof, 0..<0)
        #expect(ben.call(.packetReceived(proof)).established != nil)
    }

    @Test("A stranger's offer is refused as foreign, a member's of another secret as forged")
    func strangers() throws {
        var ben = People.handshake(of: People.ben)
        var stranger = People.handshake(of: People.cleo, in: People.strangers)
        var offer = Self.offer(&stranger)
        #expect(ben.call(.packetReceived(offer)) == [.refused(.foreignGroup)])
        // Whoever shows a sign of the group, as heard in discovery, still lacks the secret.
        offer.replaceSubrange(1..<33, with: People.group.hash.sign(of: offer))
        #expect(ben.call(.packetReceived(offer)) == [.refused(.forged)])
        ben.offersUntilNanoseconds = .min
        #expect(
            ben == People.handshake(of: People.ben),
            "a stranger leaves no trace but the offers that its source has had read (A-NF-001)"
        )
        // A member's under another sign was changed on the way.
        var anna = People.handshake(of: People.anna)
        offer = Self.offer(&anna)
        offer.replaceSubrange(1..<33, with: People.strangers.hash.sign(of: offer))
        #expect(ben.call(.packetReceived(offer)) == [.refused(.forged)])
    }

    @Test("A lost packet of any kind is made good by whoever waits")
    func retries() throws {
        var anna = People.handshake(of: People.anna)
        var ben = People.handshake(of: People.ben)
        let offer = Self.offer(&anna)
        #expect(anna.deadline == Deadline(Instant(nanoseconds: 250_000_000), "offer again"))
        #expect(anna.wake(at: 250) == [.send(offer)])
        #expect(anna.wake(at: 750) == [.send(offer)], "the delay doubles")
        #expect(anna.wake(at: 1_750) == [.send(offer)], "up to a second")
        let answer = ben.call(.packetReceived(offer), at: 1_800).sent[0]
        #expect(ben.call(.packetReceived(offer), at: 1_900).isEmpty, "its own clock sends it again")
        #expect(ben.wake(at: 2_050) == [.send(answer)])
        let proof = anna.call(.packetReceived(answer), at: 2_100).sent[0]
        #expect(anna.call(.packetReceived(answer), at: 2_600) == [.send(proof)])
        #expect(ben.call(.packetReceived(proof), at: 2_700).established != nil)
        #expect(ben.call(.packetReceived(proof), at: 2_800) == [.refused(.replayed)])
    }

    @Test("After ten seconds without an answer the attempt is over, and another may begin")
    func timeOut() {
        var anna = People.handshake(of: People.anna)
        let first = Self.offer(&anna)
        var packets = 1
        while let deadline = anna.deadline, deadline.instant.nanoseconds < 10_000_000_000 {
            packets += anna.wake(at: deadline.instant.nanoseconds / 1_000_000).sent.count
        }
        #expect(packets == 12)
        #expect(anna.wake(at: 10_000) == [.timedOut])
        #expect(anna.deadline == nil)
        let second = Self.offer(&anna, at: 11_000)
        #expect(second != first, "each attempt has its own key")
    }

    @Test("A phone that slept sends once, not all that it missed")
    func lateWake() {
        var anna = People.handshake(of: People.anna)
        _ = Self.offer(&anna)
        #expect(anna.wake(at: 9_000).sent.count == 1)
        #expect(anna.wake(at: 60_000) == [.timedOut])
    }

    @Test("When both offer at once, one leads and both get the same session")
    func simultaneous() throws {
        var anna = People.handshake(of: People.anna)
        var ben = People.handshake(of: People.ben)
        let offers = (Self.offer(&anna), Self.offer(&ben))
        let fromAnna = anna.call(.packetReceived(offers.1))
        let fromBen = ben.call(.packetReceived(offers.0))
        #expect(fromAnna.sent.count + fromBen.sent.count == 1, "one of them answers")
        let leads = fromAnna.sent.isEmpty
        var (leader, follower) = leads ? (anna, ben) : (ben, anna)
        let proof = leader.call(.packetReceived((fromAnna + fromBen).sent[0]))
        let last = follower.call(.packetReceived(proof.sent[0]))
        #expect(proof.established?.sessionID == last.established?.sessionID)
        #expect(proof.established != nil)
        #expect(!leader.isUnderWay && !follower.isUnderWay, "nothing is left under way")
    }

    @Test(
        "When each completes the handshake it began, both go over to the one that leads",
        arguments: 0..<8 as Range<UInt64>
    )
    func crossed(seed: UInt64) throws {
        var anna = People.handshake(of: People.anna, seed: seed)
        var ben = People.handshake(of: People.ben, seed: seed)
        // Ben answers before he offers himself, so that nobody ignores anything.
        let first = Self.offer(&anna)
        let bensAnswer = ben.call(.packetReceived(first)).sent[0]
        let second = Self.offer(&ben, at: 10)
        let annaLeads = first[33...].lexicographicallyPrecedes(second[33...])
        let annasAnswer = anna.call(.packetReceived(second), at: 20).sent
        guard !annaLeads else {
            #expect(annasAnswer.isEmpty, "Anna leads and ignores Ben's offer")
            return
        }
        let annasProof = anna.call(.packetReceived(bensAnswer), at: 30)
        let bensProof = ben.call(.packetReceived(annasAnswer[0]), at: 30)
        #expect(annasProof.established?.sessionID != bensProof.established?.sessionID)
        #expect(ben.call(.packetReceived(annasProof.sent[0]), at: 40).established == nil)
        let last = anna.call(.packetReceived(bensProof.sent[0]), at: 40)
        #expect(last.established?.sessionID == bensProof.established?.sessionID)
    }

    @Test("A proof that names a leading session is passed over by whoever holds that one")
    func late() throws {
        var (leader, follower) = (
            People.handshake(of: People.anna), People.handshake(of: People.ben)
        )
        var offers = (Self.offer(&leader), Self.offer(&follower))
        if !offers.0[33...].lexicographicallyPrecedes(offers.1[33...]) {
            swap(&leader, &follower)
            swap(&offers.0, &offers.1)
        }
        let answer = follower.call(.packetReceived(offers.0), at: 10).sent[0]
        let led = leader.call(.packetReceived(answer), at: 20)
        // The follower's offer comes late and is answered, for its sender might have started again.
        let second = leader.call(.packetReceived(offers.1), at: 30).sent[0]
        let own = follower.call(.packetReceived(second), at: 40)
        #expect(own.established != nil)
        #expect(leader.call(.packetReceived(own.sent[0]), at: 50).isEmpty)
        let last = follower.call(.packetReceived(led.sent[0]), at: 50)
        #expect(last.established?.sessionID == led.established?.sessionID)
        #expect(!leader.isUnderWay && !follower.isUnderWay)
    }

    @Test("A recorded offer that is played back neither stops an attempt nor is answered twice")
    func replayedOffer() throws {
        var old = People.handshake(of: People.anna, seed: 99)
        let recorded = Self.offer(&old)
        var ben = People.handshake(of: People.ben)
        _ = Self.offer(&ben)
        let replies = ben.call(.packetReceived(recorded)).sent.count
        #expect(replies <= 1)
        // Ben's own attempt goes on whatever came of that.
        var anna = People.handshake(of: People.anna)
        let again = ben.wake(at: 250).sent
        let offer = try #require(again.first)
        let answer = anna.call(.packetReceived(offer), at: 260)
        #expect(ben.call(.packetReceived(answer.sent[0]), at: 270).established != nil)
        var cleo = People.handshake(of: People.cleo)
        _ = cleo.call(.packetReceived(recorded))
        #expect(cleo.call(.packetReceived(recorded), at: 100).isEmpty)
        _ = cleo.wake(at: 10_000)
        #expect(cleo.call(.packetReceived(recorded), at: 10_001) == [.refused(.replayed)])
    }

    @Test("One's own packets, come back, are refused as such")
    func reflected() {
        var anna = People.handshake(of: People.anna)
        let offer = Self.offer(&anna)
        #expect(anna.call(.packetReceived(offer)) == [.refused(.reflected)])
        var twin = People.handshake(of: People.anna, seed: 2)
        let answer = twin.call(.packetReceived(offer)).sent[0]
        #expect(anna.call(.packetReceived(answer)) == [.refused(.reflected)])
    }

    @Test("Where a certain member is expected, another member of the group is refused")
    func unexpected() {
        let ben = People.ben.publicKey.memberID
        var anna = People.handshake(of: People.anna, expecting: ben)
        var cleo = People.handshake(of: People.cleo)
        let answer = cleo.call(.packetReceived(Self.offer(&anna))).sent[0]
        #expect(anna.call(.packetReceived(answer)) == [.refused(.foreignMember)])
        var right = People.handshake(of: People.ben)
        let offer = anna.wake(at: 250).sent[0]
        let good = right.call(.packetReceived(offer), at: 260).sent[0]
        #expect(anna.call(.packetReceived(good), at: 270).established?.peer.memberID == ben)
    }

    @Test("Nothing goes out after the end")
    func closed() {
        var anna = People.handshake(of: People.anna)
        let offer = Self.offer(&anna)
        #expect(anna.call(.closed).isEmpty)
        #expect(anna.isFinished && anna.deadline == nil)
        #expect(anna.call(.requested).isEmpty && anna.call(.packetReceived(offer)).isEmpty)
    }
}
