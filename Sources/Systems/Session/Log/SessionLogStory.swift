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
    /// Whether the user has ended the conversation, and when the server did something.
    private var hasEnded = false
    private var serverActed: Instant?

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
            if reason != nil || open != nil || isExplained(event.instant) {
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
            takeLeave(event, reason)
        case .aborted: lose(event, isByServer: true)
        case .agentLeft(let reason):
            // An agent goes with its user.
            guard open == nil, !hasEnded, session != nil, reason == .clientInitiated else {
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

    /// The server has closed the user's participant.
    private mutating func takeLeave(
        _ event: SessionLogEvent,
        _ reason: SessionLogEvent.LeaveReason
    ) {
        switch reason {
        case .clientInitiated:
            guard open == nil, !hasEnded, !isExplained(event.instant) else { return }
            add(user: "disconnect", event)
            hasEnded = true
        case .serverShutdown:
            serverActed = event.instant
            add(server: ["does": "restart", "for": "5s"], event, ", 5s is a guess")
        case .participantRemoved:
            add(leave: "disconnect", "participant-removed", event)
            hasEnded = true
        case .roomDeleted, .roomClosed:
            add(leave: "disconnect", "room-deleted", event)
            hasEnded = true
        case .migration: add(leave: "reconnect", "migration", event)
        case .stateMismatch: add(leave: "reconnect", "state-mismatch", event)
        case .duplicateIdentity:
            // Its own next session, of which the webhook comes later, or somebody else's.
            return
        case .unknown, .joinFailure, .signalClose, .connectionTimeout:
            lose(event, isByServer: true)
        }
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
        told.contains { told in
            told.begin <= instant.advanced(by: Self.foreboding)
                && instant <= told.end.advanced(by: Self.settling)
        }
    }

    /// Whether an app lost its connection that slept, or since the server made it.
    private func isOfUserOrServer(_ loss: Loss) -> Bool {
        let causes = [isAway ? loss.noticed : nil, wayBack, serverActed].compactMap(\.self)
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
        _ event: SessionLogEvent,
        _ more: String = ""
    ) {
        let remark = "\(event.place), to the second\(more)"
        acts.append(LoggedAct(at: event.instant, ["server": act], remark))
    }

    private mutating func add(leave action: String, _ reason: String, _ event: SessionLogEvent) {
        serverActed = event.instant
        add(
            server: [
                "does": "leave", "of": "phone", "action": .plain(action), "reason": .plain(reason),
            ],
            event
        )
    }
}
