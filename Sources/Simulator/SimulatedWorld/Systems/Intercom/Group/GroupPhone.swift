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

/// Who a phone's user is in the group.
struct GroupMembership {
    let identity: MemberIdentity
    let credential: GroupCredential
    /// The others who belong to the group, ascending.
    let known: [MemberID]
    /// The number by which the trace names the group.
    let groupNumber: Int64

    init(of phone: String, in group: String, among phones: [String], seed: UInt64) {
        identity = Self.identity(of: phone, seed: seed)
        known = phones.filter { $0 != phone }.map {
            Self.identity(of: $0, seed: seed).publicKey.memberID
        }
        .sorted()
        let id = GroupID(named: group)
        groupNumber = id.traceNumber
        var entropy = Entropy(seed: seed, label: "group \(group)")
        credential = GroupCredential(id: id, secret: GroupSecret(entropy: &entropy))
    }

    /// The identity that a phone has kept since its first start.
    static func identity(of phone: String, seed: UInt64) -> MemberIdentity {
        var entropy = Entropy(seed: seed, label: "identity of \(phone)")
        return MemberIdentity(entropy: &entropy)
    }
}
