public import GroupSecurity
public import PeerTransport
public import SansIO

/// An intercom of groups: who is in, who they are, by which path each is reached, and their voices.
///
/// A machine made of machines, outermost first:
/// - a `SecureSession` for every connection. Each path proves itself and has keys of its own, so replay
///   windows stay apart and nobody has to guess who is behind a new connection;
/// - one `Membership`, which lists who is in;
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
    /// Kept for reuse; empty between calls.
    var voiceOrders = EffectBuffer<IntercomCoordinator.Effect>()

    /// Makes an app that is in no group.
    ///
    /// - Parameters:
    ///   - configuration: What can be tuned.
    ///   - identity: Who this phone is.
    ///   - streamID: The number of one's own voice stream, drawn anew for each start.
    ///   - name: What this phone's member is called.
    ///   - judge: Who judges the paths.
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
        own = Member(id: identity.publicKey.memberID, streamID: streamID, name: name)
        voice = IntercomCoordinator(configuration: configuration.voice, streamID: streamID)
    }

    var isMuted: Bool { voice.microphone.isMuted }

    /// The earliest of the inner machines' deadlines.
    public var deadline: Deadline? {
        Deadline.earliest(
            Deadline.earliest(voice.deadline, group?.deadline),
            departure?.deadline
        )
    }

    /// Takes one fact.
    public mutating func handle(
        _ event: Event,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        sealedLast = []
        switch event {
        case .groupChosen(let credential, let known):
            choose(credential, known: known, at: now, into: &effects)
        case .inviteReceived(let delivery, let time):
            follow(delivery, at: time, now, into: &effects)
        case .inviteMade(let validity): expectGuest(for: validity, at: now)
        case .groupLeft: leave(at: now, into: &effects)
        case .muteChanged(let isMuted): mute(isMuted, at: now, into: &effects)
        case .frameCaptured(let frame):
            speak(.frameCaptured(frame), at: now, into: &effects)
            return showCards(into: &effects)
        case .sound(let news): speak(.sound(news), at: now, into: &effects)
        case .renderRequested(let samples):
            speak(.renderRequested(samples: samples), at: now, into: &effects)
            return showCards(into: &effects)
        case .linkUp(let link, let path): linkUp(link, path, at: now, into: &effects)
        case .linkDown(let link):
            departureLost(link, into: &effects)
            loseLink(link, at: now, into: &effects)
        case .internetFailed: internetFailed(at: now, into: &effects)
        case .internetReachable(let isReachable):
            reach(isReachable, at: now, into: &effects)
        case .handshakeReceived(let bytes, let link):
            secure(link, .handshakeReceived(bytes), at: now, into: &effects)
        case .packetRefused(let refusal, let link):
            secure(link, .packetRefused(refusal), at: now, into: &effects)
        case .voiceReceived(let header, let frame, let link):
            receive(header, frame, by: link, at: now, into: &effects)
        case .messageReceived(let message, let link):
            receive(message, by: link, at: now, into: &effects)
        case .controlReceived(let message, let link):
            receive(message, by: link, at: now, into: &effects)
        }
        group?.settleDeadline()
        showCards(into: &effects)
    }

    /// Wakes the inner machines; each ignores a wake before its own deadline (law L2).
    public mutating func wake(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        if let deadline, deadline.instant <= now { sealedLast = [] }
        // What one machine does may be due for another at once.
        for _ in 0..<4 {
            guard let deadline, deadline.instant <= now else { break }
            wakeAll(at: now, into: &effects)
        }
        showCards(into: &effects)
    }

    private mutating func wakeAll(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        speak(nil, at: now, into: &effects)
        sayGoodbyeIfDue(at: now, into: &effects)
        guard let due = group?.deadline, due.instant <= now else { return }
        wakeGroup(at: now, into: &effects)
        group?.settleDeadline()
    }

    // Wakes what is due. Ids are gathered first: who is woken may change the lists.
    private mutating func wakeGroup(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        endWaits(at: now, into: &effects)
        for link in group?.linksDue(at: now) ?? [] { secure(link, nil, at: now, into: &effects) }
        organize(nil, at: now, into: &effects)
        for member in group?.membersDue(at: now) ?? [] {
            for path in TransportPath.allCases {
                probe(member, path, nil, at: now, into: &effects)
            }
            hand(member, nil, at: now, into: &effects)
            endTalk(of: member, at: now)
            fallQuiet(member, at: now)
        }
        searchIfDue(at: now, into: &effects)
        askAnewIfDue(at: now, into: &effects)
    }
}
