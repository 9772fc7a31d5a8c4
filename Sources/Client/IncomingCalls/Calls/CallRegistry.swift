public import SansIO

/// The calls of one phone: what rings, what is answered, what ends, and what the system is told (VP-01 to
/// VP-09).
///
/// - Every VoIP push is reported in the call that brings it (D-01): the system ends an app that does not
///   (PushKit, `PKPushType.voIP`). A push for a call that rings goes to that call; any other that cannot
///   ring becomes a call that ends as soon as the system has it.
/// - A call id that was seen never rings again, across relaunch (VP-02): the memory is written whenever it
///   changes and given to the next machine.
/// - What the system asks for is answered even before the app is ready; the server hears of it then.
/// - A user who can't be heard doesn't answer: without the microphone the server learns of no answer.
/// - Nothing here starts sound: the audio session is configured when a call is answered or started, and
///   used when the system has activated it.
public struct CallRegistry: StateMachine {
    /// A fact for the calls.
    public enum Event: Sendable, Equatable {
        /// The app was launched: whatever call its former process was in, it is in no more.
        case launched
        /// A VoIP push came (`pushRegistry(_:didReceiveIncomingPushWith:for:completion:)`).
        case pushReceived(PushID, PayloadValue)
        /// A message came by another way that a call is over (D-03).
        case endSignalReceived(PayloadValue)
        /// The system took a report, or did not.
        case reportFinished(OperationID, SystemReportError?)
        /// The system asks for something (`provider(_:perform:)`).
        case actionRequested(ActionID, SystemCallAction)
        /// The system waits no longer for an action (`provider(_:timedOutPerforming:)`).
        case actionTimedOut(ActionID)
        /// The system activated the audio session.
        case audioActivated
        /// The system took it back.
        case audioDeactivated
        /// The system dropped all calls (`providerDidReset(_:)`).
        case providerReset
        /// The user places a call in the app.
        case callRequested(contactId: String, name: String, hasVideo: Bool)
        /// The user does something to a call, in the app.
        case actionChosen(SystemCallAction)
        /// The system took what the app asked of it, or did not.
        case requestFinished(OperationID, isAccepted: Bool)
        /// The app's credentials for its server, once it has them: it is ready.
        case credentialsChanged(CallCredentials?)
        /// No user is signed in, now or ever: no call rings or goes on here.
        case signedOut
        /// There is a network again, or another one.
        case pathRestored
        /// The user has answered the question for the microphone.
        case microphoneDecided(isAllowed: Bool)
        /// The user's clock was set.
        case clockChanged(WallTime)
        /// The media of a call are joined.
        case mediaConnected(UniqueID)
        /// The other side's media went away: it may have hung up.
        case mediaPeerLeft(UniqueID)
        /// Whether the other side's media are in the room, told again and again while ours are.
        case mediaPeerSeen(UniqueID, isPresent: Bool)
        /// The other side was heard, now or before.
        case mediaPeerHeard(UniqueID)
        /// Our own media were lost and are being brought back, or are back.
        case mediaInterrupted(UniqueID, isInterrupted: Bool)
        /// The media of a call are lost for good.
        case mediaLost(UniqueID)
        /// The app's own server answered.
        case apiAnswered(OperationID, CallAnswer)
    }

    /// An order from the calls.
    public enum Effect: Sendable, Equatable {
        /// An order to the system's call UI.
        case system(SystemCallCommand)
        /// Calls a push's completion handler.
        case completePush(PushID)
        /// Sets the audio session's category, without activating it (RS-15).
        case configureAudio
        /// An order to the media of a call.
        case media(UniqueID, CallMediaCommand)
        /// A request to the app's own server.
        case callAPI(OperationID, CallRequest)
        /// A request in the name of a user who has logged out since.
        case callAPIAsFormer(OperationID, CallRequest, CallCredentials)
        /// Cancels a request; its answer is no longer needed.
        case cancelAPI(OperationID)
        /// Keeps the memory of call ids across relaunch.
        case writeStorage(String)
        /// Something the app may want to know (VP-08).
        case announce(CallEvent)
        /// The user missed a call: the server lists it from about that instant on, or already.
        ///
        /// If there is a second instant, the first is by the user's clock, which may be wrong, or a guess: then
        /// it is surely listed.
        case missedCallExpected(from: Instant?, by: Instant? = nil)
        /// A call was not answered, since the user refuses the microphone.
        case microphoneMissing
        /// The login is not valid any more.
        case signInRequired
        /// A line of the log.
        case writeLog(CallLogEntry)
    }

    /// How long the system may take to answer a report; then it counts as taken.
    static let reportTimeout = Duration.seconds(5)
    /// How many reports may be unanswered at a time; the oldest counts as taken then.
    static let reportsMax = 16
    /// How many calls that are over here may still have to be told to the server.
    static let farewellsMax = 8
    /// How long a call's end is kept for a user whose phone is another's by now; an assumption.
    ///
    /// The other side has long given up: it is alone for some 80 s at most.
    static let farewellLife = Duration.seconds(3_600)
    /// How many requests to the system may be unanswered at a time.
    static let requestsMax = 8
    /// How often the server is asked about a call that rings at the other side, for which the caller waits,
    /// and about one whose other side has left the media.
    static let callingWatchInterval = Duration.seconds(1)
    /// How often it is asked about a conversation, whose end shows first in its media.
    static let conversationWatchInterval = Duration.seconds(10)
    /// How long a placed call waits for an answer: the server's own time-out, and the way there.
    static let callingTimeout = Duration.seconds(60)
    /// How long the server lets a call ring.
    static let serverRingTime = Duration.seconds(25)
    /// How long after the end of its call a push may still be under way; an assumption.
    static let latenessMax = Duration.seconds(120)

    /// All reports end and all calls with them.
    public static var effectsPerCallMax: Int { 160 }

    /// There may always be another call.
    public var isFinished: Bool { false }

    let configuration: CallsConfiguration
    var generator: SeededGenerator
    /// The entropy of each call's waits: other phones' differ, which lost the same server.
    let waitsSeed: UInt64
    var operations: OperationCounter
    var clock: WallClock
    /// Whether the user lets the app have the microphone.
    var microphone: MicrophoneAccess
    var credentials: CallCredentials?
    /// Who is signed in, or was last, if their login says.
    var user: String?
    /// Whether it is known that no user is signed in.
    public internal(set) var isSignedOut = false
    /// Whether the login that the app had is over, and it has no other.
    var isLoginOver = false
    var memory: CallMemory
    /// The calls that are going on, in the order in which they came.
    var calls: [Call] = []
    /// What the system has not answered.
    var reports: [PendingReport] = []
    /// What the app asked of the system.
    var requests: [PendingRequest] = []
    /// The signalling of calls that are over here and not yet told to the server.
    var farewells: [SignallingLine] = []
    /// Whether the server is still to be told that a call is over, and can be, or perhaps soon.
    ///
    /// What only another login lets tell waits for one, and needs no time before.
    public var hasFarewells: Bool {
        let mayBeReady = credentials == nil && !isLoginOver
        return farewells.contains { mayBeReady || $0.isTelling }
    }
    /// Whether the system has activated the audio session.
    public internal(set) var isAudioActive = false

    /// What the app asked of the system.
    struct PendingRequest: Sendable, Equatable {
        let operation: OperationID
        let action: SystemCallAction
    }

    /// Makes a registry without calls.
    ///
    /// - Parameters:
    ///   - configuration: What can be tuned.
    ///   - stored: What the storage kept of the memory, if anything; read before the first push.
    ///   - clock: The user's clock at launch.
    ///   - microphone: Whether the user lets the app have the microphone, at launch.
    ///   - seed: The entropy of call identities.
    ///   - operations: The numbers its operations get.
    public init(
        configuration: CallsConfiguration,
        restoring stored: String?,
        clock: WallClock,
        microphone: MicrophoneAccess = .allowed,
        seed: UInt64,
        operations: OperationCounter = OperationCounter()
    ) {
        self.configuration = configuration
        self.clock = clock
        self.microphone = microphone
        self.operations = operations
        generator = SeededGenerator(seed: seed)
        waitsSeed = ~seed
        memory =
            configuration.memory.map { CallMemory(restoring: stored, limits: $0) }
            ?? CallMemory(limits: nil)
    }

    /// The calls that are going on, in the order in which they came.
    public var descriptions: [CallDescription] { known.map(\.description) }

    /// The earliest deadline of its parts.
    public var deadline: Deadline? {
        var earliest: Deadline?
        for call in calls { earliest = .earliest(earliest, call.deadline) }
        for line in farewells { earliest = .earliest(earliest, line.machine.deadline) }
        for report in reports {
            earliest = .earliest(earliest, Deadline(report.until, "report timeout"))
        }
        return earliest
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .launched:
            missLeftCalls(in: &turn)
            endLeftCalls(in: &turn)
        case .pushReceived(let push, let payload):
            pushReceived(push, payload, in: &turn)
        case .endSignalReceived(let payload):
            endSignalReceived(payload, in: &turn)
        case .reportFinished(let operation, let error):
            reportFinished(operation, error, in: &turn)
        case .actionRequested(let action, let asked):
            perform(asked, as: action, in: &turn)
        case .actionTimedOut(let action): timedOut(action, in: &turn)
        case .audioActivated:
            isAudioActive = true
            turn.order(.announce(.audioActivated))
        case .audioDeactivated:
            isAudioActive = false
            turn.order(.announce(.audioDeactivated))
        case .providerReset: reset(in: &turn)
        case .callRequested(let contactId, let name, let hasVideo):
            dial(contactId, name, hasVideo, in: &turn)
        case .actionChosen(let action): request(action, in: &turn)
        case .requestFinished(let operation, let isAccepted):
            requestFinished(operation, isAccepted, in: &turn)
        case .credentialsChanged(let credentials):
            credentialsChanged(credentials, in: &turn)
        case .signedOut: signOut(in: &turn)
        case .pathRestored: signalAll(.pathRestored, in: &turn)
        case .microphoneDecided(let isAllowed):
            microphoneDecided(isAllowed, in: &turn)
        case .clockChanged(let time): clock = WallClock(showing: time, at: turn.now)
        case .mediaConnected, .mediaPeerLeft, .mediaPeerSeen, .mediaPeerHeard, .mediaInterrupted,
            .mediaLost:
            mediaSpoke(event, in: &turn)
        case .apiAnswered(let operation, let answer):
            apiAnswered(operation, answer, in: &turn)
        }
    }

    /// Acts on whatever has taken too long or is due.
    public mutating func wake(in turn: inout Turn<Effect>) {
        for report in reports where turn.now >= report.until {
            reports.removeAll { $0.operation == report.operation }
            taken(report, in: &turn)
        }
        for uuid in calls.map(\.uuid) {
            wakePhase(of: uuid, in: &turn)
            wakeSignalling(of: uuid, in: &turn)
        }
        wakeFarewells(in: &turn)
    }

    func call(_ uuid: UniqueID) -> Call? { calls.first { $0.uuid == uuid } }

    func index(of uuid: UniqueID) -> Int? { calls.firstIndex { $0.uuid == uuid } }
}
