import KodamaNetwork
import KodamaPhone
import SansIO

/// One way between the phone and the server that a transport checks (RFC 8445 §6.1.2).
struct CandidatePair: Sendable, Equatable {
    /// What checks have shown of it (libwebrtc, `p2p/base/connection.h`, `WriteState`).
    enum WriteState: Sendable, Equatable {
        /// Nobody has answered yet.
        case new
        /// Checks are answered.
        case writable
        /// Some were not answered for a while; still used if there is nothing better.
        case unreliable
        /// Nobody has answered for long; it is not checked any more.
        case timedOut
    }

    /// A check without an answer so far.
    struct Check: Sendable, Equatable {
        let transaction: UInt32
        let sent: Instant
    }

    /// The phone's end; unique, as each pair has a port of its own.
    let local: SocketAddress
    /// The server's end.
    let remote: SocketAddress
    /// The ICE session it belongs to.
    let credentials: IceCredentials
    /// The place of its address among the system's favourites, from 0.
    var rank: Int
    var writeState = WriteState.new
    /// Since when its address is gone.
    var lostAt: Instant?
    /// The checks since the last answer, oldest first.
    var unanswered: [Check] = []
    /// The latest checks whose own answer has not come, oldest first: what is answered late is a round
    /// trip, too (libwebrtc, `p2p/base/connection.cc`, `ReceivedPingResponse`).
    var outstanding: [Check] = []
    var checksSent = 0
    var lastSent: Instant?
    var lastReceived: Instant?
    /// Whether anything came in within the receiving time-out.
    var isReceiving = false
    var roundTrip: Duration?
    var roundTripsMeasured = 0

    init(local: SocketAddress, remote: SocketAddress, credentials: IceCredentials, rank: Int) {
        self.local = local
        self.remote = remote
        self.credentials = credentials
        self.rank = rank
    }

    /// Whether it goes by TCP (RFC 6544).
    var isStream: Bool { remote.port == Packet.streamMediaPort }

    /// How well the pair works: 2 both ways, 1 it did until a moment ago, 0 not.
    var usability: Int {
        guard writeState == .writable else { return 0 }
        return isReceiving ? 2 : 1
    }

    /// Whether media should rather go this way than by `other`.
    func isBetter(than other: CandidatePair) -> Bool {
        if usability != other.usability { return usability > other.usability }
        if credentials.generation != other.credentials.generation {
            return credentials.generation > other.credentials.generation
        }
        // A host's candidates by TCP have the lower type preference (libwebrtc, `p2p/base/port.h`,
        // `ICE_TYPE_PREFERENCE_HOST_TCP`).
        if isStream != other.isStream { return other.isStream }
        return rank < other.rank
    }

    /// Whether media may be sent this way: libwebrtc goes on while a pair is merely unreliable
    /// (`p2p/base/p2p_transport_channel.cc`, `ReadyToSend`).
    var carriesMedia: Bool { writeState == .writable || writeState == .unreliable }

    /// When the next check is due.
    ///
    /// - Parameters:
    ///   - isSelected: Whether media goes this way; another working pair is only kept warm.
    ///   - isWeak: Whether the transport as a whole is in need, so that all pairs are checked.
    ///   - timing: The intervals.
    /// - Returns: The instant, or `nil` if the pair is not checked any more.
    func nextCheck(isSelected: Bool, isWeak: Bool, _ timing: RoomClientConfiguration) -> Instant? {
        guard lostAt == nil, writeState != .timedOut else { return nil }
        guard let lastSent else { return .zero }
        guard writeState == .writable, checksSent >= Self.checksAtWeakInterval else {
            return lastSent.advanced(by: timing.iceWeakInterval)
        }
        if let first = unanswered.first, let roundTrip {
            // Answers that are overdue by libwebrtc's measure, two round trips, make it unstable.
            let overdue = first.sent.advanced(by: roundTrip + roundTrip)
            return max(overdue, lastSent.advanced(by: timing.iceStabilizingInterval))
        }
        if isWeak || roundTripsMeasured < Self.roundTripsUntilStable {
            return lastSent.advanced(by: timing.iceStabilizingInterval)
        }
        return lastSent.advanced(
            by: isSelected ? timing.iceStableInterval : Self.backupInterval
        )
    }

    /// When the pair's state changes by time alone.
    func nextChange(_ timing: RoomClientConfiguration) -> Instant? {
        let silent = lastReceived?.advanced(by: timing.iceReceivingTimeout)
        guard isReceiving, let silent else { return nextWriteState(timing) }
        return nextWriteState(timing).map { min($0, silent) } ?? silent
    }

    private func nextWriteState(_ timing: RoomClientConfiguration) -> Instant? {
        let failed = unanswered.first?.sent.advanced(by: timing.iceFailedTimeout)
        switch writeState {
        case .new, .unreliable:
            return lostAt.map { $0.advanced(by: timing.iceFailedTimeout) } ?? failed
        case .writable:
            if let lostAt { return lostAt.advanced(by: timing.iceAddressLossTime) }
            guard unanswered.count >= timing.iceUnansweredChecks else { return nil }
            return unanswered.first?.sent.advanced(by: timing.iceUnwritableTimeout)
        case .timedOut:
            return nil
        }
    }

    /// Changes the state if it is time.
    mutating func update(at now: Instant, _ timing: RoomClientConfiguration) {
        while let change = nextWriteState(timing), change <= now {
            writeState = writeState == .writable ? .unreliable : .timedOut
        }
        if writeState == .timedOut {
            unanswered = []
            outstanding = []
        }
        if let lastReceived, lastReceived.advanced(by: timing.iceReceivingTimeout) <= now {
            isReceiving = false
        }
    }

    mutating func noteReceived(at now: Instant) {
        lastReceived = now
        isReceiving = true
    }

    mutating func noteCheck(_ transaction: UInt32, at now: Instant) {
        lastSent = now
        checksSent += 1
        let check = Check(transaction: transaction, sent: now)
        unanswered.append(check)
        let forgotten = outstanding.prefix { $0.sent.advanced(by: Self.answerTimeout) <= now }.count
        outstanding.removeFirst(forgotten)
        outstanding.append(check)
    }

    /// Takes an answer.
    ///
    /// - Returns: The round trip, if the check that is answered is remembered.
    mutating func noteAnswer(_ transaction: UInt32, at now: Instant) -> Duration? {
        noteReceived(at: now)
        guard let place = outstanding.lastIndex(where: { $0.transaction == transaction }) else {
            return nil
        }
        let check = outstanding.remove(at: place)
        let sample = check.sent.duration(to: now)
        // A quarter of each sample (libwebrtc, `p2p/base/connection.cc`, `RTT_RATIO`).
        roundTrip = roundTrip.map { ($0 * 3 + sample) / 4 } ?? sample
        roundTripsMeasured += 1
        unanswered = []
        // The first round trip opens the stream; what was sent meanwhile was not sent by it.
        guard !isStream || roundTripsMeasured > 1 else {
            outstanding = []
            return sample
        }
        writeState = .writable
        return sample
    }

    /// How many checks go out at the weak interval (libwebrtc, `p2p/base/p2p_constants`,
    /// `kMinPingsAtWeakPingInterval`).
    static let checksAtWeakInterval = 3
    /// How many round trips make a pair stable: more than `RTT_RATIO` + 1, which is 4 (libwebrtc,
    /// `p2p/base/connection.cc`, `rtt_converged`).
    static let roundTripsUntilStable = 5
    /// For how long an answer to a check counts: 60 s, as on some networks round trips take that long
    /// (libwebrtc, `p2p/base/p2p_constants`, `CONNECTION_RESPONSE_TIMEOUT`).
    static let answerTimeout: Duration = .seconds(60)
    /// The time between checks of a pair that works but is not used: 25 s (libwebrtc,
    /// `p2p/base/p2p_constants`, `kBackupConnectionPingInterval`).
    static let backupInterval: Duration = .seconds(25)
}
