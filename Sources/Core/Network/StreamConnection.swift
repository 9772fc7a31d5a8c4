public import SansIO

/// One side of a reliable stream that carries whole messages in order: TCP with TLS 1.3 inside.
///
/// The client needs one round trip for the lookup (if `looksUp`), one for TCP, one for TLS; the
/// answer to its first message comes one later. Lost segments come back by RFC 6298's timer, doubled
/// up to 60 s, when later ones have arrived (SACK, RFC 2018; RACK, RFC 8985 §6), or after a probe for the
/// tail (RFC 8985 §7); ten segments may be under way at first (RFC 6928), twice as many each round trip
/// in slow start if so many are sent, and ten again after a pause. Everything is acknowledged at once.
/// There is no delayed acknowledgement and no half-closed state: what the other side still has on its way
/// when its `finish` crosses ours is lost.
///
/// An idle connection sends nothing: if the path dies silently, neither side notices until it sends.
public struct StreamConnection: StateMachine {
    /// Who opens the connection.
    public enum Role: Sendable, Hashable {
        /// This side.
        case client
        /// The other side.
        case server
    }

    /// Where the connection stands.
    enum Phase: Sendable, Equatable {
        case idle
        case lookingUp
        case handshaking
        case open
        case closing
        case ended
    }

    /// One numbered segment that waits for its acknowledgement or its turn.
    struct Piece: Sendable, Equatable {
        var kind: StreamSegment.Kind
        var wireBytes: Int
        /// When it was sent last.
        var sentAt = Instant.zero
        /// Whether it was sent more than once.
        var isRepeated = false
        /// Whether the other side has it, though not all before it.
        var hasArrived = false
        /// Whether it counts as lost and waits to be sent again.
        var isLost = false
    }

    /// The segment sent last of those that have arrived (RFC 8985 §5.2).
    struct LatestArrival: Sendable, Equatable {
        var sentAt: Instant
        var sequence: UInt32
        /// From its last sending to its acknowledgement, in nanoseconds.
        var roundTrip: Int64
    }

    /// A segment whose round trip is being measured.
    struct Timed: Sendable, Equatable {
        var sequence: UInt32
        var sent: Instant
    }

    /// How much of the window was used in the latest round trip.
    struct WindowUse: Sendable, Equatable {
        /// The most segments under way.
        var most = 0
        /// Whether more would have been sent, had there been room.
        var isLimited = false
        /// The last segment of the round trip.
        var until: UInt32 = 0
    }

    /// How many segments may be under way at first (RFC 6928).
    static let firstWindow = 10
    /// The most segments under way, and the most kept that came out of order.
    static let windowMax = 64
    /// How long opening may take: 75 s (XNU, `bsd/netinet/tcp_timer.h`, `TCPTV_KEEP_INIT`).
    static let openTimeout: Duration = .seconds(75)
    /// How often in a row the timer may run out: 12 (as above, `TCP_MAXRXTSHIFT`).
    static let expiriesMax = 12
    /// The shortest wait before the tail is probed, in nanoseconds: 2 ms (Linux, `TCP_TIMEOUT_MIN`).
    static let probeWaitMin: Int64 = 2_000_000
    /// How long an acknowledgement may be delayed, in nanoseconds: 200 ms (Linux, `TCP_RTO_MIN`, as its
    /// tail loss probe assumes).
    static let acknowledgementDelayMax: Int64 = 200_000_000

    let role: Role
    let looksUp: Bool
    let delaysFirstMessage: Bool
    var phase = Phase.idle
    var timer = RetransmissionTimer()
    var retransmitAt: Instant?
    var openBy: Instant?

    // Sending: `pieces[0]` has the number `firstUnacknowledged`; the first `underWay` are sent.
    var messagesWaiting: [StreamMessage] = []
    var pieces: [Piece] = []
    var firstUnacknowledged: UInt32 = 1
    var underWay = 0
    var highestSent: UInt32 = 0
    /// The number of the client's Finished while what follows waits for its acknowledgement.
    var heldBehind: UInt32?
    var timed: Timed?
    var window = StreamConnection.firstWindow
    var windowCredit = 0
    var windowUse = WindowUse()
    /// When a segment was sent last.
    var latestSend: Instant?
    var slowStartUntil = StreamConnection.windowMax
    var recoveringUntil: UInt32?
    var latestArrival: LatestArrival?
    /// The shortest round trip measured, in nanoseconds.
    var leastRoundTrip = Int64.max
    /// When what may only have been overtaken counts as lost.
    var reorderingAt: Instant?
    /// When the tail is probed.
    var probeAt: Instant?

    // Receiving.
    var expected: UInt32 = 1
    var early: [StreamSegment] = []
    var serverHellos = 0
    var owesAcknowledgement = false

    /// Makes one side of a connection that is not open yet.
    ///
    /// - Parameters:
    ///   - role: Who opens it.
    ///   - looksUp: Whether the client must ask for the server's address first.
    ///   - delaysFirstMessage: Whether the client's first message waits until the end of its handshake is
    ///     acknowledged, one round trip, as a small segment does behind another one unless the app
    ///     switches Nagle's algorithm off (RFC 9293 §3.7.4). Later messages are not held.
    public init(role: Role, looksUp: Bool = false, delaysFirstMessage: Bool = false) {
        self.role = role
        self.looksUp = looksUp
        self.delaysFirstMessage = delaysFirstMessage
    }

    /// Messages of a whole window, the segments of a window, an acknowledgement, an end.
    public static var effectsPerCallMax: Int { 2 * windowMax + 4 }

    /// Whether it was closed.
    public var isFinished: Bool { phase == .ended }

    /// Whether TCP and TLS are done and nobody has closed it.
    public var isOpen: Bool { phase == .open }

    /// When a segment counts as lost, or opening has taken too long.
    public var deadline: Deadline? {
        .earliest(
            .earliest(
                retransmitAt.map { Deadline($0, "retransmission") },
                openBy.map { Deadline($0, "connect time-out") }
            ),
            .earliest(
                reorderingAt.map { Deadline($0, "reordering window") },
                probeAt.map { Deadline($0, "tail loss probe") }
            )
        )
    }

    /// Takes one fact.
    public mutating func handle(_ event: StreamEvent, in turn: inout Turn<StreamEffect>) {
        guard phase != .ended else { return }
        switch event {
        case .open: open(in: &turn)
        case .send(let message): send(message, in: &turn)
        case .close: close(in: &turn)
        case .abort: abort(in: &turn)
        case .fail: end(.failed, in: &turn)
        case .received(let segment): receive(segment, in: &turn)
        }
    }

    /// Repeats what counts as lost, or gives up.
    public mutating func wake(in turn: inout Turn<StreamEffect>) {
        if let openBy, turn.now >= openBy {
            end(.failed, in: &turn)
        } else if let retransmitAt, turn.now >= retransmitAt, probeAt.map({ turn.now < $0 }) ?? true
        {
            retransmit(in: &turn)
        } else {
            if let reorderingAt, turn.now >= reorderingAt { repair(in: &turn) }
            // Before the timer, which it starts anew.
            if let probeAt, turn.now >= probeAt { probe(in: &turn) }
        }
    }

    private mutating func open(in turn: inout Turn<StreamEffect>) {
        guard role == .client, phase == .idle else { return }
        openBy = turn.now.advanced(by: Self.openTimeout)
        guard looksUp else { return synchronize(in: &turn) }
        phase = .lookingUp
        lookUp(in: &turn)
    }

    mutating func synchronize(in turn: inout Turn<StreamEffect>) {
        phase = .handshaking
        timer.linearExpiries = RetransmissionTimer.linearExpiriesOfSynchronize
        pieces.append(Piece(kind: .synchronize, wireBytes: StreamSizes.synchronize))
        pump(in: &turn)
    }

    mutating func becomeOpen(in turn: inout Turn<StreamEffect>) {
        phase = .open
        openBy = nil
        turn.order(.opened)
        for message in messagesWaiting {
            cut(message)
        }
        messagesWaiting = []
    }

    private mutating func close(in turn: inout Turn<StreamEffect>) {
        switch phase {
        case .idle, .lookingUp:
            end(.finished, in: &turn)
        case .handshaking:
            // There is nothing to say farewell to yet: the socket goes, as `close` with data unread.
            abort(in: &turn)
        case .open:
            phase = .closing
            pieces.append(Piece(kind: .finish, wireBytes: StreamSizes.headers))
            pump(in: &turn)
        case .closing, .ended:
            break
        }
    }

    private mutating func abort(in turn: inout Turn<StreamEffect>) {
        switch phase {
        case .idle, .lookingUp, .ended: break
        case .handshaking, .open, .closing:
            turn.order(.transmit(reset, wireBytes: StreamSizes.reset))
        }
        end(.finished, in: &turn)
    }

    private var reset: StreamSegment {
        StreamSegment(.reset, sequence: 0, acknowledgement: expected)
    }

    mutating func end(_ closure: StreamClosure, in turn: inout Turn<StreamEffect>) {
        phase = .ended
        retransmitAt = nil
        openBy = nil
        reorderingAt = nil
        probeAt = nil
        messagesWaiting = []
        pieces = []
        early = []
        underWay = 0
        turn.order(.closed(closure))
    }
}

extension StreamConnection {
    /// Says what a host does with a segment for which it has no connection.
    ///
    /// Anything but a reset is answered with one (RFC 9293 §3.10.7.1); a lookup is answered by the
    /// resolver, which the server's site stands for.
    ///
    /// - Parameters:
    ///   - segment: What came in.
    ///   - isListening: Whether a process accepts connections at the port.
    /// - Returns: Whether to make a connection of it, to answer it, or to drop it.
    public static func stray(
        _ segment: StreamSegment,
        isListening: Bool = true
    ) -> StraySegment {
        switch segment.kind {
        case .synchronize where isListening:
            .opensConnection
        case .lookup:
            .answered(
                StreamSegment(.lookupAnswer, sequence: 0, acknowledgement: 0),
                wireBytes: StreamSizes.lookupAnswer
            )
        case .reset, .lookupAnswer:
            .dropped
        case .synchronize, .synchronizeAcknowledge, .clientHello, .serverHello, .data,
            .acknowledge, .finish:
            .answered(
                StreamSegment(.reset, sequence: 0, acknowledgement: segment.sequence &+ 1),
                wireBytes: StreamSizes.reset
            )
        }
    }
}
