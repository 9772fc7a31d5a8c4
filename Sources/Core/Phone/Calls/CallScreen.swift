public import SansIO

/// The system's call screen, shared by all apps (CallKit): which calls there are, which of them ring,
/// what the user wants of them, and whose the audio is.
///
/// - A report is taken or refused with one of CallKit's codes (`CXErrorCodeIncomingCallError`); what is
///   taken rings at once.
/// - What the user wants becomes an action of the app's, which fulfils or fails it; one that is left open
///   times out, and ends its call (`CXProviderDelegate.provider(_:timedOutPerforming:)`).
/// - Audio comes after the action: the system activates the session when an answer or a start has been
///   fulfilled, and takes it back when no call needs it (Apple, developer forums, threads 749202 and
///   64544: an app that starts its engine earlier stays silent).
/// - A phone call puts the app's call on hold; whoever does not fulfil that loses the call (Apple,
///   developer forums, thread 715488). When its user ends it the call is taken back; when the other side hangs
///   up it stays on hold until the user takes it back (thread 749202: so by design).
public struct CallScreen: StateMachine {
    /// A fact for the call screen.
    public enum Event: Sendable, Equatable {
        /// An app reports or requests something.
        case ordered(AppID, SystemCallCommand)
        /// The user does something.
        case user(CallScreenAct)
        /// Do Not Disturb begins or ends.
        case focus(isOn: Bool)
        /// The user lets an app through Do Not Disturb, or does not any more.
        case allowedInFocus(AppID, Bool)
        /// A phone call takes the audio, or its user has ended it.
        case phoneCall(isOn: Bool)
        /// The other side has ended the phone call.
        case phoneCallHungUp
        /// An app's process is gone.
        case appEnded(AppID)
    }

    /// An order from the call screen.
    public enum Effect: Sendable, Equatable {
        /// An app is told something.
        case news(AppID, CallNews)
        /// A call begins to ring.
        case ringBegan(AppID, UniqueID)
        /// It does no more.
        case ringEnded(AppID, UniqueID, RingEnd)
        /// Whether some call rings has changed.
        case isRinging(Bool)
        /// The user answered: the app is needed, in front if the phone is unlocked.
        case answered(AppID)
        /// How an app's calls stand has changed.
        case activityChanged(AppID, CallActivity)
        /// The user answered or took a call back during a phone call, which is put on hold.
        case phoneCallHeld
        /// The audio session is an app's from now on, above all that mix or interrupt; or is not.
        case audioTaken(AppID, Bool)
        /// The audio goes over to another call of the same app, which has to start its engine anew.
        case audioPaused(AppID)
    }

    /// A call that the system has.
    struct Call: Sendable, Equatable {
        enum Phase: Sendable, Equatable {
            case ringing
            /// The app has yet to fulfil the answer or the start.
            case pending
            /// It is answered, or was started.
            case going
        }

        let app: AppID
        let uuid: UniqueID
        var phase: Phase
        var isHeld = false
        /// Whether a phone call, and not the user, has put it on hold.
        var isHeldByPhoneCall = false
    }

    /// An action that the app has yet to fulfil or fail.
    struct PendingAction: Sendable, Equatable {
        let app: AppID
        let id: ActionID
        let action: SystemCallAction
        let until: Instant
    }

    /// Each call of each app ends, with its ring, its audio and its app's activity.
    public static var effectsPerCallMax: Int { 8 * callsMax + 4 * PhoneSystem.appsMax }

    /// How many calls there may be: two groups of one call each (`CXProviderConfiguration`,
    /// `maximumCallGroups`; five may be merged in a group, which nothing here does).
    public static let callsMax = 2

    /// A phone never ends.
    public var isFinished: Bool { false }

    let configuration: PhoneSystemConfiguration
    var calls: [Call] = []
    var actions: [PendingAction] = []
    private var actionsMade: UInt32 = 0
    var focusIsOn = false
    /// Which apps the user lets through it, by their indices.
    private var areAllowedInFocus: [Bool]
    var phoneCallIsOn = false
    /// The app that has the audio, and the one that gets it at `audioDue`.
    var audioOwner: AppID?
    var audioDue: Instant?
    /// The app that had the audio last, if no other has been given it since.
    private var audioKeeper: AppID?
    private var activities: [CallActivity]

    /// Makes a screen without calls.
    ///
    /// - Parameters:
    ///   - appCount: How many apps are installed.
    ///   - focusIsOn: Whether Do Not Disturb is on.
    ///   - configuration: The system's times.
    public init(appCount: Int, focusIsOn: Bool, configuration: PhoneSystemConfiguration) {
        activities = Array(repeating: .none, count: appCount)
        areAllowedInFocus = Array(repeating: false, count: appCount)
        self.focusIsOn = focusIsOn
        self.configuration = configuration
    }

    /// Whether Do Not Disturb refuses an app's calls.
    ///
    /// It refuses a caller who "isn't a VIP" (Apple, CallKit, `filteredByDoNotDisturb`), and a Focus has a
    /// list of apps that it lets through (Apple, iPhone User Guide, "Set up a Focus"); that calls follow
    /// that list is an assumption.
    func isSilenced(_ app: AppID) -> Bool { focusIsOn && !areAllowedInFocus[app.index] }

    /// How an app's calls stand.
    public func activity(of app: AppID) -> CallActivity { activities[app.index] }

    /// Whether an app may start its voice engine: one with a call waits for the call's audio, and its own
    /// activation fails before (Apple, developer forums, thread 749202).
    func allowsEngine(of app: AppID) -> Bool {
        activity(of: app) == .none || audioOwner == app
    }

    /// The end of an action's time, or the activation of the audio.
    public var deadline: Deadline? {
        actions.reduce(audioDue.map { Deadline($0, "audio activation") }) { earliest, action in
            .earliest(earliest, Deadline(action.until, "call action"))
        }
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        let rang = isRinging
        switch event {
        case .ordered(let app, let command): perform(command, of: app, in: &turn)
        case .user(let act): perform(act, in: &turn)
        case .focus(let isOn): focusIsOn = isOn
        case .allowedInFocus(let app, let isAllowed): areAllowedInFocus[app.index] = isAllowed
        case .phoneCall(let isOn): phoneCall(isOn: isOn, in: &turn)
        case .phoneCallHungUp: endPhoneCall()
        case .appEnded(let app):
            for call in calls where call.app == app {
                remove(call.uuid, .appEnded, in: &turn)
            }
            actions.removeAll { $0.app == app }
        }
        settle(rang, in: &turn)
    }

    /// Gives up actions that were left open, and activates the audio.
    public mutating func wake(in turn: inout Turn<Effect>) {
        guard let deadline, deadline.instant <= turn.now else { return }
        let rang = isRinging
        for action in actions where action.until <= turn.now {
            actions.removeAll { $0 == action }
            turn.order(.news(action.app, .actionTimedOut(action.id)))
            remove(action.action.uuid, .endedByApp, in: &turn)
        }
        if let audioDue, audioDue <= turn.now, let app = appWantingAudio {
            self.audioDue = nil
            if let keeper = audioKeeper, keeper != app {
                turn.order(.audioTaken(keeper, false))
            }
            audioKeeper = nil
            audioOwner = app
            turn.order(.audioTaken(app, true))
            turn.order(.news(app, .audioActivated))
        }
        settle(rang, in: &turn)
    }

    var isRinging: Bool { calls.contains { $0.phase == .ringing } }

    // MARK: Actions

    /// Asks an app to perform an action.
    mutating func ask(_ action: SystemCallAction, of app: AppID, in turn: inout Turn<Effect>) {
        actionsMade += 1
        let id = ActionID(number: actionsMade)
        let until = turn.now.advanced(by: configuration.callActionTime)
        actions.append(PendingAction(app: app, id: id, action: action, until: until))
        turn.order(.news(app, .actionRequested(id, action)))
    }

    /// A call is over for the system.
    mutating func remove(_ uuid: UniqueID, _ end: RingEnd, in turn: inout Turn<Effect>) {
        guard let index = calls.firstIndex(where: { $0.uuid == uuid }) else { return }
        let call = calls.remove(at: index)
        actions.removeAll { $0.action.uuid == uuid }
        if call.phase == .ringing { turn.order(.ringEnded(call.app, uuid, end)) }
    }

    // MARK: What follows

    /// Whether any call goes on, held or not.
    var isGoing: Bool { phoneCallIsOn || calls.contains { $0.phase == .going } }

    /// The app of a call that is to be heard.
    var appWantingAudio: AppID? {
        guard !phoneCallIsOn else { return nil }
        return calls.last { $0.phase == .going && !$0.isHeld }?.app
    }

    /// Whether the audio of an app goes over to another call of its own.
    ///
    /// Hold and accept is one act of the user's: the held call's action comes first, the answer's at
    /// once after it (Apple, developer forums, thread 794277). So are end and accept and a change of
    /// places. That no other app has the audio between the two is an assumption: whoever is not in a
    /// call should never be overheard (ibid., thread 749202). That the app itself is told that its
    /// audio is over, as for a hold alone (openradar-mirror, issue 17011), and then of the next
    /// activation, is one, too.
    private func goesOver(of app: AppID) -> Bool {
        guard !phoneCallIsOn else { return false }
        let isTakenBack = actions.contains { action in
            if case .setHeld(_, isHeld: false) = action.action { action.app == app } else { false }
        }
        return isTakenBack || appWantingAudio == app
            || calls.contains { $0.app == app && $0.phase == .pending }
    }

    /// Brings audio and activities to where the calls want them.
    private mutating func settle(_ rang: Bool, in turn: inout Turn<Effect>) {
        if rang != isRinging { turn.order(.isRinging(isRinging)) }
        let wanting = appWantingAudio
        if let owner = audioOwner, owner != wanting {
            audioOwner = nil
            audioKeeper = owner
            turn.order(.news(owner, .audioDeactivated))
            if goesOver(of: owner) { turn.order(.audioPaused(owner)) }
        }
        if let keeper = audioKeeper, !goesOver(of: keeper) {
            audioKeeper = nil
            turn.order(.audioTaken(keeper, false))
        }
        if wanting == nil || wanting == audioOwner {
            audioDue = nil
        } else if audioDue == nil {
            audioDue = turn.now.advanced(by: configuration.callAudioTime)
        }
        for index in activities.indices {
            let latest = activity(ofAppAt: index)
            guard activities[index] != latest else { continue }
            activities[index] = latest
            turn.order(.activityChanged(AppID(index), latest))
        }
    }

    private func activity(ofAppAt index: Int) -> CallActivity {
        let own = calls.filter { $0.app.index == index }
        if own.contains(where: { $0.phase != .ringing }) { return .going }
        return own.isEmpty ? .none : .ringing
    }
}
