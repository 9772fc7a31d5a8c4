import KodamaNetwork
import KodamaPhone
import RealtimeVoice
import SansIO

/// The SDK's signal connection: one socket to the room server, its join and its pings
/// (client-sdk-swift, `Core/SignalClient.swift`).
///
/// The upgrade of the WebSocket and its answer are one exchange here: the request to join goes out
/// as soon as TLS is done, and what the server says first is its answer.
struct SignalClient: StateMachine {
    /// What it takes to connect.
    struct Attempt: Sendable, Equatable {
        /// Where the socket opens; `nil` without any network.
        var source: SocketAddress?
        /// The request to join or resume.
        var request: SignalRequest
        /// Whether the server's name must be looked up first.
        var looksUp: Bool
        /// How long TCP and TLS may take.
        var socketTimeout: Duration
        /// How long the system takes to notice that there is no network.
        var offlineTime: Duration
    }

    enum Event: Sendable, Equatable {
        /// Connects; whatever was before is closed.
        case connect(Attempt)
        /// Says something; queued until the server has answered.
        case send(SignalRequest)
        /// Closes the connection.
        case close
        /// A packet for one of the sockets.
        case packet(Packet)
        /// The system reports that sockets of this address are broken.
        case socketsFailed(NetworkAddress)
    }

    enum Effect: Sendable, Equatable {
        /// Sends a packet.
        case transmit(Packet)
        /// The server has let us in.
        case connected(SignalResponse)
        /// The attempt failed.
        case failed(SignalFailure)
        /// The server said something.
        case received(SignalResponse)
        /// The connection is gone.
        case lost(DetectionCause)
    }

    enum State: Sendable, Equatable {
        case disconnected
        case offline(until: Instant)
        case opening(request: SignalRequest, until: Instant)
        case joining(until: Instant)
        case connected
    }

    static var effectsPerCallMax: Int { 4 * StreamConnection.effectsPerCallMax + 4 }
    /// How many sockets may be closing at a time; a bound, not a figure of the SDK's.
    static let closingMax = 4

    let server: SocketAddress
    let joinTimeout: Duration
    /// Z1: the answer to a resume does not bring back what the pings need.
    let forgetsPingsAfterResume: Bool
    let delaysFirstMessage: Bool
    var state = State.disconnected
    var socket: SignalSocket?
    var closing: [SignalSocket] = []
    var queue: [SignalRequest] = []
    var pings: SignalPings
    /// What the socket ordered and nothing has followed from yet; empty between calls.
    var streamEffects: [StreamEffect] = []

    init(server: SocketAddress, configuration: RoomClientConfiguration) {
        self.server = server
        joinTimeout = configuration.curve.joinResponseTimeout(configuration)
        forgetsPingsAfterResume =
            configuration.curve == .swift && configuration.defects.forgetsPingsAfterResume
        delaysFirstMessage = configuration.curve.delaysFirstMessage
        pings = SignalPings(
            rule: configuration.curve.pingRule,
            rearms: configuration.defects.rearmsPingDeadline
        )
    }

    /// An object may connect again, so it never ends by itself.
    var isFinished: Bool { false }

    var isConnected: Bool { state == .connected }

    var isOpening: Bool {
        if case .opening = state { true } else { false }
    }

    var deadline: Deadline? {
        var earliest = socket?.stream.deadline
        for socket in closing {
            earliest = .earliest(earliest, socket.stream.deadline)
        }
        switch state {
        case .disconnected: return earliest
        case .offline(let until): return .earliest(earliest, Deadline(until, "offline"))
        case .opening(_, let until): return .earliest(earliest, Deadline(until, "socket time-out"))
        case .joining(let until): return .earliest(earliest, Deadline(until, "join time-out"))
        case .connected: return .earliest(earliest, pings.deadline)
        }
    }

    mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .connect(let attempt): connect(attempt, in: &turn)
        case .send(let request): send(request, in: &turn)
        case .close: close(in: &turn)
        case .packet(let packet): receive(packet, in: &turn)
        case .socketsFailed(let address): fail(address, in: &turn)
        }
    }

    mutating func wake(in turn: inout Turn<Effect>) {
        wakeSockets(in: &turn)
        switch state {
        case .disconnected:
            break
        case .offline(let until):
            if turn.now >= until { fail(.offline, in: &turn) }
        case .opening(_, let until):
            if turn.now >= until { fail(.socketTimeout, in: &turn) }
        case .joining(let until):
            if turn.now >= until { fail(.joinTimeout, in: &turn) }
        case .connected:
            ping(in: &turn)
        }
    }

    private mutating func connect(_ attempt: Attempt, in turn: inout Turn<Effect>) {
        close(in: &turn)
        guard let source = attempt.source else {
            state = .offline(until: turn.now.advanced(by: attempt.offlineTime))
            if attempt.offlineTime <= .zero { fail(.offline, in: &turn) }
            return
        }
        let stream = StreamConnection(
            role: .client,
            looksUp: attempt.looksUp,
            delaysFirstMessage: delaysFirstMessage
        )
        socket = SignalSocket(source: source, stream: stream)
        let until = turn.now.advanced(by: attempt.socketTimeout)
        state = .opening(request: attempt.request, until: until)
        drive(.open, in: &turn)
    }

    private mutating func send(_ request: SignalRequest, in turn: inout Turn<Effect>) {
        switch state {
        case .disconnected: break
        case .offline, .opening, .joining: queue.append(request)
        case .connected: drive(.send(request.message), in: &turn)
        }
    }

    /// Closes what is there; a socket that was open says farewell in its own time.
    mutating func close(in turn: inout Turn<Effect>) {
        state = .disconnected
        queue = []
        pings.stop()
        guard var leaving = socket else { return }
        socket = nil
        streamEffects += leaving.stream.drive(.close, at: turn.now)
        relayTransmissions(of: leaving.source, in: &turn)
        guard !leaving.stream.isFinished else { return }
        if closing.count == Self.closingMax { closing.removeFirst() }
        closing.append(leaving)
    }

    mutating func fail(_ failure: SignalFailure, in turn: inout Turn<Effect>) {
        close(in: &turn)
        turn.order(.failed(failure))
    }
}

/// A socket of the signal connection.
struct SignalSocket: Sendable, Equatable {
    /// Its own end.
    let source: SocketAddress
    /// What runs over it.
    var stream: StreamConnection
}

/// Why a signal connection did not come about.
enum SignalFailure: Sendable, Equatable {
    case offline
    case socketTimeout
    case joinTimeout
    case refused(statusCode: Int)
    case leave(LeaveRequest)
    /// The other side reset the socket, or nobody listened there.
    case socketReset
    case socketBroken

    /// The failure as the trace counts it.
    var attemptFailure: AttemptFailure {
        switch self {
        case .offline: .offline
        case .socketTimeout: .socketTimeout
        case .joinTimeout: .joinTimeout
        case .refused: .refused
        case .leave: .serverLeave
        case .socketReset, .socketBroken: .socketBroken
        }
    }
}
