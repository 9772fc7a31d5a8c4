import PeerTransport
import SansIO
import SansIOTesting
import Testing

@Suite("Who gets a seat where more come than there are")
struct MembershipSeatTests {
    private static func id(_ number: Int) -> MemberID { Neighbourhood.id(number) }

    /// The list of phone 4, which counts members one after the other.
    private struct Phone {
        var list = Membership(own: Member(id: id(4), streamID: 40))

        /// Hears a first hello, and says what it orders for that.
        mutating func hear(hello number: Int, _ tenure: Tenure) -> [Membership.Effect] {
            let hello = Hello(
                member: id(number),
                streamID: UInt32(number * 10),
                revision: SerialNumber(1),
                tenure: tenure,
                members: [id(number)]
            )
            return list.handle(
                .messageReceived(.hello(hello), from: id(number)),
                at: Instant(nanoseconds: 1_000_000_000)
            )
        }

        /// How the last hello to this member says that this phone came.
        static func tenure(in effects: [Membership.Effect]) -> Tenure? {
            for case .send(.hello(let hello), _) in effects.reversed() { return hello.tenure }
            return nil
        }
    }

    @Test(
        "Two come within a second to the last seat of a fresh group: one gets it (S-GRP-001)",
        arguments: 0..<60 as Range<UInt64>
    )
    func lastSeatOfFreshGroup(seed: UInt64) {
        let group = Neighbourhood(seed: seed)
        let rivals = seed.isMultiple(of: 2) ? [1, 9] : [6, 4]
        for number in [2, 3, 5, 7, 8] { group.arrive(number) }
        // From all at once to a group that is four seconds old.
        let age = Int64(seed % 10) * 450
        group.run(forMilliseconds: age)
        group.arrive(rivals[0])
        group.run(forMilliseconds: Int64(seed / 10) * 190)
        group.arrive(rivals[1])
        group.run(forMilliseconds: 15_000)
        let finished = group.phones.filter { $0.machine.isFinished }.map { $0.id }
        #expect(finished.count == 1, "seed \(seed): \(finished.map(\.high)) withdrew")
        for phone in group.phones where !phone.machine.isFinished {
            #expect(phone.machine.others.count == 5, "seed \(seed): \(phone.id.high)")
        }
        guard age >= 3_500 else { return }
        #expect(finished.allSatisfy { rivals.map(Self.id).contains($0) }, "seed \(seed)")
    }

    @Test("Seats are given by when somebody came, and in the same second to the smaller id")
    func rank() {
        var phone = Phone()
        _ = phone.hear(hello: 1, Tenure(arrival: 0, groupAge: 5))
        for number in [2, 3, 5] { _ = phone.hear(hello: number, Tenure(arrival: 0, groupAge: 5)) }
        let last = phone.hear(hello: 9, Tenure(arrival: 5, groupAge: 5))
        #expect(Phone.tenure(in: last) == Tenure(arrival: 5, groupAge: 5))
        let earlier = phone.hear(hello: 7, Tenure(arrival: 3, groupAge: 5))
        #expect(earlier.contains(.turnedAway(Self.id(9))))
        #expect(earlier.contains(.left(Self.id(9), .unseated)), "it said no goodbye")
        #expect(phone.list.others.map(\.id) == [1, 2, 3, 5, 7].map(Self.id))
        let later = phone.hear(hello: 6, Tenure(arrival: 5, groupAge: 5))
        #expect(later.contains(.turnedAway(Self.id(6))), "it came after this phone")
        let smaller = phone.hear(hello: 0, Tenure(arrival: 5, groupAge: 5))
        #expect(smaller.contains(.turnedAway(Self.id(0))), "nobody who is in came after it")
    }

    @Test("Who was met before the older group came after all that are in it, as this phone did")
    func metBefore() {
        for ages in [[70], [70, 140]] as [[UInt16]] {
            var phone = Phone()
            _ = phone.hear(hello: 9, Tenure())
            // Each is in a group that is older still: who is known by then came to it that much later.
            for (number, age) in zip([5, 2], ages) {
                _ = phone.hear(hello: number, Tenure(arrival: 0, groupAge: age))
            }
            let age = ages.last ?? 0
            for number in [3, 6, 7, 2].prefix(5 - phone.list.others.count) {
                _ = phone.hear(hello: number, Tenure(arrival: 1, groupAge: age))
            }
            #expect(phone.list.others.count == 5)
            let asking = phone.hear(hello: 8, Tenure(arrival: age - 1, groupAge: age))
            #expect(asking.contains(.turnedAway(Self.id(9))), "\(ages)")
            #expect(phone.list.others.contains { $0.id == Self.id(8) })
        }
    }

    @Test("Two who met each other first came as late as the group that they meet next tells them")
    func olderGroup() {
        var phone = Phone()
        let first = phone.hear(hello: 9, Tenure())
        #expect(Phone.tenure(in: first) == Tenure(arrival: 0, groupAge: 0))
        let second = phone.hear(hello: 1, Tenure(arrival: 0, groupAge: 2))
        #expect(Phone.tenure(in: second) == Tenure(arrival: 2, groupAge: 2))
        let alike = phone.hear(hello: 5, Tenure(arrival: 0, groupAge: 4))
        #expect(Phone.tenure(in: alike)?.arrival == 2, "ages are whole seconds, and come late")
        let third = phone.hear(hello: 2, Tenure(arrival: 0, groupAge: 70))
        #expect(Phone.tenure(in: third) == Tenure(arrival: 70, groupAge: 70))
        let oldest = phone.hear(hello: 3, Tenure(arrival: 3, groupAge: .max))
        #expect(Phone.tenure(in: oldest)?.arrival == UInt16.max - 1)
    }
}
