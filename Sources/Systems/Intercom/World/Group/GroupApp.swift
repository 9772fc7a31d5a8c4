import AppCoordination
import GroupSecurity
import GroupStore
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import KodamaWorld
import PeerTransport
import RealtimeVoice
import SansIO

/// The intercom of groups on a phone: its machine, its frames, and the two frameworks that find other
/// phones for it.
///
/// A class because it owns what cannot be copied; it belongs to one world and is never shared.
final class GroupApp: MutedApp, Host {
    typealias Coordinator = IntercomGroupCoordinator

    /// What the app schedules.
    enum Word: UInt8 {
        /// The machine wants to be woken.
        case wake
        /// The framework for phones nearby does.
        case nearbyWake
        /// The match framework does.
        case matchWake
    }

    let installation: Installation
    let settings: IntercomAppPlan
    let sound: IntercomSound
    /// Who its user is.
    let identity: MemberIdentity
    /// The hash that the phone shows instead of its group's, if it passes itself off as another's member.
    let shownHash: GroupHash?
    /// The group that its user is in, as the process knows it.
    var group: GroupCredential?
    /// How many groups its user has made.
    var madeCount: UInt32 = 0
    /// The phones that can have a connection with this one, in the order of their indices.
    let others: [GroupPhone]
    /// Invites on their way between people.
    let invites: InviteTray
    /// The invites that the user has opened and the app has not read yet.
    var openedInvites: [InviteDelivery] = []
    /// How long the invites are that the app is answering, in their order.
    var invitedBytes: [Int] = []
    /// What the phone's clock showed when it last told the app.
    var clock: (shown: WallTime, at: Instant)?
    /// Where the match service is.
    let matchSocket: SocketAddress
    let plan: WorldPlan
    let putsSealsToTest: Bool
    let seed: UInt64

    @exclusivity(unchecked) var seat: Seat<Coordinator>
    private(set) lazy var nearby = NearbyHost(of: self, plan.nearby, seed: seed)
    private(set) lazy var match = MatchHost(of: self, plan.match, seed: seed)
    private(set) lazy var library = LibraryHost(of: self)
    /// Whether its code is run: kept here, since it is asked for at every frame.
    @exclusivity(unchecked) private(set) var isAwake = false
    /// Whether the match framework believes that there is a way to the Internet.
    @exclusivity(unchecked) private var isOnlineTold = false
    /// Whether something else is in front, as far as the app was told.
    @exclusivity(unchecked) private var isBehind = false
    /// Whether the phone's radio for phones nearby is on.
    @exclusivity(unchecked) private(set) var hasPeerRadio = true
    var muteButton = MuteButton()
    /// What connections stand, and how often there was one in this launch.
    @exclusivity(unchecked) var connections: [GroupConnection] = []
    @exclusivity(unchecked) var connectionCount: UInt32 = 0
    /// Whose stream is whose: the index among the others.
    @exclusivity(unchecked) private var streams: [(stream: PeerID, member: Int)] = []
    /// What the cards show, by seat, and whether they say that there is no Internet.
    var shownCards: [IntercomCards.Card?] = Array(repeating: nil, count: GroupSize.membersMax)
    var isInternetUnavailable = false
    /// Where a message lies before it is sealed, or after it was opened.
    let room = UnsafeMutableRawBufferPointer.allocate(
        byteCount: PacketSealer.plaintextCountMax,
        alignment: 16
    )

    init(
        _ settings: IntercomAppPlan,
        _ installation: Installation,
        showing shownHash: GroupHash?,
        among others: [GroupPhone],
        sound: IntercomSound,
        matchSocket: SocketAddress,
        invites: InviteTray,
        setting: Setting
    ) {
        self.installation = installation
        self.settings = settings
        self.shownHash = shownHash
        identity = GroupMembership.identity(of: installation.phone.name, seed: setting.seed)
        self.others = others
        self.sound = sound
        self.matchSocket = matchSocket
        self.invites = invites
        plan = setting.plan
        putsSealsToTest = plan.putsSealsToTest
        seed = setting.seed
        seat = Seat(Self.machine(settings, identity, of: installation, launch: 0, setting.seed))
    }

    deinit { room.deallocate() }

    /// The machine of one launch: the identity is kept, the stream and all keys are drawn anew.
    private static func machine(
        _ settings: IntercomAppPlan,
        _ identity: MemberIdentity,
        of installation: Installation,
        launch: UInt32,
        _ seed: UInt64
    ) -> Coordinator {
        let name = installation.phone.name
        let streams = RandomStream(seed: seed, purpose: "stream-id", entity: name)
        var configuration = settings.grouping.configuration
        configuration.voice = settings.configuration
        return Coordinator(
            configuration: configuration,
            identity: identity,
            streamID: UInt32(truncatingIfNeeded: streams.bits(at: UInt64(launch))),
            name: DisplayName(name),
            judge: settings.grouping.anyJudge,
            entropy: Entropy(seed: seed, label: "sessions of \(name), launch \(launch)")
        )
    }

    func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        switch word {
        case .wake: awaken(on: &stage)
        case .nearbyWake: nearby.awaken(on: &stage)
        case .matchWake: match.awaken(on: &stage)
        }
    }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        scheduleWake(.wake, at: instant, on: &stage)
    }

    var usesFrames: Bool { true }

    func captureFrame(_ number: Int64, on stage: inout Stage) {
        let frame = sound.capture(number, by: phone.sound.microphoneClock, on: &stage)
        hear(.frameCaptured(frame), on: &stage)
    }

    func renderSound(on stage: inout Stage) {
        hear(.renderRequested(samples: SoundHardware.samplesPerRender), on: &stage)
        sound.render(on: &stage)
    }

    func undergo(_ act: any SystemAct, on stage: inout Stage) {
        switch act as? IntercomAct {
        case .peerRadio(let isOn):
            hasPeerRadio = isOn
            note(PeerRadioSwitched(isOn: TraceFlag(isOn)), on: &stage)
            // A process that is held hears of it when it is resumed.
            nearby.hear(.radioChanged(isOn: isOn), on: &stage)
        case .leaveGroup:
            hear(.groupLeft, on: &stage)
        case .mute: touch(isMuted: true, on: &stage)
        case .unmute: touch(isMuted: false, on: &stage)
        case .makeInvite(let guest, let channel, let validity):
            makeInvite(for: guest, by: channel, validFor: validity, on: &stage)
        case .takeInvite(let host, let isAltered):
            takeInvite(from: host, isAltered: isAltered, on: &stage)
        case .joinGroup:
            library.hear(.listOpened, on: &stage)
        case .makeGroup:
            makeGroup(on: &stage)
        case nil: preconditionFailure("the plan does \(act) to \(name), which does not know it")
        }
    }

    // MARK: Members' streams

    /// The index among the others of the member whose stream this is.
    func member(of stream: PeerID) -> Int? {
        streams.last { $0.stream == stream }?.member
    }

    /// A member is in, with this stream from now on.
    func seat(_ member: Member) {
        guard let index = others.firstIndex(where: { $0.member == member.id }) else { return }
        streams.removeAll { $0.member == index }
        streams.append((PeerID(streamID: member.streamID), index))
    }
}

// MARK: - What the system does with the app

extension GroupApp {
    func launch(on stage: inout Stage) {
        let launch = launchCount
        let machine = Self.machine(settings, identity, of: installation, launch: launch, seed)
        seat.restart(machine, at: stage.now)
        library.restart(at: stage.now)
        nearby.restart(isRadioOn: hasPeerRadio, at: stage.now)
        match.restart(at: stage.now)
        isOnlineTold = false
        isBehind = false
        isAwake = true
    }

    /// The process ends: its machine is gone, the frames that it held, and its connections without a
    /// word to anybody.
    func terminate(on stage: inout Stage) {
        isAwake = false
        nearby.reviewShown(on: &stage)
        sound.clear()
        (connections, connectionCount) = ([], 0)
        streams = []
        shownCards = Array(repeating: nil, count: GroupSize.membersMax)
        isInternetUnavailable = false
        openedInvites = []
        invitedBytes = []
        library.end()
        if let left = group { note(GroupLeft(group: left.id.traceNumber), on: &stage) }
        group = nil
        forgetMute(on: &stage)
    }

    func suspend(on stage: inout Stage) {
        isAwake = false
        if group != nil { note(GroupHeld(isHeld: TraceFlag(true)), on: &stage) }
        nearby.reviewShown(on: &stage)
    }

    func resume(on stage: inout Stage) {
        isAwake = true
        if group != nil { note(GroupHeld(isHeld: TraceFlag(false)), on: &stage) }
        armWake(on: &stage)
        nearby.armWake(on: &stage)
        match.armWake(on: &stage)
        if isOnlineTold == phone.addresses.isEmpty { addressesChanged(on: &stage) }
        nearby.tell(.radioChanged(isOn: hasPeerRadio), on: &stage)
        nearby.reviewShown(on: &stage)
    }

    func inform(_ news: SystemNews, on stage: inout Stage) {
        switch news {
        case .launched:
            addressesChanged(on: &stage)
            library.tell(.listOpened, on: &stage)
        case .answer(let operation, let answer):
            library.hear(answer, to: operation, on: &stage)
            if let event = SoundKeeper.Event(news) { tell(.sound(event), on: &stage) }
        case .clock(let time):
            clock = (time, stage.now)
            tell(.clockShows(time), on: &stage)
        case .path(let path): tell(.internetReachable(path != .unsatisfied), on: &stage)
        case .scene(let phase):
            if isBehind, phase == .active {
                library.tell(.cameToFront(at: time(at: stage.now)), on: &stage)
            }
            isBehind = phase != .active
        default:
            if let event = SoundKeeper.Event(news) { tell(.sound(event), on: &stage) }
        }
    }

    func systemSettled(on stage: inout Stage) {
        readInvites(on: &stage)
        deliverTouches(on: &stage)
    }

    func tell(isMuted: Bool, on stage: inout Stage) { tell(.muteChanged(isMuted), on: &stage) }

    func addressesChanged(on stage: inout Stage) {
        // A process that is held hears of it when it is resumed.
        if isAwake { isOnlineTold = !phone.addresses.isEmpty }
        match.tell(.reachabilityChanged(isOnline: !phone.addresses.isEmpty), on: &stage)
    }
}
