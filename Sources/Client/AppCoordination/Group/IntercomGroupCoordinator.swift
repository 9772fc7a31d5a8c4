public import GroupSecurity
public import PeerTransport
public import SansIO

/// An intercom of groups: the members present, their identities, the path to each, and their voices.
///
/// A machine made of machines, outermost first:
/// - a `SecureSession` for every connection. Each path proves itself and has keys of its own, so replay
///   windows stay apart and a new connection's member is proven, not guessed;
/// - one `Membership`, which lists the members present;
/// - a `Handover` and two `LinkProbe`s for every member, which choose the paths;
/// - the `IntercomCoordinator`, which knows voice and no paths: what it sends goes by the paths that each
///   member's handover names, and what comes by several paths it takes once (S-HO-004).
///
/// Bytes pass by `seal` and `open`, which the driver calls; only what was refused comes back as an event.
public struct IntercomGroupCoordinator: StateMachine {
    /// See `IntercomGroupEvent`.
    public typealias Event = IntercomGroupEvent
    /// See `IntercomGroupEffect`.
    public typealias Effect = IntercomGroupEffect

    /// Two connections to each of as many phones as `Membership` knows.
    public static var linksMax: Int { 2 * Membership.peersMax }

    /// A full playout thrown away for each member, and what all other machines may order.
    public static var effectsPerCallMax: Int {
        IntercomCoordinator.effectsPerCallMax + Membership.effectsPerCallMax
            + linksMax * (SecureSession.effectsPerCallMax + 2)
            + GroupSize.membersMax * (2 * Handover.effectsPerCallMax + 16)
    }

    /// An app that has left its group can choose another, so it never ends.
    public var isFinished: Bool { false }

    let configuration: IntercomGroupConfiguration
    let judge: AnyLinkJudge
    let identity: MemberIdentity
    let own: Member
    var entropy: Entropy
    /// Where the signs shown nearby get theirs from.
    var signEntropy: Entropy
    /// What is shown nearby, while a group is.
    var shownSign: ShownSign?
    var clock = WallClock()

    var voice: IntercomCoordinator
    /// The group, while in one.
    var group: GroupState?
    /// The group that was left last, as long as its members are being told.
    var departure: GroupDeparture?
    /// The connections of a departure that is over: its last goodbyes are sealed after the call.
    var sealedLast: [GroupLink] = []
    /// Who said goodbye in the groups that were left, the latest last.
    var formerDepartures: [FormerDepartures] = []
    /// The list of members that was used last; the next one counts on from its numbers.
    var formerMembership: Membership?
    var isTalking = false
    /// Whether there is a way to the Internet, as the system says.
    var isInternetReachable = true

    /// What the app last learned of the cards, and whether they may have changed since.
    public internal(set) var cards = IntercomCards()
    var areCardsStale = false
    /// How many packets were refused since the start, for which reasons (S-SEC-004), those of connections
    /// that are gone included.
    public internal(set) var refusals = RefusalCounts()
    var voiceMemory = EffectMemory<IntercomCoordinator.Effect>()

    /// Makes an app that is in no group.
    ///
    /// - Parameters:
    ///   - configuration: What can be tuned.
    ///   - identity: This phone's identity.
    ///   - streamID: The number of one's own voice stream, drawn anew for each start.
    ///   - name: What this phone's member is called.
    ///   - judge: Judges the paths.
    ///   - entropy: Where sessions get theirs from; MUST NOT be used for anything else.
    public init(
        configuration: IntercomGroupConfiguration = IntercomGroupConfiguration(),
        identity: MemberIdentity,
        streamID: UInt32,
        name: DisplayName? = nil,
        judge: some LinkJudge,
        entropy: Entropy
    ) {
        self.configuration = configuration
        self.judge = AnyLinkJudge(judge)
        self.identity = identity
        self.entropy = entropy
        signEntropy = entropy.separated(for: "signs")
        own = Member(id: identity.publicKey.memberID, streamID: streamID, name: name)
        voice = IntercomCoordinator(configuration: configuration.voice, streamID: streamID)
    }

    var isMuted: Bool { voice.microphone.isMuted }

    /// The earliest of the inner machines' deadlines.
    public var deadline: Deadline? {
        Deadline.earliest(
            Deadline.earliest(voice.deadline, group?.deadline),
            Deadline.earliest(departure?.deadline, shownSign.map { Deadline($0.end, "sign") })
        )
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        sealedLast = []
        switch event {
        case .groupChosen(let credential, let known):
            choose(credential, known: known, in: &turn)
        case .inviteReceived(let delivery, let time):
            follow(delivery, at: time, in: &turn)
        case .inviteMade(let validity): expectGuest(for: validity, at: turn.now)
        case .groupLeft: leave(in: &turn)
        case .muteChanged(let isMuted): mute(isMuted, in: &turn)
        case .frameCaptured(let frame):
            speak(.frameCaptured(frame), in: &turn)
            return showCards(in: &turn)
        case .sound(let news): speak(.sound(news), in: &turn)
        case .clockShows(let time): setClock(to: time, in: &turn)
        case .renderRequested(let samples):
            speak(.renderRequested(samples: samples), in: &turn)
            return showCards(in: &turn)
        case .linkUp(let link, let path): linkUp(link, path, in: &turn)
        case .linkDown(let link):
            departureLost(link, in: &turn)
            loseLink(link, in: &turn)
        case .internetFailed: internetFailed(in: &turn)
        case .internetReachable(let isReachable):
            reach(isReachable, in: &turn)
        case .handshakeReceived(let bytes, let link):
            secure(link, .handshakeReceived(bytes), in: &turn)
        case .packetRefused(let refusal, let link):
            secure(link, .packetRefused(refusal), in: &turn)
        case .voiceReceived(let header, let frame, let link):
            receive(header, frame, by: link, in: &turn)
        case .messageReceived(let message, let link):
            receive(message, by: link, in: &turn)
        case .controlReceived(let message, let link):
            receive(message, by: link, in: &turn)
        }
        group?.settleDeadline()
        showCards(in: &turn)
    }

    /// Wakes the inner machines; each ignores a wake before its own deadline (law L2).
    public mutating func wake(in turn: inout Turn<Effect>) {
        if let deadline, deadline.instant <= turn.now { sealedLast = [] }
        // What one machine does may be due for another at once.
        for _ in 0..<4 {
            guard let deadline, deadline.instant <= turn.now else { break }
            wakeAll(in: &turn)
        }
        showCards(in: &turn)
    }

    private mutating func wakeAll(in turn: inout Turn<Effect>) {
        speak(nil, in: &turn)
        sayGoodbyeIfDue(in: &turn)
        renewSignIfDue(in: &turn)
        guard let due = group?.deadline, due.instant <= turn.now else { return }
        wakeGroup(in: &turn)
        group?.settleDeadline()
    }

    // Wakes what is due. Ids are gathered first: who is woken may change the lists.
    private mutating func wakeGroup(in turn: inout Turn<Effect>) {
        endWaits(in: &turn)
        for link in group?.linksDue(at: turn.now) ?? [] { secure(link, nil, in: &turn) }
        organize(nil, in: &turn)
        for member in group?.membersDue(at: turn.now) ?? [] {
            for path in TransportPath.allCases {
                probe(member, path, nil, in: &turn)
            }
            hand(member, nil, in: &turn)
            endTalk(of: member, at: turn.now)
            fallQuiet(member, at: turn.now)
        }
        searchIfDue(in: &turn)
        askAnewIfDue(in: &turn)
    }
}
