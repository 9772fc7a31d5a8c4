import AppCoordination
import GroupSecurity
import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import KodamaWorld
import PeerTransport
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

/// Secrets that phones have kept since before the story begins.
enum GroupMembership {
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
