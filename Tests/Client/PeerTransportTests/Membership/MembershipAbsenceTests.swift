import PeerTransport
import SansIO
import SansIOTesting
import Testing

@Suite("Those who are not in: silent, or known from what others say")
struct MembershipAbsenceTests {
    private static func id(_ number: Int) -> MemberID { Neighbourhood.id(number) }

    /// The list of phone 4, and what it orders.
    private struct Phone {
        var list = Membership(own: Member(id: id(4), streamID: 40))
        var effects: [Membership.Effect] = []

        mutating func hear(_ event: Membership.Event, atSecond second: Int64) {
            let now = Instant(nanoseconds: second * 1_000_000_000)
            effects = list.handle(event, at: now)
        }

        mutating func hear(hello members: [Int], from number: Int, atSecond second: Int64) {
            let hello = Hello(
                member: id(number),
                streamID: UInt32(number * 10),
                revision: SerialNumber(1),
                members: members.map(id)
            )
            hear(.messageReceived(.hello(hello), from: id(number)), atSecond: second)
        }

        /// Does what is due until then.
        mutating func run(toSecond second: Int64) {
            effects = []
            while let due = list.deadline?.instant, due.nanoseconds <= second * 1_000_000_000 {
                effects += list.wake(at: due)
            }
        }

        var helloCount: Int {
            effects.count { if case .send(.hello, _) = $0 { true } else { false } }
        }
    }

    @Test("Two who heard nothing of each other for half a minute meet again within seconds (D-09)")
    func silentOnBothSides() {
        let group = Neighbourhood(seed: 21)
        var isApart = false
        group.isCut = { _, _ in isApart }
        for number in 1...2 { group.arrive(number) }
        group.run(forMilliseconds: 2_000)
        isApart = true
        group.run(forMilliseconds: 23_000)
        #expect(group.phones.allSatisfy { $0.machine.others.isEmpty }, "both seats are free")
        let sent = group.messagesSent
        group.run(forMilliseconds: 60_000)
        #expect(group.messagesSent - sent <= 2 * 13, "a silent one is greeted every 5 s")
        isApart = false
        // No transport noticed anything, so nobody tells of a new session.
        group.run(forMilliseconds: 5_300)
        #expect(group.phones.allSatisfy { $0.machine.others.count == 1 })
    }

    @Test("Who is heard again after a silence is greeted at once")
    func heardAgain() {
        var phone = Phone()
        phone.hear(.memberProven(Self.id(1)), atSecond: 0)
        phone.hear(hello: [1, 4], from: 1, atSecond: 0)
        phone.run(toSecond: 21)
        #expect(phone.effects.contains(.left(Self.id(1), .silent)))
        #expect(phone.list.others.isEmpty && phone.list.isSilent(Self.id(1)))
        phone.hear(.memberHeard(Self.id(1)), atSecond: 22)
        #expect(phone.helloCount == 1 && !phone.list.isSilent(Self.id(1)))
        phone.hear(hello: [1], from: 1, atSecond: 22)
        #expect(phone.list.others.map(\.id) == [Self.id(1)])
    }

    @Test("A silent one whose last path is lost is greeted no more")
    func lostWhileSilent() {
        var phone = Phone()
        phone.hear(.memberProven(Self.id(1)), atSecond: 0)
        phone.hear(hello: [1, 4], from: 1, atSecond: 0)
        phone.run(toSecond: 60)
        #expect(phone.helloCount >= 8)
        phone.hear(.memberLost(Self.id(1)), atSecond: 60)
        #expect(phone.list.deadline == nil)
    }

    @Test("Whom others count in and this phone has not met it knows of, until a goodbye")
    func unmet() {
        var phone = Phone()
        phone.hear(.memberProven(Self.id(1)), atSecond: 0)
        phone.hear(hello: [1, 4, 7], from: 1, atSecond: 0)
        #expect(phone.list.unmet == [Self.id(7)])
        phone.hear(.memberProven(Self.id(7)), atSecond: 1)
        #expect(phone.list.unmet == [Self.id(7)], "it has no seat yet")
        phone.hear(hello: [1, 4, 7], from: 7, atSecond: 1)
        #expect(phone.list.unmet.isEmpty)
        let goodbye = Goodbye(.left, streamID: 70, revision: SerialNumber(2))
        phone.hear(.messageReceived(.goodbye(goodbye), from: Self.id(7)), atSecond: 2)
        #expect(phone.list.unmet.isEmpty, "the first has not heard it yet")
    }

    @Test("In a full group nobody is missing")
    func unmetInFullGroup() {
        var phone = Phone()
        for number in [1, 2, 3, 5, 6] {
            phone.hear(.memberProven(Self.id(number)), atSecond: 0)
            phone.hear(hello: [4, 7], from: number, atSecond: 0)
        }
        #expect(phone.list.others.count == 5 && phone.list.unmet.isEmpty)
    }
}
