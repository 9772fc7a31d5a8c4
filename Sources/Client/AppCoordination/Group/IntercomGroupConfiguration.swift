public import GroupSecurity
public import PeerTransport

/// Everything that can be tuned in an intercom of groups without recompiling it.
public struct IntercomGroupConfiguration: Sendable, Equatable {
    /// Detector, gate, keepalives, codec and playout.
    public var voice = IntercomConfiguration()
    /// When a pair changes from one path to the other.
    public var handover = HandoverConfiguration()
    /// How often paths are asked for an answer.
    public var probe = LinkProbeConfiguration()
    /// How patient the list of members is.
    public var membership = Membership.Configuration()
    /// How patient handshakes are.
    public var handshake = GroupHandshake.Configuration()
    /// Whether members who belong to the group and are not here are looked for over the Internet as
    /// well.
    ///
    /// Without it five who meet by radio never learn that the sixth waits far away.
    public var seeksMissingByInternet = true
    /// How long a guest who was invited counts as missing, if the invite does not end before.
    ///
    /// Whoever is shown a code comes at once; a message may be read an hour later. Longer costs a search
    /// for somebody who will not come.
    public var guestPatience = Duration.seconds(3_600)

    /// Makes the default configuration.
    public init() {}
}
