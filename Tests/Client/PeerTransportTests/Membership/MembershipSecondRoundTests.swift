import PeerTransport
import SansIO
import SansIOTesting
import Testing

@Suite("A member that comes and goes more than once")
struct MembershipSecondRoundTests {
    private static let peer = Neighbourhood.id(1)

    private static func hello(
        _ streamID: UInt32,
        _ revision: UInt32,
        isMuted: Bool = false
    ) -> Membership.Event {
        let hello = Hello(
            member: peer,
            streamID: streamID,
            revision: SerialNumber(revision),
            tenure: Tenure(),
            capacity: 6,
            isMuted: isMuted,
            members: [peer],
            name: DisplayName("Member 1")
        )
        return .messageReceived(.hello(hello), from: peer)
    }

    private static func goodbye(
        _ reason: Goodbye.Reason,
        _ streamID: UInt32,
        _ revision: UInt32
    ) -> Membership.Event {
        let goodbye = Goodbye(reason, streamID: streamID, revision: SerialNumber(revision))
        return .messageReceived(.goodbye(goodbye), from: peer)
    }

    /// The list of a phone after these events, a tenth of a second apart, and what it ordered last.
    private static func list(
        after events: Membership.Event...
    ) -> (list: Membership, effects: [Membership.Effect]) {
        var list = Membership(own: Member(id: Neighbourhood.id(4), streamID: 40))
        var effects: [Membership.Effect] = []
        for (number, event) in events.enumerated() {
            effects = list.handle(event, at: Instant.zero.advanced(by: .milliseconds(number * 100)))
        }
        return (list, effects)
    }

    @Test(
        "A member that starts again is believed from its first hello, heard before it or not (S-UI-001)"
    )
    func restartBeforeHello() {
        for isHeardFirst in [false, true] {
            let voice = Membership.Event.streamHeard(isHeardFirst ? 11 : 10, from: Self.peer)
            let list = Self.list(
                after: .memberProven(Self.peer),
                Self.hello(10, 9),
                voice,
                Self.hello(11, 1, isMuted: true)
            ).list
            #expect(list.others.map(\.streamID) == [11])
            #expect(list.others.map(\.isMuted) == [true], "heard first: \(isHeardFirst)")
        }
    }

    @Test("A member that starts a third time is believed from its first hello, too (S-UI-001)")
    func secondRestart() {
        let list = Self.list(
            after: .memberProven(Self.peer),
            Self.hello(10, 9),
            .streamHeard(11, from: Self.peer),
            Self.hello(11, 8),
            .streamHeard(12, from: Self.peer),
            Self.hello(12, 1, isMuted: true)
        ).list
        #expect(list.others.map(\.streamID) == [12])
        #expect(list.others.map(\.isMuted) == [true])
    }

    @Test("A hello that comes after the goodbye of its number brings nobody back (A-F-005)")
    func helloBehindGoodbye() {
        for (revision, isIn) in [(2, false), (3, false), (4, true)] as [(UInt32, Bool)] {
            let list = Self.list(
                after: .memberProven(Self.peer),
                Self.hello(10, 3),
                Self.goodbye(.left, 10, 3),
                Self.hello(10, revision)
            ).list
            #expect(list.others.isEmpty != isIn, "hello \(revision)")
        }
    }

    @Test("A goodbye that comes after a hello of its number or a later one: the first counts")
    func goodbyeBehindHello() {
        for (revision, isIn) in [(2, true), (3, false), (4, false)] as [(UInt32, Bool)] {
            let list = Self.list(
                after: .memberProven(Self.peer),
                Self.hello(10, 3),
                Self.goodbye(.left, 10, revision)
            ).list
            #expect(list.others.isEmpty != isIn, "goodbye \(revision)")
        }
    }

    @Test("A member with a new session is said goodbye to, though it once had no seat (A-F-005)")
    func fullNoLonger() {
        let full = Self.goodbye(.groupFull, 10, 3)
        let turned = Self.list(after: .memberProven(Self.peer), full, .leave)
        #expect(turned.effects.isEmpty && turned.list.isFinished, "nobody has to know")
        let seated = Self.list(
            after: .memberProven(Self.peer),
            full,
            .memberProven(Self.peer),
            .leave
        )
        let isTold = seated.effects.contains {
            if case .send(.goodbye, to: Self.peer) = $0 { true } else { false }
        }
        #expect(isTold)
    }
}
