import GroupSecurity
import SansIO
import SansIOTesting
import Testing

@Suite("Invites")
struct InviteTests {
    static func seconds(_ seconds: Int64) -> WallTime {
        WallTime(nanosecondsSince1970: seconds * 1_000_000_000)
    }

    static let terms = Invite.Terms(
        name: "Trail crew é \"木霊\"",
        created: seconds(1_700_000_000),
        expires: seconds(1_700_086_400)
    )

    static func invite(_ terms: Invite.Terms = terms) throws -> Invite {
        try Invite(to: People.group, from: People.anna, terms: terms)
    }

    /// Why JSON is refused; `nil` if it is not.
    static func refusal(json: [UInt8]) -> InviteRefusal? {
        do throws(InviteRefusal) {
            _ = try Invite(json: json)
            return nil
        } catch {
            return error
        }
    }

    static func refusal(url: String) -> InviteRefusal? {
        do throws(InviteRefusal) {
            _ = try Invite(url: url)
            return nil
        } catch {
            return error
        }
    }

    @Test("JSON and URL carry the same invite there and back (S-INV-002, S-INV-003)")
    func roundTrip() throws {
        var random = LawRandom(seed: 4)
        for index in 0..<64 {
            var terms = Invite.Terms()
            if index & 1 != 0 {
                let length = 1 + random.below(DisplayName.byteCountMax)
                terms.name = String(repeating: "n", count: length)
            }
            if index & 2 != 0 { terms.created = Self.seconds(Int64(random.below(1 << 32))) }
            if index & 4 != 0 {
                terms.expires = Self.seconds(Int64(1 << 32) + Int64(random.below(1 << 32)))
            }
            let group = People.makeGroup(random.next())
            let invite = try Invite(to: group, from: People.ben, terms: terms)
            #expect(try Invite(json: invite.json) == invite)
            #expect(try Invite(url: invite.url()) == invite)
            let site = "https://example.org/join#"
            #expect(try Invite(url: invite.url(base: site), base: site) == invite)
            #expect(invite.group == group && invite.terms == terms)
            #expect(invite.inviter.memberID == People.ben.publicKey.memberID)
            #expect(max(invite.json.count, invite.url().utf8.count) < 600)
        }
    }

    @Test("A name of any letters comes through both forms")
    func names() throws {
        let invite = try Self.invite()
        #expect(try Invite(json: invite.json).terms.name == Self.terms.name)
        #expect(try Invite(url: invite.url()).terms.name == Self.terms.name)
    }

    @Test("Parts of a second are cut, so that what is signed is what is read")
    func wholeSeconds() throws {
        let odd = WallTime(nanosecondsSince1970: 1_700_000_000_999_999_999)
        let invite = try Self.invite(Invite.Terms(created: odd))
        #expect(invite.terms.created == Self.seconds(1_700_000_000))
        #expect(try Invite(json: invite.json) == invite)
    }

    @Test("JSON may be laid out anew, in any order, and is still the same invite")
    func layout() throws {
        let invite = try Self.invite(Invite.Terms())
        let text = String(decoding: invite.json, as: UTF8.self)
        let members = text.dropFirst().dropLast().split(separator: ",")
        let relaid = "{\n  " + members.reversed().joined(separator: ",\n  ") + "\n}\n"
        #expect(try Invite(json: Array(relaid.utf8)) == invite)
    }

    @Test("Terms that break a rule are not signed")
    func terms() {
        func refusal(_ terms: Invite.Terms) -> InviteRefusal? {
            do throws(InviteRefusal) {
                _ = try Invite(to: People.group, from: People.anna, terms: terms)
                return nil
            } catch {
                return error
            }
        }
        let long = String(repeating: "é", count: 33)
        for name in ["", long, "line\nbreak", "turned \u{202E}round"] {
            #expect(refusal(Invite.Terms(name: name)) == .malformed(.field(.name)), "\(name)")
        }
        #expect(refusal(Invite.Terms(created: Self.seconds(-1))) == .malformed(.field(.created)))
        let backwards = Invite.Terms(created: Self.seconds(2), expires: Self.seconds(1))
        #expect(refusal(backwards) == .malformed(.field(.expires)))
        let short = Invite.Terms(created: Self.seconds(2), expires: Self.seconds(2))
        #expect(refusal(short) == nil)
    }

    @Test("Time, group and own invites are judged at their limits (A-NF-002)")
    func check() throws {
        let invite = try Self.invite()
        let ben = People.ben.publicKey.memberID
        func refusal(
            at second: Int64,
            _ member: MemberID = ben,
            _ group: GroupID? = nil
        ) -> InviteRefusal? {
            do throws(InviteRefusal) {
                try invite.check(at: Self.seconds(second), joining: member, expecting: group)
                return nil
            } catch {
                return error
            }
        }
        let (created, expires): (Int64, Int64) = (1_700_000_000, 1_700_086_400)
        #expect(refusal(at: created - 61) == .notYetValid(from: Self.seconds(created)))
        #expect(refusal(at: created - 60) == nil)
        #expect(refusal(at: expires + 59) == nil)
        #expect(refusal(at: expires + 60) == .expired(at: Self.seconds(expires)))
        #expect(refusal(at: created, People.anna.publicKey.memberID) == .ownInvite)
        #expect(refusal(at: created, ben, People.group.id) == nil)
        let foreign = InviteRefusal.foreignGroup(People.group.id)
        #expect(refusal(at: created, ben, People.strangers.id) == foreign)
        let lasting = try Self.invite(Invite.Terms())
        try lasting.check(at: Self.seconds(9_000_000_000), joining: ben)
    }

    @Test("An invite without an end is followed however fast its maker's clock is (S-INV-002)")
    func fastClock() throws {
        let ben = People.ben.publicKey.memberID
        let made = Self.seconds(1_700_000_000)
        let hourEarlier = Self.seconds(1_700_000_000 - 3_600)
        try Self.invite(Invite.Terms(created: made)).check(at: hourEarlier, joining: ben)
        // Where there is an end, a clock that is proven wrong cannot tell whether it has come.
        let ending = Invite.Terms(created: made, expires: Self.seconds(1_700_000_600))
        #expect(throws: InviteRefusal.notYetValid(from: made)) {
            try Self.invite(ending).check(at: hourEarlier, joining: ben)
        }
    }

    @Test("An invite is for whoever holds it, as often as it comes (S-INV-001)")
    func replayed() throws {
        let json = try Self.invite().json
        for _ in 0..<2 {
            let invite = try Invite(json: json)
            let cleo = People.cleo.publicKey.memberID
            try invite.check(at: Self.seconds(1_700_000_100), joining: cleo)
            #expect(invite.group == People.group)
        }
    }
}
