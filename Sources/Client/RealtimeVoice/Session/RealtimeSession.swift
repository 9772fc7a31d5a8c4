public import SansIO

/// Keeps one user's conversation with a voice agent going: connects, comes back, gives up, leaves.
///
/// Two loops bring a lost link back. The SDK's own lives in its room object and resumes what is
/// there; this machine is the loop around it: it notices when a room object is dead whatever the
/// object says, lets go of it and connects another one, for as long as the user wants to talk.
///
/// - One connect is in flight at a time, and every room object is named: whatever an abandoned one
///   still says, and every late answer, is not listened to (D-08).
/// - A room is *left* only because the user, the phase or the login says so. An object that is given
///   up is *released* instead: a leave would be `CLIENT_INITIATED` and end the agent's session
///   (livekit/agents, `voice/room_io/types.py`).
/// - A retry joins the room it lost, a new conversation a new one (D-18).
/// - What the outside should be — microphone, renderer, offline hand-over, status — is computed from
///   the state after every call and ordered where it differs; no event has to remember to do so.
public struct RealtimeSession: StateMachine {
    /// A fact for the session.
    public enum Event: Sendable, Equatable {
        /// The user, or a notification the user tapped, asks for the conversation (RS-04, RS-13).
        case connectRequested(SessionIdentity)
        /// The app is able to connect: it does if its phase allows, and else when it comes to front.
        case becameReady(SessionIdentity)
        /// The user ends the conversation, or the login does; nothing but a request revives it.
        case disconnectRequested
        /// The scene's phase changed (RS-06, RS-07).
        case scenePhaseChanged(ScenePhase)
        /// The system's idea of the network changed.
        case pathChanged(NetworkPath)
        /// The phone's clock shows this now: at launch, and when it has jumped.
        case clockChanged(WallTime)
        /// The user muted or unmuted the microphone.
        case muteChanged(isMuted: Bool)
        /// The app may use the audio session, or may not.
        case audioAccessChanged(AudioAccess)
        /// The app's own server answered.
        case apiAnswered(OperationID, APIAnswer)
        /// A probe was answered.
        case probeAnswered(OperationID)
        /// A room object spoke.
        case room(RoomID, RoomCallback)
    }

    /// An order from the session.
    public enum Effect: Sendable, Equatable {
        /// An order to a room object of the SDK.
        case room(RoomID, RoomCommand)
        /// A request to the app's own server.
        case callAPI(OperationID, APIRequest)
        /// Cancels a request; its answer is no longer needed.
        case cancelAPI(OperationID)
        /// Sends one datagram to a host that answers it: a binding request of STUN, never repeated.
        ///
        /// An answer is told by `probeAnswered`, its absence by nothing.
        case probe(OperationID, ProbeHost)
        /// The status changed (RS-08).
        case statusChanged(SessionStatus)
        /// Voice is lost for now; `takeBackOnline` or `endOffline` follows.
        case handOverOffline
        /// Voice is back.
        case takeBackOnline
        /// The conversation ended while voice was lost.
        case endOffline
        /// The login is not valid any more (RS-12).
        case signInRequired
        /// The server has the device's identity for another user's: this one needs another (RS-03).
        case deviceIdentityRefused
        /// A line of the log (RS-10).
        case writeLog(SessionLogEntry)
    }

    /// The most that one call emits: one room released, another one made, and what follows from both.
    public static var effectsPerCallMax: Int { 16 }

    /// A session can always be asked for again.
    public var isFinished: Bool { false }

    let configuration: RealtimeSessionConfiguration
    var generator: SeededGenerator
    var operations: OperationCounter
    /// How many room objects were made.
    var roomsMade: UInt32 = 0

    var state = State.disconnected(.disconnected, resumes: false)
    /// Who talks; kept for the return to the front.
    var identity: SessionIdentity?
    /// The phone's clock, by which tokens expire.
    var clock = WallClock()
    /// The requests for a token.
    ///
    /// Its life is counted from the one that brings it, which is never too late.
    var tokens = PatientRequest()
    /// Until when a busy server asks for no token request but the user's own.
    var tokensBusyUntil = Instant.zero
    /// The credentials at hand.
    var ticket: Ticket?
    /// The room that a token for a retry names (D-18).
    var roomName: String?
    /// Whether that room has been joined: what is connected next finds there who still is.
    var hasJoined = false
    /// Since when an agent has been called to that room, if none has come.
    var agentCalledAt: Instant?
    /// How many rooms in a row were left because they held nobody.
    var roomsDeserted = 0
    /// Whether an agent was called and did not come in time, and none has been heard since.
    var missesAgent = false
    /// Attempts that failed since the link was lost, or since something gave new hope.
    var failures = 0
    /// Whether this conversation has been connected, so that connecting means coming back.
    var wasConnected = false
    /// When a path notice last started an attempt.
    var latestPathAttempt: Instant?
    /// What feels for the path while voice is lost.
    var probe: PathProbe
    /// How the session keeps from meeting others at a server that was away.
    var restraint = ServerRestraint.none
    /// Whether the token that is fetched comes to all sessions at the same time.
    var sharesTokenTime = false
    /// Whether whoever talks offline has been given the word.
    var isHandedOver = false
    /// Whether statistics ever counted a sent packet, so that their absence means something.
    var countsPackets = false
    /// Whether they ever counted a check of a server's, so that their absence means something.
    var countsServerChecks = false

    var isMuted = false
    /// What the app may do with the audio session, as the session was told last.
    public internal(set) var audio: AudioAccess
    var phase: ScenePhase?
    var path: NetworkPath?
    /// Since when the system says that there is no path.
    var pathLostAt: Instant?
    /// Until when a join of a room object that was let go of may still reach the server.
    var strayJoinUntil: Instant?
    /// Since when such a join has been on its way, the oldest one if there are several.
    var strayJoinSince = Instant.zero
    /// Until when whoever had the audio is taken to have it, although the engine is starting again.
    var audioTakenUntil: Instant?
    var shown = SessionStatus(.disconnected)

    /// Makes an idle session.
    ///
    /// - Parameters:
    ///   - configuration: What can be tuned.
    ///   - seed: The seed of its jitter.
    ///   - audio: What the app may do with the audio session now.
    ///   - operations: The numbers its operations get.
    public init(
        configuration: RealtimeSessionConfiguration,
        seed: UInt64,
        audio: AudioAccess = .available,
        operations: OperationCounter = OperationCounter()
    ) {
        self.configuration = configuration
        self.audio = audio
        self.operations = operations
        probe = PathProbe(configuration: configuration.probe)
        generator = SeededGenerator(seed: seed)
    }

    /// Whether a conversation is wanted now: connected, or being connected.
    public var isActive: Bool {
        switch state {
        case .disconnected: false
        case .fetchingToken, .connecting, .connected, .waiting: true
        }
    }

    /// What the app shows (RS-08).
    public var status: SessionStatus { shown }

    /// When what is under way has taken too long, or the next attempt is due.
    public var deadline: Deadline? {
        .earliest(stateDeadline, .earliest(probe.deadline, firstProbeDeadline))
    }

    private var stateDeadline: Deadline? {
        switch state {
        case .disconnected: nil
        case .fetchingToken: tokens.pending.map { Deadline($0.until, "token timeout") }
        case .connecting(let attempt): Deadline(attempt.until, "connect timeout")
        case .connected(let room):
            .earliest(
                .earliest(room.deadline, audioTakenUntil.map { Deadline($0, "voice engine") }),
                openingDeadline(of: room).map { Deadline($0, "opening") }
            )
        case .waiting(let until, _): Deadline(until, "retry")
        }
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .connectRequested(let identity):
            connectRequested(identity, in: &turn)
        case .becameReady(let identity): becameReady(identity, in: &turn)
        case .disconnectRequested: leave(resumes: false, in: &turn)
        case .scenePhaseChanged(let phase): phaseChanged(phase, in: &turn)
        case .pathChanged(let path): pathChanged(path, in: &turn)
        case .clockChanged(let time): clock = WallClock(showing: time, at: turn.now)
        case .muteChanged(let isMuted):
            self.isMuted = isMuted
            replaceIfUnheard(in: &turn)
        case .audioAccessChanged(let audio):
            accessChanged(audio, at: turn.now)
            replaceIfUnheard(in: &turn)
        case .apiAnswered(let operation, let answer):
            tokenAnswered(operation, answer, in: &turn)
        case .probeAnswered(let operation):
            probeAnswered(operation, in: &turn)
        case .room(let room, let callback):
            roomSpoke(room, callback, in: &turn)
        }
        settle(in: &turn)
    }

    /// Acts on what has taken too long, or starts the attempt or the probe that is due.
    public mutating func wake(in turn: inout Turn<Effect>) {
        // What hangs on time that has passed waits for a fact, or its own deadline (law L2).
        guard let deadline, turn.now >= deadline.instant else { return }
        wakeState(in: &turn)
        settle(in: &turn)
    }

    private mutating func wakeState(in turn: inout Turn<Effect>) {
        switch state {
        case .disconnected:
            return
        case .fetchingToken:
            guard let request = tokens.pending, turn.now >= request.until else { return }
            tokenTimedOut(in: &turn)
        case .connecting(let attempt):
            guard turn.now >= attempt.until, !extend(attempt, at: turn.now) else { return }
            attemptFailed(attempt, .timedOut, in: &turn)
        case .connected(let room):
            watch(room, in: &turn)
        case .waiting(let until, _):
            guard turn.now >= until else { return }
            attempt(in: &turn)
        }
    }
}
