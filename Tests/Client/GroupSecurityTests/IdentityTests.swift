import GroupSecurity
import SansIO
import SansIOTesting
import Testing

@Suite("Members and groups")
struct IdentityTests {
    @Test("A member's id is the beginning of its public key's SHA-256 hash (S-OWN-001)")
    func memberID() throws {
        // Computed with sha256sum over the bytes 0 to 63.
        let key = try #require(MemberPublicKey((0..<64).map { UInt8($0) }))
        #expect(key.memberID.description == "fdeab9acf3710362bd2658cdc9a29e8f")
        #expect(MemberPublicKey([UInt8](repeating: 0, count: 63)) == nil)
    }

    @Test("Ids are ordered as their bytes and as their texts are (S-OWN-002)")
    func order() {
        var random = LawRandom(seed: 1)
        for _ in 0..<500 {
            let high = random.next()
            let left = MemberID(high: high, low: random.next())
            let right = MemberID(
                high: random.chance(percent: 30) ? high : random.next(),
                low: random.next()
            )
            #expect((left < right) == left.description.lexicographicallyPrecedes(right.description))
            #expect(MemberID(text: left.description) == left)
        }
        #expect(MemberID(text: "FDEAB9ACF3710362BD2658CDC9A29E8F") == nil, "one spelling only")
        #expect(MemberID(text: "fdeab9acf3710362bd2658cdc9a29e8") == nil)
    }

    @Test("A group's id has a UUID's text, in one spelling")
    func groupText() {
        let id = GroupID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
        #expect(id.text == "01234567-89ab-cdef-fedc-ba9876543210")
        #expect(GroupID(text: id.text) == id)
        let upperCase = "01234567-89AB-cdef-fedc-ba9876543210"
        for text in [upperCase, "0123456789abcdeffedcba9876543210", ""] {
            #expect(GroupID(text: text) == nil)
        }
    }

    @Test("A group's hash is that of label, id and secret, and says nothing else (S-GRP-010)")
    func groupHash() throws {
        // Computed with Python's hashlib: sha256(label + bytes 0 to 15 + bytes 0 to 31).
        let secret = try #require(GroupSecret((0..<32).map { UInt8($0) }))
        let id = GroupID(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0E0F)
        let group = GroupCredential(id: id, secret: secret)
        let expected = "b79fd81788a7ea2b0f070afdcbcfefeb6deab20d3828e156aa236f75ab69f099"
        #expect(group.hash.bytes == bytes(expected))
        var other = secret.bytes
        other[31] ^= 1
        let neighbour = GroupCredential(id: id, secret: try #require(GroupSecret(other)))
        #expect(neighbour.hash != group.hash)
        let renamed = GroupCredential(id: GroupID(high: 1, low: 2), secret: secret)
        #expect(renamed.hash != group.hash)
    }

    @Test(
        "A group shows another sign each time, which its members recognize and nobody else (S-GRP-011)"
    )
    func sign() {
        var entropy = Entropy(seed: 1, label: "signs")
        let (hash, period) = (People.group.hash, SignPeriod(number: 1_963_000))
        let signs = (1...20).map { _ in hash.sign(in: period, drawing: &entropy) }
        #expect(Set(signs).count == 20)
        for (index, sign) in signs.enumerated() {
            #expect(sign.count == 32 && hash.period(of: sign) == period)
            #expect(People.strangers.hash.period(of: sign) == nil)
            for place in [index, 31 - index] {
                var changed = sign
                changed[place] ^= 1
                #expect(hash.period(of: changed) == nil)
            }
        }
        #expect(hash.period(of: []) == nil && hash.period(of: hash.bytes) == nil)
        for place in [0, 8, 16, 24] {
            let parts = signs.map { Array($0[place..<place + 8]) }
            #expect(Set(parts).count == 20, "no part of a sign stays")
        }
    }

    @Test("A sign tells members its quarter of an hour, whatever their clocks show (S-GRP-011)")
    func signPeriods() {
        var entropy = Entropy(seed: 1, label: "signs")
        let hash = People.group.hash
        for number in [0, 1, 1_963_000, -1, .max, .min] as [Int64] {
            let period = SignPeriod(number: number)
            let sign = hash.sign(in: period, drawing: &entropy)
            #expect(hash.period(of: sign) == period)
            let other = hash.sign(in: period, drawing: &entropy)
            #expect(sign.dropFirst(8).elementsEqual(other.dropFirst(8)) == false)
            #expect(!hash.recognizes(sign), "what is shown is none of an offer")
        }
        let offer = hash.sign(of: Array(repeating: 7, count: 32))
        #expect(hash.recognizes(offer) && hash.period(of: offer) == nil)
    }

    @Test("Signs of one's own period and those beside it are present, others later or earlier")
    func ages() {
        let heard = SignPeriod(number: 100)
        let ages = (97...103).map { SignPeriod(number: $0).age(in: heard) }
        let expected: [SignAge] = [
            .earlier, .earlier, .present, .present, .present, .later, .later,
        ]
        #expect(ages == expected)
        let ends = [Int64.min, .max].map(SignPeriod.init(number:))
        #expect(ends.map { $0.age(in: heard) } == [.earlier, .later])
    }

    @Test(
        "An answer to a sign is one of a member who has heard it, and of nothing else (S-SEC-004)"
    )
    func answers() {
        var entropy = Entropy(seed: 1, label: "signs")
        let (hash, period) = (People.group.hash, SignPeriod(number: 7))
        let sign = hash.sign(in: SignPeriod(number: 100), drawing: &entropy)
        let answer = hash.answer(to: sign, in: period)
        #expect(hash.period(of: answer, to: sign) == period)
        let later = hash.sign(in: SignPeriod(number: 101), drawing: &entropy)
        #expect(hash.period(of: answer, to: later) == nil)
        #expect(hash.period(of: sign, to: sign) == nil, "a sign that is sent back")
        #expect(hash.period(of: answer) == nil, "an answer that is shown")
        #expect(hash.period(of: [], to: []) == nil)
        let strange = People.strangers.hash.answer(to: sign, in: period)
        #expect(hash.period(of: strange, to: sign) == nil)
    }

    @Test("A phone's next number is known to members alone")
    func numbers() {
        let (hash, period) = (People.group.hash, SignPeriod(number: 100))
        let next = hash.number(following: 7, in: period)
        #expect(next == hash.number(following: 7, in: period) && next != 7)
        #expect(next != hash.number(following: 7, in: SignPeriod(number: 101)))
        #expect(next != hash.number(following: 8, in: period))
        #expect(next != People.strangers.hash.number(following: 7, in: period))
    }

    @Test("Quarters of an hour follow each other by the clock, also before 1970")
    func periods() {
        let second: Int64 = 1_000_000_000
        let cases: [(Int64, Int64)] = [(0, 0), (900 * second - 1, 0), (900 * second, 1), (-1, -1)]
        for (nanoseconds, number) in cases {
            let period = SignPeriod(of: WallTime(nanosecondsSince1970: nanoseconds))
            #expect(period.number == number)
            #expect(period.end.nanosecondsSince1970 == (number + 1) * 900 * second)
        }
        let last = SignPeriod(of: WallTime(nanosecondsSince1970: .max))
        #expect(last.end.nanosecondsSince1970 == .max)
    }

    @Test("An identity comes back whole from secure storage (S-GRP-002)")
    func restored() {
        let restored = MemberIdentity(secretBytes: People.anna.secretBytes)
        #expect(restored == People.anna)
        #expect(restored?.publicKey == People.anna.publicKey)
        #expect(MemberIdentity(secretBytes: [1, 2, 3]) == nil)
    }

    @Test("The system's randomness differs each time, a seed's does not")
    func entropy() {
        var system = [Entropy.system(), Entropy.system()]
        #expect(system[0] != system[1])
        let secrets = [GroupSecret(entropy: &system[0]), GroupSecret(entropy: &system[0])]
        #expect(secrets[0] != secrets[1], "each draw differs from the one before")
        #expect(Entropy(seed: 1, label: "a") == Entropy(seed: 1, label: "a"))
        #expect(Entropy(seed: 1, label: "a") != Entropy(seed: 2, label: "a"))
        #expect(Entropy(seed: 1, label: "a") != Entropy(seed: 1, label: "b"))
    }

    @Test("What is secret does not print itself")
    func descriptions() throws {
        let text = "\(People.group.secret) \(Entropy(seed: 1, label: "x")) \(People.anna)"
        #expect(
            text == "GroupSecret(secret) Entropy(secret) "
                + "MemberIdentity(\(People.anna.publicKey.memberID))"
        )
        #expect("\(SessionEnds().anna)".hasSuffix("with \(People.ben.publicKey.memberID))"))
    }
}
