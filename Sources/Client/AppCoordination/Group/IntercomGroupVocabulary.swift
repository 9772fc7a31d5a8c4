public import GroupSecurity
public import PeerTransport
public import SansIO
public import VoiceActivity

/// One connection to one phone by one path; the transport numbers them and uses no number twice.
public struct LinkID: Sendable, Hashable, Comparable {
    /// The connection's number.
    public var number: UInt32

    /// Names connection `number`.
    public init(number: UInt32) {
        self.number = number
    }

    /// Orders connections by their numbers.
    public static func < (left: LinkID, right: LinkID) -> Bool { left.number < right.number }
}

/// The connections that a frame is sealed for and sent by, as bits, so that a frame costs no memory.
///
/// Good until the coordinator's next call; `links(in:)` says which they are.
public struct Fanout: OptionSet, Sendable, Hashable, BitwiseCopyable {
    /// A bit for each connection.
    public var rawValue: UInt64

    /// Makes a fan-out from its bits.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// An invite as it came to the phone.
public enum InviteDelivery: Sendable, Equatable {
    /// A file from AirDrop (S-INV-003).
    case json([UInt8])
    /// A link from a QR code or a message (S-INV-003).
    case url(String)
}

/// What became of an invite.
public enum InviteAnswer: Sendable, Equatable {
    /// The phone follows it into the group: to be kept, with the inviter.
    case joined(GroupCredential, name: String?, inviter: MemberID)
    /// It leads to the group that the phone is in; following it again changes nothing.
    case alreadyIn
    /// It is not followed; the user reads why.
    case refused(InviteRefusal)
}

/// A former or present member of a group, as the app has kept it.
public struct KnownMember: Sendable, Equatable {
    /// The member's id.
    public var id: MemberID
    /// What the member was called, if it ever said so.
    public var name: DisplayName?

    /// Describes a former or present member.
    public init(id: MemberID, name: DisplayName? = nil) {
        self.id = id
        self.name = name
    }
}

/// A fact for an intercom of groups.
///
/// What is long and rare is kept apart, here and among the effects: a frame is passed on as a few words.
public enum IntercomGroupEvent: Sendable {
    /// The user chose a group; `known` are those who have been in it, this phone's member left out, and
    /// who was seen last comes first.
    indirect case groupChosen(GroupCredential, known: [KnownMember])
    /// An invite came, and the phone's clock shows this time.
    case inviteReceived(InviteDelivery, at: WallTime)
    /// The user made an invite to the group, valid for this long; `nil` if it has no end.
    ///
    /// An unused one is told again when the group is chosen anew, with the time that is left.
    case inviteMade(validFor: Duration?)
    /// The user left the group.
    case groupLeft
    /// The user turned the microphone off or on: the others hear nothing and read why.
    ///
    /// It stays so from group to group. A new process begins with the microphone on, and says so.
    case muteChanged(Bool)
    /// The microphone delivered a frame and the detector judged it.
    case frameCaptured(CapturedFrame)
    /// A transport connected to a phone that shows the group's hash; its identity is still to be proven.
    case linkUp(LinkID, TransportPath)
    /// A transport lost a connection.
    case linkDown(LinkID)
    /// The Internet transport could not be brought up.
    case internetFailed
    /// The system says whether there is a way to the Internet, at each change of it.
    case internetReachable(Bool)
    /// A packet came that `SecureSession.isSealed` says is none.
    case handshakeReceived([UInt8], LinkID)
    /// A packet was refused: by `open`, or as malformed after it was opened.
    case packetRefused(PacketRefusal, LinkID)
    /// A voice frame came and was opened; its payload waits under the handle.
    case voiceReceived(FrameHeader, FrameHandle, LinkID)
    /// A keepalive or an end mark came and was opened.
    case messageReceived(PeerMessage, LinkID)
    /// A control message came and was opened.
    case controlReceived(ControlMessage, LinkID)
    /// The speaker asks for sound that begins now.
    case renderRequested(samples: Int)
    /// The system has news of microphone and speaker.
    case sound(SoundKeeper.Event)
    /// The phone's clock shows this: told with the start, and whenever it was set.
    case clockShows(WallTime)
}

/// An order from an intercom of groups, or news for the app.
///
/// What is sent to a link goes unreliably (A-F-007): what must arrive is sent again from here.
/// Handshakes aside, it is sealed with `seal` first.
public enum IntercomGroupEffect: Sendable, Equatable {
    /// Look for this group's members by the Internet, and connect to them; asked again, start anew with the
    /// missing members (D-10: a new match).
    ///
    /// What is shown there is the hash: the match service has to find who shows the same.
    case seekByInternet(GroupHash)
    /// Look nearby for this group's members, and show this sign of a period; asked again with that of a later
    /// period, show that and go on.
    ///
    /// Invited is who shows one of the group's that is of this period or later (`SignAge`), with the answer to it
    /// as the invitation's context, and accepted is what answers to the sign that is shown just now.
    ///
    /// The framework's own name of the phone has to change with the sign, or the group can be followed by it.
    case seekNearby(GroupHash, SignPeriod, showing: [UInt8])
    /// The group is left: stop showing its hash by this path and accept no member; open connections
    /// carry the goodbyes until they are closed.
    case stopSeeking(TransportPath)
    /// Leave this path; its connections end with it, and nothing is told of them.
    case disconnect(TransportPath)
    /// Send these bytes as they are.
    case sendHandshake([UInt8], LinkID)
    /// Encode the captured frame once, and seal and send it for every link of the fan-out.
    case sendVoice(FrameHeader, FrameHandle, Fanout)
    /// Seal and send this.
    case sendMessage(PeerMessage, LinkID)
    /// Seal and send this.
    case sendControl(ControlMessage, LinkID)
    /// Close the connection: it is of no more use.
    case closeLink(LinkID)
    /// Close the connection, for what was refused last, and too often (S-SEC-004); if that bars the peer,
    /// take none from there again for a while.
    case cutLink(LinkID, PacketRefusal)
    /// Forget a captured frame that is not sent.
    case discardCaptured(FrameHandle)
    /// Forget a received frame that is not new; without a verdict it is not from a member.
    case reject(FrameHandle, ReplayWindow.Verdict?)
    /// What the speaker plays of one member's voice, by its stream.
    case playout(PeerID, JitterBuffer.Effect)
    /// An order for the system's microphone and speaker.
    case sound(SoundKeeper.Effect)
    /// Somebody is in, or in again after a new start: to be kept among the group's members.
    indirect case memberJoined(Member)
    /// A guest came by an invite of this phone's user, which waits for one guest less.
    case guestCame(MemberID)
    /// A pair stands in another phase between radio and Internet, and why.
    case phaseChanged(MemberID, Handover.Phase, Handover.Cause)
    /// A path has another verdict (S-ARCH-001: link metrics).
    indirect case judged(MemberID, TransportPath, LinkVerdict, LinkMetrics)
    /// An invite was followed or not.
    indirect case inviteAnswered(InviteAnswer)
    /// This phone is not let in, and has left the group; the user reads why.
    case refused(MembershipRefusal)
    /// The cards show something else.
    case cardsChanged(IntercomCards)
}
