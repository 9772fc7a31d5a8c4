import GroupSecurity
import GroupStore
import SansIO
import SansIOTesting
import Testing

@Suite("Groups are kept with their secrets or not at all (S-GRP-002, S-GRP-003)")
struct GroupLibraryTests {
    private static let group = GroupID(high: 5, low: 6)
    private static let time = WallTime(nanosecondsSince1970: 9_000_000_000)
    private static let bytes = [UInt8](repeating: 7, count: 32)
    private static let record = GroupRecord(
        id: group,
        name: DisplayName("Hikers"),
        created: time,
        lastUsed: time
    )

    private static func credential() throws -> GroupCredential {
        GroupCredential(id: group, secret: try #require(GroupSecret(bytes)))
    }

    private static func operation(_ number: UInt32) -> OperationID { OperationID(number: number) }

    @Test("The library keeps the laws of its contract", arguments: 0..<20 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        let credential = try Self.credential()
        try checkLaws(
            seed: seed,
            steps: 300,
            make: { GroupLibrary() },
            foreign: [
                .groupsLoaded(OperationID(number: .max), [Self.record]),
                .secretWritten(OperationID(number: .max), isKept: true),
                .secretWritten(OperationID(number: .max), isKept: false),
                .secretRead(OperationID(number: .max), .found([UInt8](repeating: 1, count: 32))),
                .secretRead(OperationID(number: .max), .missing),
            ]
        ) { random, _ in
            let operation = Self.operation(UInt32(1 + random.below(40)))
            let group = GroupID(high: UInt64(random.below(3)), low: 6)
            let member = MemberRecord(id: MemberID(high: 1, low: 1), lastSeen: Self.time)
            switch random.below(11) {
            case 0: return .listOpened
            case 1: return .joined(credential, name: nil, at: Self.time)
            case 2: return .chosen(group, at: Self.time)
            case 3: return .forgotten(group)
            case 4: return .memberSeen(member, in: group)
            case 5: return .groupsLoaded(operation, [Self.record])
            case 6: return .secretWritten(operation, isKept: random.chance(percent: 60))
            case 7: return .invited(InviteRecord(made: Self.time), to: group)
            case 8: return .guestCame(group)
            case 9: return .cameToFront(at: Self.time)
            default:
                let bytes = [UInt8](repeating: 1, count: random.chance(percent: 80) ? 32 : 9)
                let answers: [GroupLibrary.SecretAnswer] = [.found(bytes), .missing, .unavailable]
                return .secretRead(operation, answers[random.below(answers.count)])
            }
        }
    }

    @Test(
        "Once every group is forgotten the next is kept and opened like the first (L12)",
        arguments: 0..<40 as Range<UInt64>
    )
    func secondRound(seed: UInt64) throws {
        let credential = try Self.credential()
        let groups = [credential.id] + (0..<2 as Range<UInt64>).map { GroupID(high: $0, low: 6) }
        let compared = try checkSecondRound(
            seed: seed,
            steps: 100,
            make: { GroupLibrary() },
            rule: SecondRoundRule(
                rest: groups.map(GroupLibrary.Event.forgotten) + [.cameToFront(at: Self.time)],
                // Numbers, and the operation whose answer may lock a group: none is waited for.
                kept: ["counter", "latest"],
                answer: { order in
                    guard case .loadGroups(let operation) = order else { return nil }
                    return .groupsLoaded(operation, [])
                }
            )
        ) { _ in
            var open: [GroupLibrary.Event] = []
            return { random, _, orders in
                for order in orders { open += Self.answers(to: order, &random) }
                if !open.isEmpty, random.chance(percent: 60) {
                    return open.remove(at: random.below(open.count))
                }
                let group = groups[random.below(groups.count)]
                let member = MemberRecord(id: MemberID(high: 1, low: 1), lastSeen: Self.time)
                switch random.below(8) {
                case 0: return .listOpened
                case 1: return .joined(credential, name: nil, at: Self.time)
                case 2, 3: return .chosen(group, at: Self.time)
                case 4: return .forgotten(group)
                case 5: return .cameToFront(at: Self.time)
                default: return .memberSeen(member, in: group)
                }
            }
        }
        #expect(compared > 20)
    }

    /// What storage may say to an order.
    private static func answers(
        to order: GroupLibrary.Effect,
        _ random: inout LawRandom
    ) -> [GroupLibrary.Event] {
        switch order {
        case .loadGroups(let operation): return [.groupsLoaded(operation, [record])]
        case .writeSecret(let operation, _, _):
            return [.secretWritten(operation, isKept: random.chance(percent: 60))]
        case .readSecret(let operation, _):
            let answers: [GroupLibrary.SecretAnswer] = [.found(bytes), .missing, .unavailable]
            return [.secretRead(operation, answers[random.below(answers.count)])]
        default: return []
        }
    }

    @Test("A group is shown and opened once its secret is kept")
    func joined() throws {
        let credential = try Self.credential()
        var story = Transcript(GroupLibrary())
        try story.expect(.joined(credential, name: DisplayName("Hikers"), at: Self.time), at: .zero)
        {
            GroupLibrary.Effect.writeSecret(Self.operation(1), of: Self.group, Self.bytes)
        }
        try story.expect(.secretWritten(Self.operation(9), isKept: true), at: .zero)
        try story.expect(.secretWritten(Self.operation(1), isKept: true), at: .zero) {
            GroupLibrary.Effect.saveGroup(Self.record)
            GroupLibrary.Effect.opened(credential)
        }
        try story.expect(.secretWritten(Self.operation(1), isKept: true), at: .zero)
    }

    @Test("Who is seen in a group that is being kept is kept after it")
    func seenEarly() throws {
        let credential = try Self.credential()
        let inviter = MemberRecord(id: MemberID(high: 1, low: 1), lastSeen: Self.time)
        let later = MemberRecord(id: MemberID(high: 2, low: 1), lastSeen: Self.time)
        var story = Transcript(GroupLibrary())
        try story.expect(.joined(credential, name: DisplayName("Hikers"), at: Self.time), at: .zero)
        {
            GroupLibrary.Effect.writeSecret(Self.operation(1), of: Self.group, Self.bytes)
        }
        try story.expect(.memberSeen(inviter, in: Self.group), at: .zero)
        try story.expect(.secretWritten(Self.operation(1), isKept: true), at: .zero) {
            GroupLibrary.Effect.saveGroup(Self.record)
            GroupLibrary.Effect.saveMember(inviter, in: Self.group)
            GroupLibrary.Effect.opened(credential)
        }
        try story.expect(.memberSeen(later, in: Self.group), at: .zero) {
            GroupLibrary.Effect.saveMember(later, in: Self.group)
        }
    }

    @Test("An invite is kept until a guest comes by it (A-F-017)")
    func invited() throws {
        let invite = InviteRecord(made: Self.time)
        var story = Transcript(GroupLibrary())
        try story.expect(.invited(invite, to: Self.group), at: .zero) {
            GroupLibrary.Effect.saveInvite(invite, to: Self.group)
        }
        try story.expect(.guestCame(Self.group), at: .zero) {
            GroupLibrary.Effect.deleteInvite(to: Self.group)
        }
    }

    @Test("A group whose secret is not kept is not shown, and the user reads why")
    func notKept() throws {
        var story = Transcript(GroupLibrary())
        try story.expect(.joined(try Self.credential(), name: nil, at: Self.time), at: .zero) {
            GroupLibrary.Effect.writeSecret(Self.operation(1), of: Self.group, Self.bytes)
        }
        try story.expect(.secretWritten(Self.operation(1), isKept: false), at: .zero) {
            GroupLibrary.Effect.failed(Self.group, .secretNotKept)
        }
    }

    @Test("Recent groups at launch; choosing one opens it (S-GRP-003, A-F-016)")
    func chosen() throws {
        let credential = try Self.credential()
        var story = Transcript(GroupLibrary())
        try story.expect(.listOpened, at: .zero) {
            GroupLibrary.Effect.loadGroups(Self.operation(1))
        }
        try story.expect(.groupsLoaded(Self.operation(1), [Self.record]), at: .zero) {
            GroupLibrary.Effect.showGroups([Self.record])
        }
        try story.expect(.chosen(Self.group, at: Self.time), at: .zero) {
            GroupLibrary.Effect.readSecret(Self.operation(2), of: Self.group)
        }
        try story.expect(.secretRead(Self.operation(2), .found(Self.bytes)), at: .zero) {
            GroupLibrary.Effect.useGroup(Self.group, at: Self.time)
            GroupLibrary.Effect.opened(credential)
        }
    }

    @Test("A secret that was locked away is read when the user comes back, once (S-GRP-002)")
    func secretLater() throws {
        var story = Transcript(GroupLibrary())
        try story.expect(.cameToFront(at: Self.time), at: .zero)
        try story.expect(.chosen(Self.group, at: Self.time), at: .zero) {
            GroupLibrary.Effect.readSecret(Self.operation(1), of: Self.group)
        }
        try story.expect(.secretRead(Self.operation(1), .unavailable), at: .zero) {
            GroupLibrary.Effect.failed(Self.group, .secretUnavailable)
        }
        var forgotten = story
        try story.expect(.cameToFront(at: Self.time), at: .seconds(1)) {
            GroupLibrary.Effect.readSecret(Self.operation(2), of: Self.group)
        }
        try story.expect(.cameToFront(at: Self.time), at: .seconds(2))
        try forgotten.expect(.forgotten(Self.group), at: .seconds(1)) {
            GroupLibrary.Effect.deleteGroup(Self.group)
            GroupLibrary.Effect.deleteSecret(of: Self.group)
        }
        try forgotten.expect(.cameToFront(at: Self.time), at: .seconds(2))
    }

    @Test("A locked group is not opened later for who wants another by then (S-GRP-003)")
    func lockedAndLeft() throws {
        let other = GroupCredential(
            id: GroupID(high: 8, low: 6),
            secret: try #require(GroupSecret(Self.bytes))
        )
        var story = Transcript(GroupLibrary())
        try story.expect(.chosen(Self.group, at: Self.time), at: .zero) {
            GroupLibrary.Effect.readSecret(Self.operation(1), of: Self.group)
        }
        var chosen = story
        try story.expect(.joined(other, name: nil, at: Self.time), at: .zero) {
            GroupLibrary.Effect.writeSecret(Self.operation(2), of: other.id, Self.bytes)
        }
        try chosen.expect(.chosen(other.id, at: Self.time), at: .zero) {
            GroupLibrary.Effect.readSecret(Self.operation(2), of: other.id)
        }
        for var late in [story, chosen] {
            try late.expect(.secretRead(Self.operation(1), .unavailable), at: .zero) {
                GroupLibrary.Effect.failed(Self.group, .secretUnavailable)
            }
            try late.expect(.cameToFront(at: Self.time), at: .seconds(1))
        }
    }

    @Test("A secret that is gone, broken or locked away is named as such")
    func secrets() throws {
        let answers: [(GroupLibrary.SecretAnswer, GroupLibrary.Failure)] = [
            (.missing, .secretMissing), (.found([1, 2, 3]), .secretMissing),
            (.unavailable, .secretUnavailable),
        ]
        for (answer, failure) in answers {
            var story = Transcript(GroupLibrary())
            try story.expect(.chosen(Self.group, at: Self.time), at: .zero) {
                GroupLibrary.Effect.readSecret(Self.operation(1), of: Self.group)
            }
            try story.expect(.secretRead(Self.operation(1), answer), at: .zero) {
                GroupLibrary.Effect.failed(Self.group, failure)
            }
        }
    }

    @Test("A group that is forgotten while it is opened stays forgotten")
    func forgotten() throws {
        var story = Transcript(GroupLibrary())
        try story.expect(.chosen(Self.group, at: Self.time), at: .zero) {
            GroupLibrary.Effect.readSecret(Self.operation(1), of: Self.group)
        }
        try story.expect(.forgotten(Self.group), at: .zero) {
            GroupLibrary.Effect.deleteGroup(Self.group)
            GroupLibrary.Effect.deleteSecret(of: Self.group)
        }
        try story.expect(.secretRead(Self.operation(1), .found(Self.bytes)), at: .zero)
    }
}
