import AppCoordination
import KodamaEvidence
import KodamaLanguage
import KodamaPhone
import KodamaSession
import KodamaSimulation
import KodamaWorld
import SansIO
import WakeFlow

/// The coach on a phone: its process, what the phone's system keeps and sounds for it, and the person who
/// sleeps beside it.
final class CoachApp: RoomUser, PathWitness {
    /// What the coach schedules.
    enum Word: UInt8 {
        /// A machine wants to be woken.
        case coordinator, alarms, center, tasks, output, sleeper, nudged, radio
        case account
        /// A room object, by serial, or a request, by number, wants to be woken.
        case roomWake, requestWake
        /// What the user has said to the agent comes back as a transcript.
        case agentHears
        /// A wish of the user is due, by true time.
        case morning
        /// The user goes to bed, and puts the phone down a minute later.
        case bedtime
        case putsDown
        /// The user has told the app of the day.
        case reflects
        /// The system needs the memory of the suspended process.
        case reclaims
        /// The line that was ordered sounds, and has been said.
        case lineBegins
        /// The agent begins with a line, where it is sound; a frame of the user's answer is there, and the
        /// agent's recogniser has listened to it.
        case agentSpeaks, wordFrame, agentRecognises
        /// The microphone has a frame ready, where it is sound.
        case microphoneFrame
        case lineEnds
        /// The user has done what a step of the guide asks for.
        case stepEnds
        /// The sleeper speaks into the agent's line.
        case speaksInto
        /// The sleeper has waited for the guide in vain.
        case waitsNoLonger
        /// A user who is up silences what sounds again, and tells the app so.
        case silences
        /// A user who was not woken has woken by themselves, and one who talks for no morning has enough.
        case wakesUp, leavesTalk
        /// What a nudge asks for is done.
        case instructionEnds
        /// The first word of an intervention is heard.
        case interventionBegins
        case tells
        /// The phone is switched on again.
        case switchesOn
        /// The billing service does something.
        case billing
        /// A synchronisation with the mirror is due, a request reaches it, and its answer the phone.
        case mirrors, mirrorHears, mirrorAnswers
        /// The user wants to change a field, and does it in the app that is open.
        case edits, editsNow, looks
        /// The user has recorded their voice, or asks for its deletion, and storage has done something.
        case records, deletesVoice, storageAnswers
        /// The user signs in or out.
        case signs
        /// A download of the preload is over.
        case downloads
        /// The user may run the routine alone, or wish for nudges, today.
        case runsAlone, calls
        /// The user ends a step of the onboarding, and a phrase is over.
        case stepAnswered, phraseEnds
    }

    let installation: Installation
    let plan: CoachAppPlan
    let seed: UInt64
    unowned(unsafe) let session: SessionSystem
    let ledgers: AccountLedgers

    /// The app's own code, while there is a process.
    @exclusivity(unchecked) var coordinator: Guest<CoachCoordinator>?
    @exclusivity(unchecked) var online = OnlineTalk()
    /// Whether voice flows between the agent and the user; the truth.
    @exclusivity(unchecked) var agentVoice = AgentVoice()
    @exclusivity(unchecked) var roomObjects: [RoomObject] = []
    var roomCount: UInt32 = 0
    @exclusivity(unchecked) var calls: [APICall] = []
    var callCount: UInt32 = 0
    /// Whether no packets pass, as the trace has it.
    var hasLostPath = false
    @exclusivity(unchecked) var account = Account()
    @exclusivity(unchecked) var mirroring: Mirroring?
    @exclusivity(unchecked) var vault = VoiceVault()
    @exclusivity(unchecked) var preloading = Preloading()
    @exclusivity(unchecked) var isTouched = false
    /// What the app keeps on the phone's storage.
    @exclusivity(unchecked) var disk = CoachMemory()
    /// How the phone stands towards the app; see `CoachApp+Process`.
    @exclusivity(unchecked) var look = PhoneLook()
    @exclusivity(unchecked) var talk = Conversation()
    @exclusivity(unchecked) var nudging = Nudging()
    @exclusivity(unchecked) var battery = Battery()
    @exclusivity(unchecked) var microphone = Microphone()
    @exclusivity(unchecked) var habit = Habit()
    @exclusivity(unchecked) var firstSteps = FirstSteps()
    /// Lines and answers as sound, where voices are real.
    @exclusivity(unchecked) var sound: CoachSound?

    /// The facilities of the phone, as long as its core has no such guests.
    private(set) lazy var alarms = makeAlarms()
    private(set) lazy var center = makeCenter()
    private(set) lazy var tasks = makeTasks()
    private(set) lazy var output = makeOutput()
    private(set) lazy var breadcrumb = Guest(Breadcrumb(), of: self, .nudged) {
        $0.perform($1, on: &$2)
    }
    private(set) lazy var radio = Guest(RadioPower(.wifi), of: self, .radio) {
        $0.perform($1, on: &$2)
    }
    /// What those have for the app, and do for it.
    @exclusivity(unchecked) var armory = Armory()
    @exclusivity(unchecked) var isPowered = true
    @exclusivity(unchecked) private var wasLocked = false
    @exclusivity(unchecked) private var wasInFront = false
    @exclusivity(unchecked) private var wasInCall = false
    @exclusivity(unchecked) private var wasListening = (isOpen: false, isWanted: false)
    @exclusivity(unchecked) private var clockOffset: Int64 = 0
    /// How much later local time is than at the start.
    @exclusivity(unchecked) var zoneSeconds: Int64 = 0

    /// The person.
    private(set) lazy var sleeper = Guest(newSleeper(), of: self, .sleeper) {
        $0.perform($1, on: &$2)
    }
    private(set) lazy var nudged = Guest(
        NudgedPerson(plan.bedroom.nudgePersona, draws: draws("coach.nudged")),
        of: self,
        .nudged
    ) { $0.perform($1, on: &$2) }
    @exclusivity(unchecked) var person = Person()
    let persona: SleeperPersona
    @exclusivity(unchecked) var source: EventSource

    /// What facilities call the app: they are the coach's own, and know no other.
    static let own = AppID(0)

    init(
        _ plan: CoachAppPlan,
        _ installation: Installation,
        seed: UInt64,
        over session: SessionSystem,
        _ ledgers: AccountLedgers
    ) {
        self.plan = plan
        self.installation = installation
        self.seed = seed
        self.session = session
        self.ledgers = ledgers
        let name = installation.name
        var draws = RandomStream(seed: seed, purpose: "coach.persona", entity: name)
        persona = plan.bedroom.persona(from: &draws)
        // Before everything that happens to the phone at the same instant.
        source = EventSource(
            rank: DeliveryRank.speech,
            component: Int(installation.index.index)
        )
        look.alarms = Grant(plan.alarms)
        look.notifications = Grant(plan.notifications)
        look.settings = plan.notificationSettings
    }

    private var clock: LocalClock {
        LocalClock(showing: phone.seat.ask { $0.wallTime(at: .zero) })
    }

    func draws(_ purpose: StaticString) -> RandomStream {
        RandomStream(seed: seed, purpose: purpose, entity: installation.name)
    }

    private func makeAlarms() -> Guest<SystemAlarms> {
        var system = SystemAlarmsConfiguration()
        system.version = plan.version
        system.faults = plan.alarmFaults
        let alarms = SystemAlarms(
            apps: [plan.alarmApp],
            clock: clock,
            draws: draws("coach.alarms"),
            configuration: system
        )
        return Guest(alarms, of: self, .alarms) { $0.perform($1, on: &$2) }
    }

    private func makeCenter() -> Guest<UserNotificationCenter> {
        let center = UserNotificationCenter(
            apps: [plan.notificationSettings],
            clock: clock,
            draws: draws("coach.notifications"),
            configuration: plan.center
        )
        return Guest(center, of: self, .center) { $0.perform($1, on: &$2) }
    }

    private func makeTasks() -> Guest<BackgroundTasks> {
        let tasks = BackgroundTasks(appCount: 1, clock: clock, draws: draws("coach.tasks"))
        return Guest(tasks, of: self, .tasks) { $0.perform($1, on: &$2) }
    }

    private func makeOutput() -> Guest<SoundOutput> {
        let output = SoundOutput(ringerVolumePercent: plan.bedroom.ringerPercent)
        return Guest(output, of: self, .output) { $0.perform($1, on: &$2) }
    }

    func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        switch word {
        case .coordinator: coordinator?.awaken(on: &stage)
        case .account: account.coordinator?.awaken(on: &stage)
        case .billing: billingMoves(on: &stage)
        case .mirrors: mirrors(on: &stage)
        case .mirrorHears: mirrorHears(argument, on: &stage)
        case .mirrorAnswers: mirrorAnswers(argument, on: &stage)
        case .edits: edits(on: &stage)
        case .editsNow: editsNow(on: &stage)
        case .looks: looks(on: &stage)
        case .records: recordVoice(on: &stage)
        case .signs: signs(on: &stage)
        case .downloads: downloads(argument, on: &stage)
        case .deletesVoice: deletesVoice(on: &stage)
        case .storageAnswers: storageAnswers(argument, on: &stage)
        case .roomWake: roomObjects.first { $0.serial == argument }?.awaken(on: &stage)
        case .requestWake: calls.first { $0.number == argument }?.awaken(on: &stage)
        case .agentHears: agentHears(argument, on: &stage)
        case .nudged: nudged.awaken(on: &stage)
        case .radio: radio.awaken(on: &stage)
        case .wakesUp: wakesUp(on: &stage)
        case .leavesTalk: leavesTalk(on: &stage)
        case .interventionBegins: interventionBegins(argument, on: &stage)
        case .instructionEnds: instructionEnds(argument, on: &stage)
        case .alarms: alarms.awaken(on: &stage)
        case .center: center.awaken(on: &stage)
        case .tasks: tasks.awaken(on: &stage)
        case .output: output.awaken(on: &stage)
        case .sleeper: sleeper.awaken(on: &stage)
        case .morning: morningComes(argument, on: &stage)
        case .stepAnswered: answersStep(argument, on: &stage)
        case .phraseEnds: phraseEnds(argument, on: &stage)
        case .runsAlone: if isOfHere(argument) { dawns(on: &stage) }
        case .calls: if isOfHere(argument) { callsForHelp(on: &stage) }
        case .bedtime: if isOfHere(argument) { bedtimeComes(on: &stage) }
        case .putsDown: putDown(on: &stage)
        case .reflects: reflect(on: &stage)
        case .reclaims: if isOfHere(argument) { reclaims(on: &stage) }
        case .lineBegins: lineBegins(argument, on: &stage)
        case .agentSpeaks: agentSpeaks(argument, on: &stage)
        case .wordFrame: sendWordFrame(argument, on: &stage)
        case .microphoneFrame: microphoneFrame(on: &stage)
        case .agentRecognises: agentRecognises(argument, on: &stage)
        case .lineEnds: lineEnds(argument, on: &stage)
        case .stepEnds: stepEnds(argument, on: &stage)
        case .speaksInto: speaksInto(argument, on: &stage)
        case .waitsNoLonger: waitedInVain(argument, on: &stage)
        case .silences: silence(on: &stage)
        case .tells: tell(.gaveUp, on: &stage)
        case .switchesOn: switchOn(on: &stage)
        }
        stage.readMail()
    }

    // MARK: The phone as it stands

    /// Tells the facilities what the phone's system has changed.
    func systemSettled(on stage: inout Stage) {
        let isLocked = phone.seat.ask { $0.isLocked }
        if isLocked != wasLocked {
            wasLocked = isLocked
            alarms.tell(.lockChanged(isLocked: isLocked), on: &stage)
            if isLocked { breadcrumb.tell(.covered, on: &stage) }
            if !isLocked { armory.isBeforeFirstUnlock = false }
            if !isLocked { tasks.tell(.conditionChanged(backgroundCondition), on: &stage) }
        }
        let isInFront = phone.seat.ask { $0.isInFront(id) }
        if isInFront != wasInFront {
            wasInFront = isInFront
            alarms.tell(.frontChanged(Self.own, isInFront: isInFront), on: &stage)
            center.tell(.frontChanged(Self.own, isInFront: isInFront), on: &stage)
            tasks.tell(.frontChanged(Self.own, isInFront: isInFront), on: &stage)
        }
        let isInCall = phone.seat.ask { $0.hasCall }
        if isInCall != wasInCall {
            wasInCall = isInCall
            alarms.tell(.phoneCall(isOn: isInCall), on: &stage)
            output.tell(.phoneCall(isOn: isInCall), on: &stage)
            if isInCall { callTakesOver(on: &stage) }
        }
        reviewLoad(on: &stage)
        reviewRadio(on: &stage)
        reviewMirroring(on: &stage)
        touchFlows(on: &stage)
        reviewListening(on: &stage)
        let now = stage.now
        let reading = phone.seat.ask { $0.wallTime(at: now) }
        let offset = reading.nanosecondsSince1970 - now.nanoseconds
        if clockOffset != 0, offset != clockOffset { changeClock(.set(reading), on: &stage) }
        clockOffset = offset
    }

    /// Whether a conversation or an intervention goes on, or is being begun.
    var wantsMicrophone: Bool { isTalking || wantsSession || nudging.isIntervening }

    /// Writes down when the microphone opens or closes, and when a conversation begins or ends.
    func reviewListening(on stage: inout Stage) {
        let isWanted = wantsMicrophone
        let isListening = (isOpen: soundIsOn, isWanted: isWanted)
        guard isListening != wasListening else { return }
        if isWanted != wasListening.isWanted { talkChanged(isGoing: isWanted, on: &stage) }
        wasListening = isListening
        let form = ListeningChanged(
            isOpen: TraceFlag(isListening.isOpen),
            isWanted: TraceFlag(isListening.isWanted)
        )
        note(form, on: &stage)
    }

    func changeClock(_ change: LocalClock.Change, on stage: inout Stage) {
        alarms.tell(.clockChanged(change), on: &stage)
        center.tell(.clockChanged(change), on: &stage)
        tasks.tell(.clockChanged(change), on: &stage)
        locateHeld(on: &stage)
    }
}

extension CoachAppPlan {
    /// The sound in the app's bundle: just below the 30 s that the system plays.
    static let bundledSound = SoundFile("wake.caf", length: .seconds(29))

    fileprivate var alarmApp: AlarmApp {
        var app = AlarmApp()
        app.permission = PermissionCondition(alarms)
        app.permission.isGrantedWhenAsked = grantsWhenAsked
        app.sounds = [Self.bundledSound]
        return app
    }

    var notificationSettings: NotificationSettings {
        var settings = NotificationSettings()
        settings.permission = PermissionCondition(notifications)
        settings.permission.isGrantedWhenAsked = grantsWhenAsked
        settings.hasCriticalEntitlement = hasCritical
        return settings
    }
}
