import GroupSecurity
import PeerTransport
import SansIO

/// The group that the app is in, and what is known of it.
struct GroupState<Judge: LinkJudge>: Sendable, Equatable {
    let credential: GroupCredential
    /// Who has been in the group before, this phone's member left out.
    let known: [MemberID]
    var membership: Membership
    var links: [GroupLink] = []
    /// Those who are in, ascending by id.
    var peers: [GroupPeer<Judge>] = []
    /// When the Internet is looked at for those who are missing.
    var searchDue: Instant?
    /// Whether it is being looked at for them.
    var isSearching = false
    var isInternetConnected = false

    func index(of member: MemberID) -> Int? { peers.firstIndex { $0.id == member } }

    func index(of link: LinkID) -> Int? { links.firstIndex { $0.id == link } }

    /// The connection by which a member is reached by a path, once it is proven.
    func link(to member: MemberID, by path: TransportPath) -> LinkID? {
        links.first { $0.member == member && $0.path == path }?.id
    }

    /// Whether somebody belongs here and is not in, or nobody is.
    var isSomebodyMissing: Bool {
        peers.isEmpty || known.contains { index(of: $0) == nil }
    }

    /// Whether the search or a pair wants the Internet; a pair that has no path yet may.
    var wantsInternet: Bool {
        isSearching
            || peers.contains { $0.handover.wantsInternet || $0.handover.phase == .disconnected }
    }
}

/// One connection.
struct GroupLink: Sendable, Equatable {
    let id: LinkID
    let path: TransportPath
    var session: SecureSession
    /// Who is at the other end, once proven.
    var member: MemberID?
    /// When membership last learned that the member is alive.
    var toldNanoseconds = Int64.min
}

/// A member who is in.
struct GroupPeer<Judge: LinkJudge>: Sendable, Equatable {
    let id: MemberID
    let streamID: UInt32
    var handover: Handover
    /// By path.
    var probes: [LinkProbe<Judge>]
    /// Put the capture indices of each path on a line without end.
    var captureIndices = TransportPath.allCases.map { _ in SerialUnwrapper() }
    /// Until when the member counts as talking if nothing more comes.
    var talkingUntil: Instant?

    init(_ member: Member, configuration: IntercomGroupConfiguration, judge: Judge) {
        id = member.id
        streamID = member.streamID
        handover = Handover(configuration: configuration.handover)
        probes = TransportPath.allCases.map { path in
            LinkProbe(path: path, configuration: configuration.probe, judge: judge)
        }
    }
}
