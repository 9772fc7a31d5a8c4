import AppCoordination
import Evidence
import GroupSecurity
import PeerTransport
import Models
import SansIO

/// Another phone with the intercom of groups, in this phone's group or not.
struct GroupPhone {
    /// Who its user is.
    let member: MemberID
    /// Its number in the network.
    let host: UInt32
    /// Where its app gets datagrams from phones nearby.
    let socket: SocketAddress
    /// What records about it name.
    let subject: ComponentIndex
    /// The direction of the radio link to it, if there is one.
    let direction: Int?
}

/// A connection of an app, as its driver knows it.
struct GroupConnection {
    /// What the app calls it.
    let link: LinkID
    let path: TransportPath
    /// What the framework calls it.
    let number: UInt64
    /// To whom: the index among the others.
    let other: Int
}

/// Who a phone's user is, and the group that the phone keeps.
struct GroupMembership {
    let identity: MemberIdentity
    /// The group that the user is in, from launch to launch; `nil` until an invite leads to one.
    var group: KeptGroup?
    /// The hash that the phone shows instead of its group's, if it passes itself off as another's member.
    var shownHash: GroupHash?

    init(of phone: String, in group: String?, among phones: [String], seed: UInt64) {
        identity = Self.identity(of: phone, seed: seed)
        guard let group else { return }
        self.group = KeptGroup(
            credential: Self.credential(of: group, seed: seed),
            known: phones.filter { $0 != phone }.map {
                Self.identity(of: $0, seed: seed).publicKey.memberID
            }
            .sorted()
        )
    }

    /// What the members of a group share.
    static func credential(of group: String, seed: UInt64) -> GroupCredential {
        var entropy = Entropy(seed: seed, label: "group \(group)")
        let secret = GroupSecret(entropy: &entropy)
        return GroupCredential(id: GroupID(named: group), secret: secret)
    }

    /// The identity that a phone has kept since its first start.
    static func identity(of phone: String, seed: UInt64) -> MemberIdentity {
        var entropy = Entropy(seed: seed, label: "identity of \(phone)")
        return MemberIdentity(entropy: &entropy)
    }
}

/// A group as a phone keeps it.
struct KeptGroup {
    let credential: GroupCredential
    /// The others who belong to it, ascending.
    var known: [MemberID]

    /// The number by which the trace names the group.
    var number: Int64 { credential.id.traceNumber }

    /// Somebody is in who is to be known from now on.
    mutating func add(_ member: MemberID) {
        guard !known.contains(member) else { return }
        known.append(member)
        known.sort()
    }
}
