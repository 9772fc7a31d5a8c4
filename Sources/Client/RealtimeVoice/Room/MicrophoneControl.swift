import SansIO

/// Brings the microphone's track of one room object to where it should be, and keeps doubting it.
///
/// Orders are given one at a time. What the SDK confirms is not always so: a mute whose signalling was
/// lost leaves the server with another idea (client-sdk-swift, issue 367), and a track that was muted
/// through a full reconnect may not be published when it is unmuted (client-sdk-android, issue 109).
/// So whether a switch took effect is read from the packets that are sent: they grow, or stop.
/// An open track that is doubted is muted and opened again, which makes the SDK signal it anew. A muted
/// one that goes on sending is muted again, and never opened to be sure.
struct MicrophoneControl: Sendable, Equatable {
    /// What is known of the track.
    enum State: Sendable, Equatable {
        /// Nothing.
        case unknown
        /// An order is being carried out.
        case ordered(OperationID, isEnabled: Bool, until: Instant)
        /// The SDK says that the order was carried out.
        case confirmed(isEnabled: Bool)
        /// The SDK says that the track is open, but the server may not know.
        case doubted
        /// The order failed; the next one is given at `until`.
        case failed(until: Instant)
    }

    /// How long an order may take: the SDK's own 10 s for a publication and its answer
    /// (client-sdk-swift, `Extensions/TimeInterval.swift`) and a little more.
    static let orderTimeout = Duration.seconds(12)
    /// How long an order is left to itself whose signalling may be dead.
    static let answerTime = Duration.seconds(1)
    /// The wait after a failed order.
    static let retryDelay = Duration.seconds(1)
    /// How many failures in a row a room object is allowed.
    static let failuresMax = 3
    /// After how many statistics without a sent packet, a second apart, an open track is doubted.
    static let silentReportsMax = 4
    /// How long after a switch that opened the track packets must have been sent: the engine starts
    /// again in less, and even with DTX there is a packet every 400 ms (RFC 6716 §2.1.9).
    static let switchTime = Duration.milliseconds(500)
    /// The most packets that a muted track may send between two statistics, a second apart: with DTX
    /// silence is a packet every 400 ms (as above), voice is 50 a second.
    static let mutedPacketsMax: Int64 = 10
    /// How long signalling may be dead before the SDK notices: a switch in this time may have been
    /// lost (client-sdk-swift, `Core/SignalClient.swift`: 15 to 20 s).
    static let signallingDoubt = Duration.seconds(20)

    private(set) var state = State.unknown
    private(set) var failures = 0
    /// Since when opening the track has not been confirmed, however often it was ordered.
    private(set) var unopenedSince: Instant?
    /// When the track was last switched; a publication does not count, the server answers it.
    private var switchedAt: Instant?
    /// Whether the server has taken the track once.
    private var isPublished = false
    /// When the SDK confirmed a switch that the packets have yet to show.
    private var unprovenSince: Instant?
    private var packetsSent: Int64 = 0
    private var silentReports = 0

    /// Whether an open track has yet to be told to the server, or may have been told to nobody because
    /// signalling may have been dead since `doubted`.
    ///
    /// A publication under way is answered within a round trip, on most paths within `answerTime`.
    func needsSignalling(since doubted: Instant, at now: Instant) -> Bool {
        switch state {
        case .unknown, .doubted, .failed, .confirmed(isEnabled: false): true
        case .ordered(_, _, let until):
            now.advanced(by: Self.orderTimeout) >= until.advanced(by: Self.answerTime)
        case .confirmed(isEnabled: true): openedAt.map { $0 >= doubted } ?? false
        }
    }

    /// Whether the answer to this order is still waited for.
    func awaits(_ operation: OperationID) -> Bool {
        guard case .ordered(operation, _, _) = state else { return false }
        return true
    }

    /// When the publication was ordered that this operation is, if it is one.
    ///
    /// The first order of a room object that opens the track is: the server answers it, as it does no switch.
    func publicationOrderedAt(_ operation: OperationID) -> Instant? {
        guard case .ordered(operation, isEnabled: true, let until) = state, !isPublished
        else { return nil }
        return until.advanced(by: .zero - Self.orderTimeout)
    }

    /// Whether orders fail, or do nothing.
    var isFailing: Bool { failures > 0 }

    /// Whether the SDK says that the track is open.
    var isOpen: Bool {
        switch state {
        case .confirmed(let isEnabled): isEnabled
        case .doubted: true
        case .unknown, .ordered, .failed: false
        }
    }

    /// When the track was switched on that is open now, as far as the SDK says.
    var openedAt: Instant? { state == .confirmed(isEnabled: true) ? switchedAt : nil }

    /// Whether the SDK says where its switch is, with no order under way.
    var isSwitched: Bool {
        switch state {
        case .confirmed, .doubted: true
        case .unknown, .ordered, .failed: false
        }
    }

    /// Whether the room object should be given up for another one.
    var isHopeless: Bool { failures >= Self.failuresMax }

    var deadline: Deadline? {
        switch state {
        case .unknown, .confirmed, .doubted: nil
        case .ordered(_, _, let until): Deadline(until, "microphone timeout")
        case .failed(let until): Deadline(until, "microphone retry")
        }
    }

    /// The order that is to be given now, if the track is not as it should be.
    mutating func settle(
        isEnabled wanted: Bool,
        at now: Instant,
        operations: inout OperationCounter
    ) -> RoomCommand? {
        switch state {
        case .unknown:
            return order(wanted, at: now, &operations)
        case .confirmed(let isEnabled):
            guard isEnabled != wanted else { return nil }
            switchedAt = now
            return order(wanted, at: now, &operations)
        case .doubted:
            switchedAt = now
            return order(false, at: now, &operations)
        case .ordered, .failed:
            return nil
        }
    }

    private mutating func order(
        _ isEnabled: Bool,
        at now: Instant,
        _ operations: inout OperationCounter
    ) -> RoomCommand {
        // What could not be opened need not be any more.
        if !isEnabled, state == .unknown, unopenedSince != nil { failures = 0 }
        let operation = operations.next()
        let until = now.advanced(by: Self.orderTimeout)
        state = .ordered(operation, isEnabled: isEnabled, until: until)
        unopenedSince = isEnabled ? unopenedSince ?? now : nil
        silentReports = 0
        unprovenSince = nil
        return .setMicrophone(operation, isEnabled: isEnabled)
    }

    /// Takes the SDK's answer to an order.
    ///
    /// Where nobody counts packets, a confirmation is all the proof there is.
    mutating func finished(
        _ operation: OperationID,
        _ error: RoomError?,
        countsPackets: Bool,
        at now: Instant
    ) {
        guard case .ordered(operation, let isEnabled, _) = state else { return }
        guard error == nil else { return fail(at: now) }
        state = .confirmed(isEnabled: isEnabled)
        if isEnabled { isPublished = true }
        unprovenSince = switchedAt == nil ? nil : now
        unopenedSince = nil
        if !countsPackets { failures = 0 }
    }

    /// Compares the track with what was sent since the statistics before.
    ///
    /// - Parameters:
    ///   - latest: The packets sent so far.
    ///   - isTelling: Whether a count that stands still means something: packets are counted at all,
    ///     and the link is alive.
    ///   - now: The present.
    mutating func observe(packetsSent latest: Int64, isTelling: Bool, at now: Instant) {
        let sent = latest - packetsSent
        packetsSent = latest
        if state == .confirmed(isEnabled: false) { return observeMuted(sent: sent, at: now) }
        guard sent <= 0 else {
            unprovenSince = nil
            silentReports = 0
            failures = 0
            return
        }
        guard isTelling, state == .confirmed(isEnabled: true) else { return }
        silentReports += 1
        let isUnproven = unprovenSince.map { now >= $0.advanced(by: Self.switchTime) } ?? false
        guard isUnproven || silentReports >= Self.silentReportsMax else { return }
        silentReports = 0
        failures += 1
        state = .doubted
    }

    /// Mutes a track again that goes on sending; the first statistics tell of the time before, too.
    private mutating func observeMuted(sent: Int64, at now: Instant) {
        guard sent > Self.mutedPacketsMax else {
            unprovenSince = nil
            failures = 0
            return
        }
        guard let confirmed = unprovenSince else {
            unprovenSince = now
            return
        }
        guard now >= confirmed.advanced(by: .seconds(1)) else { return }
        failures += 1
        state = .unknown
    }

    /// Forgets what is known: the SDK published its tracks anew.
    ///
    /// An order in flight is still answered.
    mutating func forget() {
        switch state {
        case .unknown, .ordered:
            return
        case .confirmed, .doubted, .failed:
            state = .unknown
            switchedAt = nil
        }
    }

    /// Counts anew how long opening the track takes: what went before proves nothing.
    mutating func restartOpening(at now: Instant) {
        if unopenedSince != nil { unopenedSince = now }
    }

    /// Forgets how often it failed: TCP was to blame.
    mutating func forgiveFailures() { failures = 0 }

    /// Doubts an open track that was switched when signalling may have been dead, from `untold` on.
    mutating func doubt(switchedFrom untold: Instant) {
        guard let openedAt, openedAt >= untold else { return }
        state = .doubted
    }

    mutating func wake(at now: Instant) {
        switch state {
        case .unknown, .confirmed, .doubted:
            return
        case .ordered(_, _, let until):
            if now >= until { fail(at: now) }
        case .failed(let until):
            if now >= until { state = .unknown }
        }
    }

    private mutating func fail(at now: Instant) {
        failures += 1
        state = .failed(until: now.advanced(by: Self.retryDelay))
    }
}
