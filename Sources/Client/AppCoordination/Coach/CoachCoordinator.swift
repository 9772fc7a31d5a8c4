import RealtimeVoice
public import SansIO
public import WakeFlow

/// The coach: wakes, nudges, the guide's two voices, and the session with the agent that they share.
///
/// A machine made of machines. Each fact goes to those that it concerns (`CoachEvent.wakeFact` and its
/// siblings); their orders leave as they are, or meet another machine as a relay. What the coach itself
/// decides is what none of them can: what a process that begins is told, in which order; when a conversation
/// begins and ends; whether the session is wanted, and by which of wake, nudge and user; and whether the agent
/// or the phone's own voice has the word.
///
/// Three things hold together what a kill may tear apart: `CoachMemory` is stored before the orders that speak
/// of it, a new process begins with it alone, and everything else is told by the first `resumed`.
public struct CoachCoordinator: StateMachine {
    /// A fact for the coach.
    public typealias Event = CoachEvent
    /// An order from the coach.
    public typealias Effect = CoachEffect

    /// What has come since the phone was last known, each of which may arm another ladder.
    public static var effectsPerCallMax: Int { 8 * WakeFlow.effectsPerCallMax }

    /// An app ends with its process.
    public var isFinished: Bool { false }

    let configuration: CoachConfiguration
    let seeds: CoachSeeds
    var wakes: WakeFlow
    var guide: OfflineGuide
    var nudges: NudgeFlow
    /// The session with the agent; `nil` in an app that has none.
    var session: VoiceAppCoordinator?
    /// What was stored last, or is about to be.
    public internal(set) var memory: CoachMemory

    /// Whether a guide leads the user.
    public internal(set) var isTalking = false
    /// What the session is wanted for.
    var sessionUses: SessionUses = []
    /// What the session shows, since it is wanted.
    var sessionStage: SessionStage?
    /// How many sessions were left whose last word has not come round yet.
    var departures = 0
    /// When a conversation outside of mornings and nudges ends, unless the user hangs up.
    var talkEnds: Instant?
    /// Whether the session has said that both sides hear each other.
    var isConnected = false
    /// Whether the phone's own voice has the word.
    var isHandedOver = false

    /// Makes the coach of a process that begins.
    ///
    /// - Parameters:
    ///   - configuration: What can be tuned.
    ///   - memory: What the process before it stored last.
    ///   - seeds: The entropy of the process.
    public init(
        configuration: CoachConfiguration,
        restoring memory: CoachMemory,
        seeds: CoachSeeds
    ) {
        self.configuration = configuration
        self.memory = memory
        self.seeds = seeds
        wakes = WakeFlow(
            restoring: memory.wake,
            configuration: configuration.wake,
            flags: configuration.flags,
            operations: OperationCounter(lane: 0, of: 2)
        )
        guide = OfflineGuide(
            restoring: memory.guide,
            configuration: configuration.guide,
            flags: configuration.flags,
            seed: seeds.guide,
            operations: OperationCounter(lane: 1, of: 2)
        )
        nudges = NudgeFlow(
            restoring: memory.nudge,
            configuration: configuration.nudge,
            flags: configuration.flags
        )
        guard configuration.flags.usesRealtime else { return }
        session = VoiceAppCoordinator(configuration: configuration.session, seed: seeds.session)
    }

    /// Whether a session was asked for and not ended.
    public var wantsSession: Bool { !sessionUses.isEmpty }

    /// Whether the phone's own recogniser listens to the user, and not the agent's.
    public var listensItself: Bool { isHandedOver || guide.mode == .offline || !wantsSession }

    /// What the nudges have come to, stored or not.
    public var nudgeRecord: NudgeRecord { nudges.record }

    /// The self-run days in a row; 0 once a whole day has gone by without.
    public func streak(on day: LocalDay) -> Int { nudges.streak(on: day) }

    /// The earliest of the inner machines' deadlines.
    public var deadline: Deadline? {
        var earliest = Deadline.earliest(wakes.deadline, guide.deadline)
        earliest = .earliest(.earliest(earliest, nudges.deadline), session?.deadline)
        return .earliest(earliest, talkEnds.map { Deadline($0, "talk") })
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .resumed(let phone, let hasClone, let since):
            resumed(phone, hasClone: hasClone, since: since, in: &turn)
        case .session(let event): informSession(event, in: &turn)
        case .relayed(.session(let event)): relaySession(event, in: &turn)
        case .relayed(.sessionShown(let stage)): sessionShown(stage, in: &turn)
        case .relayed(.sessionLeft): sessionLeft()
        case .relayed(.sessionHandedOver): handOver(in: &turn)
        case .relayed(.sessionTookBack): takeBack(in: &turn)
        default:
            // The guide first: what the phone has heard belongs to the stretch that it leads, which the
            // wakes' answer may end.
            if let fact = event.guideFact { tellGuide(fact, in: &turn) }
            if let fact = wakeFact(of: event) { tellWakes(fact, in: &turn) }
            if let fact = event.nudgeFact { tellNudges(fact, in: &turn) }
            if event.endsTalk { endTalk(in: &turn) }
        }
    }

    /// Wakes the inner machines; each ignores a wake before its own deadline (law L2).
    public mutating func wake(in turn: inout Turn<Effect>) {
        tellWakes(nil, in: &turn)
        tellGuide(nil, in: &turn)
        tellNudges(nil, in: &turn)
        tellSession(nil, in: &turn)
        if let talkEnds, talkEnds <= turn.now { endTalk(in: &turn) }
    }

    /// The fact as the wakes have it: a conversation is synced once the guide has nothing to send either.
    private func wakeFact(of event: CoachEvent) -> WakeFlow.Event? {
        guard case .conversationSynced(let operation, true) = event else { return event.wakeFact }
        return .conversationSynced(operation, accepted: memory.guide.nextUnsent == nil)
    }

    /// Tells everything that a process cannot know by itself, and then what came before it knew.
    ///
    /// The time comes first, so that no record is dated 1970, but for the clone, without which the former process's
    /// voice would change and change back (AN-09); then the wakes, since a ladder is what must not
    /// be lost; and what came meanwhile last, as it is about a phone that is known by then.
    private mutating func resumed(
        _ phone: PhoneFacts,
        hasClone: Bool?,
        since events: [CoachEvent],
        in turn: inout Turn<Effect>
    ) {
        if let hasClone { tellGuide(.cloneChanged(isAvailable: hasClone), in: &turn) }
        tellGuide(.clockChanged(phone.time), in: &turn)
        tellWakes(.resumed(phone), in: &turn)
        if !memory.isSetUp {
            memory.isSetUp = true
            for setting in configuration.firstWakes { tellWakes(.wakeSet(setting), in: &turn) }
        }
        for event in events {
            if case .relayed(.sessionShown(let stage)) = event { sessionShown(stage, in: &turn) }
            if case .relayed(.sessionLeft) = event { sessionLeft() }
            if let fact = event.guideFact { tellGuide(fact, in: &turn) }
            if let fact = wakeFact(of: event) { tellWakes(fact, in: &turn) }
        }
        tellNudges(.resumed(phone.time, phone.zone), in: &turn)
        tellNudges(.grantChanged(phone.grants.notifications), in: &turn)
        for event in events {
            if let fact = event.nudgeFact { tellNudges(fact, in: &turn) }
            if event.endsTalk { endTalk(in: &turn) }
        }
    }
}
