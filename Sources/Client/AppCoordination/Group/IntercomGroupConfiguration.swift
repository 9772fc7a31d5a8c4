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
    /// How long a member who said goodbye counts as missing like any other.
    ///
    /// Who left by mistake or for a rest is back by then; who went home is not. Longer costs the others a
    /// search as long as their group is open.
    public var departedPatience = Duration.seconds(3_600)
    /// How long such a member is not looked for after that, between two looks.
    ///
    /// Who comes back from afar is heard by the next one at the latest.
    public var departedPause = Duration.seconds(540)
    /// How long a look takes; not below what a match needs.
    ///
    /// Who has come back and is alone looks all the time, so both meet in it. A match comes up within
    /// 15 s, and where several look at once the second may take as long again.
    public var departedSearch = Duration.seconds(60)

    /// Makes the default configuration.
    public init() {}
}
