import AppCoordination
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import PeerTransport

/// What can be tuned in the intercom of groups besides its voices: how paths are watched and changed.
struct GroupTuning: Tunable {
    /// Handover, probes, membership and handshakes; the voices' figures in it do not count.
    var configuration = IntercomGroupConfiguration()
    /// Who judges the paths.
    var judge = ThresholdJudge()
    /// Whether another judge than the app's own decides: one that wants the whole group on one kind of path.
    var wantsWholeGroup = false

    /// The default figures.
    init() {}

    /// The judge that the app is given (A-F-011).
    var anyJudge: AnyLinkJudge {
        wantsWholeGroup ? AnyLinkJudge(WholeGroupJudge(judge)) : AnyLinkJudge(judge)
    }
}

extension NearbyConfiguration: Tunable {}

extension MatchConfiguration: Tunable {}

extension WorldPlan {
    /// How the framework for phones nearby behaves.
    var nearby: NearbyConfiguration { shared[NearbyConfiguration.self] }

    /// How the match service behaves.
    var match: MatchConfiguration { shared[MatchConfiguration.self] }
}

/// How an invite gets from phone to phone (S-INV-003).
enum InviteChannel: String, Sendable, Hashable, CaseIterable {
    /// A file of JSON by AirDrop (A-F-020).
    case airdrop
    /// A URL in a QR code that the other phone's camera reads (A-F-021).
    case qr
    /// A URL in a message (A-F-022).
    case message
}

/// What can be done to an intercom app.
enum IntercomAct: SystemAct {
    /// The phone's radio for phones nearby is switched on or off.
    case peerRadio(isOn: Bool)
    /// The user leaves the group.
    case leaveGroup
    /// The user chooses a group again: the first of the list.
    case joinGroup
    /// The user, who is in no group, makes one.
    case makeGroup
    /// The user turns the microphone off.
    case mute
    /// The user turns it on again.
    case unmute
    /// The user makes an invite for somebody, valid for so long, or for ever.
    case makeInvite(for: String, by: InviteChannel, validFor: Duration?)
    /// The invite that somebody made for this phone comes, whole or with one bit changed on the way; the
    /// same one may come several times.
    case takeInvite(from: String, isAltered: Bool)
}
