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
    /// Whether absent members of the group are looked for over the Internet as
    /// well.
    ///
    /// Without it, five members that meet by radio never learn that the sixth waits far away.
    public var seeksMissingByInternet = true
    /// How long an invited guest counts as missing, if the invite does not end before.
    ///
    /// A guest who is shown a code comes at once; a message may be read an hour later. Longer costs a search
    /// for a guest who won't come.
    public var guestPatience = Duration.seconds(3_600)
    /// How long a member counts as missing after its goodbye.
    ///
    /// A user who left by mistake or for a rest is back by then; one who went home isn't. Longer costs the others a
    /// search as long as their group is open.
    public var departedPatience = Duration.seconds(3_600)
    /// The pause between two searches for such a member after that.
    ///
    /// A member that comes back from afar is heard at the next search, at the latest.
    public var departedPause = Duration.seconds(540)
    /// How long a search takes; not below what a match needs.
    ///
    /// A member that has come back and is alone searches all the time, so both meet in it. A match comes up within
    /// 15 s, and where several search at once the second may take as long again.
    public var departedSearch = Duration.seconds(60)

    /// Makes the default configuration.
    public init() {}
}
