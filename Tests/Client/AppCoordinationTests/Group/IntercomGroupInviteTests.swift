import AppCoordination
import GroupSecurity
import PeerTransport
import SansIO
import SansIOTesting
import Testing

@Suite("A phone follows an invite, or says exactly why not (S-INV-001, A-NF-002)")
struct IntercomGroupInviteTests {
    private static let time = WallTime(nanosecondsSince1970: 1_767_225_600_000_000_000)

    private static func identity(_ name: String) -> MemberIdentity {
        var entropy = Entropy(seed: 1, label: "identity \(name)")
        return MemberIdentity(entropy: &entropy)
    }

    private static func credential(_ number: UInt64) -> GroupCredential {
        var entropy = Entropy(seed: 1, label: "group \(number)")
        let id = GroupID(high: 1, low: number)
        return GroupCredential(id: id, secret: GroupSecret(entropy: &entropy))
    }

    private static func invite(
        to group: UInt64 = 1,
        from name: String = "Anna",
        expires: WallTime? = nil
    ) throws -> Invite {
        let terms = Invite.Terms(name: "Ridge", created: time, expires: expires)
        return try Invite(to: credential(group), from: identity(name), terms: terms)
    }

    private struct Guest {
        var app = IntercomGroupCoordinator(
            identity: identity("Ben"),
            streamID: 7,
            judge: ThresholdJudge(),
            entropy: Entropy(seed: 1, label: "sessions")
        )

        mutating func open(_ delivery: InviteDelivery, after seconds: Int64 = 0) -> [InviteAnswer] {
            let shown = time.advanced(by: .seconds(seconds))
            let effects = app.handle(
                .inviteReceived(delivery, at: shown),
                at: Instant(nanoseconds: 1_000_000_000)
            )
            return effects.compactMap { effect in
                if case .inviteAnswered(let answer) = effect { answer } else { nil }
            }
        }
    }

    @Test("By AirDrop, QR code or message the phone joins, and knows who invited")
    func joins() throws {
        let invite = try Self.invite()
        for delivery in [InviteDelivery.json(invite.json), .url(invite.url())] {
            var guest = Guest()
            let joined = InviteAnswer.joined(
                Self.credential(1),
                name: "Ridge",
                inviter: Self.identity("Anna").publicKey.memberID
            )
            #expect(guest.open(delivery) == [joined])
            #expect(guest.open(delivery) == [.alreadyIn], "a second tap changes nothing")
        }
    }

    @Test("An invite without an end is followed by a phone whose clock is an hour behind")
    func slowClock() throws {
        var guest = Guest()
        let answers = guest.open(.json(try Self.invite().json), after: -3_600)
        guard case .joined = try #require(answers.first) else {
            Issue.record("\(answers)")
            return
        }
    }

    @Test("What is broken, out of date, one's own or leads elsewhere is refused by its reason")
    func refused() throws {
        var guest = Guest()
        let end = Self.time.advanced(by: .seconds(3_600))
        let invite = try Self.invite(expires: end)
        var broken = invite.json
        broken[broken.count / 2] ^= 1
        guard case .refused = try #require(guest.open(.json(broken)).first) else {
            Issue.record("a changed invite was followed")
            return
        }
        #expect(guest.open(.url(invite.url()), after: 3_660) == [.refused(.expired(at: end))])
        #expect(
            guest.open(.url(invite.url()), after: -61) == [.refused(.notYetValid(from: Self.time))]
        )
        let own = try Self.invite(from: "Ben")
        #expect(guest.open(.json(own.json)) == [.refused(.ownInvite)])
        #expect(guest.open(.json(invite.json)).count == 1)
        let elsewhere = try Self.invite(to: 2)
        let foreign = InviteAnswer.refused(.foreignGroup(GroupID(high: 1, low: 2)))
        #expect(guest.open(.json(elsewhere.json)) == [foreign], "nobody is carried off by a tap")
    }
}
