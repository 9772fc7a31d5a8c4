import GroupSecurity
import SansIO
import SansIOTesting

/// Members and groups that are the same in every run.
enum People {
    static let group = makeGroup(1)
    static let strangers = makeGroup(2)
    static let anna = identity("anna")
    static let ben = identity("ben")
    static let cleo = identity("cleo")

    static func identity(_ name: String) -> MemberIdentity {
        var entropy = Entropy(seed: 1, label: name)
        return MemberIdentity(entropy: &entropy)
    }

    static func makeGroup(_ number: UInt64) -> GroupCredential {
        var entropy = Entropy(seed: number, label: "group")
        return GroupCredential(
            id: GroupID(high: number, low: 7),
            secret: GroupSecret(entropy: &entropy)
        )
    }

    static func handshake(
        of identity: MemberIdentity,
        in group: GroupCredential = group,
        expecting expected: MemberID? = nil,
        seed: UInt64 = 1
    ) -> GroupHandshake {
        GroupHandshake(
            identity: identity,
            group: group,
            expecting: expected,
            entropy: Entropy(seed: seed, label: "\(identity.publicKey.memberID)")
        )
    }
}

extension GroupHandshake {
    /// Gives the machine one event and returns what it orders.
    mutating func call(_ event: Event, at milliseconds: Int64 = 0) -> [Effect] {
        handle(event, at: Instant(nanoseconds: milliseconds * 1_000_000))
    }

    /// Wakes the machine and returns what it orders.
    mutating func wake(at milliseconds: Int64) -> [Effect] {
        wake(at: Instant(nanoseconds: milliseconds * 1_000_000))
    }
}

extension [GroupHandshake.Effect] {
    /// The packets among the orders.
    var sent: [[UInt8]] {
        compactMap { if case .send(let packet) = $0 { packet } else { nil } }
    }

    /// The keys among the orders.
    var established: SessionKeys? {
        for case .established(let keys) in self { return keys }
        return nil
    }

    /// The refusals among the orders.
    var refused: [PacketRefusal] {
        compactMap { if case .refused(let refusal) = $0 { refusal } else { nil } }
    }
}

/// Two ends of one session, made by a whole handshake.
struct SessionEnds {
    var anna: SessionKeys
    var ben: SessionKeys

    init(in group: GroupCredential = People.group, seed: UInt64 = 1) {
        var anna = People.handshake(of: People.anna, in: group, seed: seed)
        var ben = People.handshake(of: People.ben, in: group, seed: seed)
        let answer = ben.call(.packetReceived(anna.call(.requested).sent[0])).sent[0]
        let proof = anna.call(.packetReceived(answer))
        let last = ben.call(.packetReceived(proof.sent[0]))
        guard let left = proof.established, let right = last.established else {
            preconditionFailure("two members of one group establish a session")
        }
        (self.anna, self.ben) = (left, right)
    }
}
