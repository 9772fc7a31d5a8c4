public import GroupSecurity
public import SansIO

/// Keeps groups across launches: what is shown in the database, what is secret in secure storage
/// (S-GRP-002, S-GRP-003).
///
/// A group counts only when its secret is kept: one that is shown and can't be opened is useless. So
/// the secret is written first and the row after it, and deleted in the other order; a crash between
/// the two leaves a secret that nothing shows, and never a group without one.
public struct GroupLibrary: StateMachine {
    /// A fact for the library.
    public enum Event: Sendable, Equatable {
        /// The user sees the list of groups: at launch, and when coming back to it.
        case listOpened
        /// The user made a group, or followed an invite.
        case joined(GroupCredential, name: DisplayName?, at: WallTime)
        /// The user chose a group.
        case chosen(GroupID, at: WallTime)
        /// The user wants a group forgotten.
        case forgotten(GroupID)
        /// The user came back to the app, and the keychain may be readable by now.
        case cameToFront(at: WallTime)
        /// A member is in a group that is kept, or is being kept.
        case memberSeen(MemberRecord, in: GroupID)
        /// The user made an invite to a group.
        case invited(InviteRecord, to: GroupID)
        /// A guest of this user's invite came.
        case guestCame(GroupID)
        /// The database answered.
        case groupsLoaded(OperationID, [GroupRecord])
        /// Secure storage answered a read.
        case secretRead(OperationID, SecretAnswer)
        /// Secure storage answered a write.
        case secretWritten(OperationID, isKept: Bool)
    }

    /// What secure storage says to a read.
    public enum SecretAnswer: Sendable, Equatable {
        /// The bytes that were written.
        case found([UInt8])
        /// There is nothing under this name.
        case missing
        /// Not now: the phone was not unlocked since it started.
        case unavailable
    }

    /// An order from the library.
    ///
    /// Secrets are named by their group.
    public enum Effect: Sendable, Equatable {
        /// Loads the groups to offer.
        case loadGroups(OperationID)
        /// Reads a group's secret from secure storage.
        case readSecret(OperationID, of: GroupID)
        /// Writes a group's secret to secure storage.
        case writeSecret(OperationID, of: GroupID, [UInt8])
        /// Deletes a group's secret from secure storage.
        case deleteSecret(of: GroupID)
        /// Keeps a group in the database.
        case saveGroup(GroupRecord)
        /// Notes in the database that a group is talked in.
        case useGroup(GroupID, at: WallTime)
        /// Forgets a group in the database.
        case deleteGroup(GroupID)
        /// Keeps a member in the database.
        case saveMember(MemberRecord, in: GroupID)
        /// Keeps in the database that a guest is waited for.
        case saveInvite(InviteRecord, to: GroupID)
        /// Forgets one of the invites to a group in the database.
        case deleteInvite(to: GroupID)
        /// The groups to offer, the latest first.
        case showGroups([GroupRecord])
        /// A group can be connected to.
        case opened(GroupCredential)
        /// A group cannot be connected to, or was not kept.
        case failed(GroupID, Failure)
    }

    /// Why a group cannot be used, for people to read.
    public enum Failure: Sendable, Equatable, CustomStringConvertible {
        /// Secure storage did not keep the secret.
        case secretNotKept
        /// Secure storage has no secret of the group, or a broken one.
        case secretMissing
        /// Secure storage cannot be read yet.
        case secretUnavailable

        /// What is wrong and what helps, in one sentence.
        public var description: String {
            switch self {
            case .secretNotKept: "the group could not be kept; try again"
            case .secretMissing: "this phone no longer has the group's secret; ask for a new invite"
            case .secretUnavailable: "unlock the phone once, then come back"
            }
        }
    }

    /// What an answer is waited for.
    private enum Pending: Sendable, Equatable {
        case loading
        case keeping(GroupCredential, GroupRecord, members: [MemberRecord])
        case opening(GroupID, at: WallTime)

        func concerns(_ group: GroupID) -> Bool {
            switch self {
            case .loading: false
            case .keeping(let credential, _, _): credential.id == group
            case .opening(let other, _): other == group
            }
        }
    }

    private struct Operation: Sendable, Equatable {
        let id: OperationID
        var pending: Pending
    }

    /// A group that is kept, opened, and everybody seen in it meanwhile.
    public static var effectsPerCallMax: Int { 2 + membersMax }
    /// So many answers are waited for at most; the oldest is given up for a new one.
    private static let operationsMax = 16
    /// So many members wait for their group to be kept: more are in none (S-GRP-001).
    private static let membersMax = 6

    private var operations: [Operation] = []
    private var counter: OperationCounter
    /// The operation that opens the group that the user wants to be in.
    private var latest: OperationID?
    /// That group, if its secret could not be read yet.
    private var locked: GroupID?

    /// Makes a library that has not looked yet.
    ///
    /// - Parameter operations: The numbers its operations get.
    public init(operations: OperationCounter = OperationCounter()) {
        counter = operations
    }

    /// A library can always be asked.
    public var isFinished: Bool { false }
    /// Storage answers or does not; nothing is waited for by time.
    public var deadline: Deadline? { nil }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .listOpened: turn.order(.loadGroups(begin(.loading)))
        case .joined(let credential, let name, let time):
            // It is talked in at once.
            let record = GroupRecord(
                id: credential.id,
                name: name,
                created: time,
                lastUsed: time
            )
            let operation = begin(.keeping(credential, record, members: []))
            (latest, locked) = (operation, nil)
            let secret = credential.secret.bytes
            turn.order(.writeSecret(operation, of: credential.id, secret))
        case .chosen(let group, let time):
            choose(group, at: time, in: &turn)
        case .cameToFront(let time):
            if let locked { choose(locked, at: time, in: &turn) }
        case .forgotten(let group):
            if locked == group { locked = nil }
            operations.removeAll { $0.pending.concerns(group) }
            turn.order(.deleteGroup(group))
            turn.order(.deleteSecret(of: group))
        case .memberSeen(let member, let group): see(member, in: group, in: &turn)
        case .invited(let invite, let group): turn.order(.saveInvite(invite, to: group))
        case .guestCame(let group): turn.order(.deleteInvite(to: group))
        case .groupsLoaded(let id, let groups):
            guard case .loading = end(id) else { return }
            turn.order(.showGroups(groups))
        case .secretWritten(let id, let isKept): kept(id, isKept, in: &turn)
        case .secretRead(let id, let answer): open(id, answer, in: &turn)
        }
    }

    /// Does nothing: there is no deadline.
    public mutating func wake(in turn: inout Turn<Effect>) {}

    private mutating func begin(_ pending: Pending) -> OperationID {
        if operations.count == Self.operationsMax { operations.removeFirst() }
        let operation = Operation(id: counter.next(), pending: pending)
        operations.append(operation)
        return operation.id
    }

    private mutating func end(_ id: OperationID) -> Pending? {
        guard let index = operations.firstIndex(where: { $0.id == id }) else { return nil }
        return operations.remove(at: index).pending
    }

    private mutating func choose(_ group: GroupID, at time: WallTime, in turn: inout Turn<Effect>) {
        let operation = begin(.opening(group, at: time))
        (latest, locked) = (operation, nil)
        turn.order(.readSecret(operation, of: group))
    }

    /// Keeps somebody, but not before the group: the database takes no members of one that it lacks.
    private mutating func see(
        _ member: MemberRecord,
        in group: GroupID,
        in turn: inout Turn<Effect>
    ) {
        for index in operations.indices {
            guard
                case .keeping(let credential, let record, var members) = operations[index].pending,
                credential.id == group
            else { continue }
            guard members.count < Self.membersMax else { return }
            members.append(member)
            operations[index].pending = .keeping(credential, record, members: members)
            return
        }
        turn.order(.saveMember(member, in: group))
    }

    private mutating func kept(_ id: OperationID, _ isKept: Bool, in turn: inout Turn<Effect>) {
        guard case .keeping(let credential, let record, let members) = end(id) else { return }
        guard isKept else {
            turn.order(.failed(record.id, .secretNotKept))
            return
        }
        turn.order(.saveGroup(record))
        for member in members { turn.order(.saveMember(member, in: record.id)) }
        turn.order(.opened(credential))
    }

    private mutating func open(
        _ id: OperationID,
        _ answer: SecretAnswer,
        in turn: inout Turn<Effect>
    ) {
        guard case .opening(let group, let time) = end(id) else { return }
        switch answer {
        case .found(let bytes):
            guard let secret = GroupSecret(bytes) else {
                turn.order(.failed(group, .secretMissing))
                return
            }
            turn.order(.useGroup(group, at: time))
            turn.order(.opened(GroupCredential(id: group, secret: secret)))
        case .missing: turn.order(.failed(group, .secretMissing))
        case .unavailable:
            // Who wants another one by now is not to be carried off by coming back.
            if id == latest { locked = group }
            turn.order(.failed(group, .secretUnavailable))
        }
    }
}
