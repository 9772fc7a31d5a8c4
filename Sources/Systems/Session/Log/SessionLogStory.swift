import KodamaLanguage
import SansIO

/// What happened to a session by its log: when the connection was lost and came back, and what was done.
struct SessionLogStory {
    /// A time in which the app or the server missed the connection.
    struct Loss: Sendable {
        /// When somebody noticed, and who.
        var noticed: Instant
        var place: LoggedLine.Place
        var isByServer: Bool
        /// When the connection was last known to work before.
        var lastAlive: Instant
        /// When it was last known not to work.
        var lastSign: Instant
        /// When it was there again.
        var restored: (instant: Instant, place: LoggedLine.Place)?
    }

    private(set) var losses: [Loss] = []
    private(set) var acts: [LoggedAct] = []
    /// How long the shortest connect took that the log shows.
    private(set) var shortestConnect = Duration.seconds(60)

    private let told: [LoggedPath.Told]
    private var open: Loss?
    private var lastAlive: Instant?
    private var connectingSince: Instant?
    private var session: String?
    private var isAway = false
    private var wayBack: Instant?
    /// Whether the user has ended the conversation, or the server has for good.
    private var hasEnded = false
    /// What the server did last, and when.
    private var acted: (reason: SessionLogEvent.LeaveReason, instant: Instant)?

    /// A connect where the log shows none: what Kodama's own client needs on a good link.
    private static let usualConnect = Duration.milliseconds(430)
    /// How much later than what was told a loss may be noticed that it explains: the ping timeout that LiveKit's
    /// server gives its clients (livekit/livekit, `pkg/rtc/participant.go`).
    static let settling = Duration.seconds(15)
    /// How much earlier an app may notice than the system says so.
    private static let foreboding = Duration.seconds(2)

    /// Reads events in the order of time, beside what the system told.
    ///
    /// - Parameters:
    ///   - events: What the app and the server wrote.
    ///   - told: What the system told of the network.
    ///   - start: When the session is taken to be connected, if the log begins in the middle of it.
    ///   - scenario: Takes the lines of which nothing is made.
    init(
        _ events: [SessionLogEvent],
        told: [LoggedPath.Told],
        aliveFrom start: Instant?,
        leaving scenario: inout LoggedScenario
    ) {
        self.told = told
        lastAlive = start
        for event in events { take(event, leaving: &scenario) }
        if let open { losses.append(open) }
        if shortestConnect == .seconds(60) { shortestConnect = Self.usualConnect }
    }

    private mutating func take(_ event: SessionLogEvent, leaving scenario: inout LoggedScenario) {
        switch event.kind {
        case .connecting:
            // A connect that is begun anew has not come through; the path may be back for as long as one takes.
            if open != nil, connectingSince != nil {
                let takes = min(shortestConnect, Self.usualConnect)
                open?.lastSign = event.instant.advanced(by: .zero - takes)
            }
            connectingSince = event.instant
            if hasEnded {
                add(user: "connect", event)
            } else if open == nil {
                // A client that connects anew while it is connected has lost its connection.
                lose(event)
            }
            hasEnded = false
        case .connected, .reconnected: restore(event)
        case .failed: lose(event)
        case .reconnecting: lose(event)
        case .disconnected(let reason):
            let leave = reason.map { SessionLogEvent.LeaveReason(saidByApp: $0) }
            if let leave { _ = takeLeave(event, leave) }
            let isAsked = leave == nil || leave == .clientInitiated
            if !isAsked || open != nil || isExplained(event.instant) {
                lose(event)
            } else if !hasEnded {
                add(user: "disconnect", event)
                hasEnded = true
            }
        case .muted: add(user: "mute", event)
        case .unmuted: add(user: "unmute", event)
        case .background:
            add(user: "leave-app", event)
            isAway = true
        case .foreground:
            add(user: "open-app", event)
            (isAway, wayBack) = (false, event.instant)
        case .joined, .left, .aborted, .agentLeft: takeServer(event, leaving: &scenario)
        }
    }

    private mutating func takeServer(
        _ event: SessionLogEvent,
        leaving scenario: inout LoggedScenario
    ) {
        switch event.kind {
        case .joined(let session):
            self.session = session
            if hasEnded { add(user: "connect", event) }
            hasEnded = false
            // The app's own word on its connection is finer.
            if open?.isByServer ?? true { restore(event) }
        case .left(let session, let reason):
            guard session == nil || self.session == nil || session == self.session else {
                scenario.leave(event.place, "webhooks of sessions that another had replaced")
                return
            }
            self.session = nil
            if !takeLeave(event, reason) { lose(event, isByServer: true) }
        case .aborted: lose(event, isByServer: true)
        case .agentLeft(let reason):
            // An agent goes with its user, and with its room.
            guard open == nil, !hasEnded, session != nil, !reason.isOfRoom else {
                scenario.leave(event.place, "webhooks of agents that left with their user")
                return
            }
            acts.append(
                LoggedAct(
                    at: event.instant,
                    ["agent": ["does": "leave", "of": "phone"]],
                    "\(event.place), to the second"
                )
            )
        default: break
        }
    }

    /// Takes what the server or the user did, by the reason for which the user's participant was closed.
    ///
    /// The webhook and the app's own line may both tell of it; the first one counts.
    ///
    /// - Returns: Whether the reason says what happened; if not, the connection was lost.
    private mutating func takeLeave(
        _ event: SessionLogEvent,
        _ reason: SessionLogEvent.LeaveReason
    ) -> Bool {
        let isKnown = acted.map { acted in
            acted.reason == reason && acted.instant.duration(to: event.instant) <= Self.settling
        }
        if isKnown ?? false { return true }
        switch reason {
        case .clientInitiated:
            guard event.isOfServer, open == nil, !hasEnded, !isExplained(event.instant) else {
                return true
            }
            add(user: "disconnect", event)
            hasEnded = true
        case .serverShutdown:
            add(server: ["does": "restart", "for": "5s"], reason, event, ", 5s is a guess")
        case .participantRemoved:
            add(leave: "disconnect", "participant-removed", reason, event)
            hasEnded = true
        case .roomDeleted, .roomClosed:
            add(leave: "disconnect", "room-deleted", reason, event)
            hasEnded = true
        case .migration: add(leave: "reconnect", "migration", reason, event)
        case .stateMismatch: add(leave: "reconnect", "state-mismatch", reason, event)
        case .duplicateIdentity:
            // By a webhook it may be the user's own next session, of which another webhook comes later.
            guard !event.isOfServer else { return true }
            add(leave: "disconnect", "duplicate-identity", reason, event)
            hasEnded = true
        case .unknown, .joinFailure, .signalClose, .connectionTimeout: return false
        }
        return true
    }

    // MARK: Losses

    private mutating func lose(_ event: SessionLogEvent, isByServer: Bool = false) {
        if open != nil {
            if !isByServer { open?.lastSign = event.instant }
            return
        }
        guard lastAlive != nil, !hasEnded else { return }
        open = Loss(
            noticed: event.instant,
            place: event.place,
            isByServer: isByServer,
            lastAlive: lastAlive ?? event.instant,
            lastSign: event.instant
        )
    }

    private mutating func restore(_ event: SessionLogEvent) {
        if let connectingSince, event.kind == .connected {
            shortestConnect = min(shortestConnect, connectingSince.duration(to: event.instant))
        }
        connectingSince = nil
        lastAlive = event.instant
        guard var loss = open else { return }
        loss.restored = (event.instant, event.place)
        open = nil
        if !isOfUserOrServer(loss) { losses.append(loss) }
    }

    /// Whether an app loses its connection by then because of what the system told.
    private func isExplained(_ instant: Instant) -> Bool {
        told.contains { Self.explains($0, instant) }
    }

    /// Whether an app loses its connection by then because of one thing that the system told.
    static func explains(_ told: LoggedPath.Told, _ instant: Instant) -> Bool {
        told.begin <= instant.advanced(by: foreboding)
            && instant <= told.end.advanced(by: settling)
    }

    /// Whether an app lost its connection that slept, or since the server made it.
    private func isOfUserOrServer(_ loss: Loss) -> Bool {
        let causes = [isAway ? loss.noticed : nil, wayBack, acted?.instant].compactMap(\.self)
        return causes.contains { cause in
            cause <= loss.noticed && loss.noticed <= cause.advanced(by: Self.settling)
        }
    }

    /// The losses that nothing explains of what was told.
    var untold: [Loss] { losses.filter { !isExplained($0.noticed) } }

    /// What was told first after an instant and before another.
    func told(after begin: Instant, before end: Instant?) -> LoggedPath.Told? {
        told.first { one in
            one.begin > begin && (end.map { one.begin < $0 } ?? true)
        }
    }

    // MARK: Acts

    private mutating func add(user word: String, _ event: SessionLogEvent) {
        let act: DocumentNode = ["user": ["of": "phone", "does": .plain(word)]]
        acts.append(LoggedAct(at: event.instant, act, "\(event.place)"))
    }

    private mutating func add(
        server act: DocumentNode,
        _ reason: SessionLogEvent.LeaveReason,
        _ event: SessionLogEvent,
        _ more: String = ""
    ) {
        // An app that looked for its connection before it was told why had lost it by that.
        let instant =
            event.isOfServer ? event.instant : min(open?.noticed ?? event.instant, event.instant)
        acted = (reason, instant)
        let exact = event.isOfServer ? ", to the second" : ""
        acts.append(LoggedAct(at: instant, ["server": act], "\(event.place)\(exact)\(more)"))
    }

    private mutating func add(
        leave action: String,
        _ word: String,
        _ reason: SessionLogEvent.LeaveReason,
        _ event: SessionLogEvent
    ) {
        add(
            server: [
                "does": "leave", "of": "phone", "action": .plain(action), "reason": .plain(word),
            ],
            reason,
            event
        )
    }
}
