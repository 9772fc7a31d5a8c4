import KodamaLanguage
import SansIO

/// A line of a session's log, understood.
struct SessionLogEvent: Sendable {
    enum Kind: Sendable, Equatable {
        /// The app's room object connects, is connected, or could not connect.
        case connecting, connected, failed
        /// The room object looks for its connection, and has it again.
        case reconnecting, reconnected
        /// The room object is disconnected: as asked for, or for a reason.
        case disconnected(String?)
        /// What the user does.
        case muted, unmuted, background, foreground
        /// The server's participant, by its session there.
        case joined(String?), left(String?, LeaveReason), aborted
        /// The agent's participant.
        case agentLeft(LeaveReason)
    }

    /// Why a participant left, as the webhook of livekit/livekit names it (livekit/protocol,
    /// `livekit_models.proto`, `DisconnectReason`).
    enum LeaveReason: String, Sendable, CaseIterable {
        case unknown = "UNKNOWN_REASON"
        case clientInitiated = "CLIENT_INITIATED"
        case duplicateIdentity = "DUPLICATE_IDENTITY"
        case serverShutdown = "SERVER_SHUTDOWN"
        case participantRemoved = "PARTICIPANT_REMOVED"
        case roomDeleted = "ROOM_DELETED"
        case stateMismatch = "STATE_MISMATCH"
        case joinFailure = "JOIN_FAILURE"
        case migration = "MIGRATION"
        case signalClose = "SIGNAL_CLOSE"
        case roomClosed = "ROOM_CLOSED"
        case connectionTimeout = "CONNECTION_TIMEOUT"

        /// Reads a reason by its name; one that newer servers have is unknown.
        init(named name: String?) { self = name.flatMap(Self.init(rawValue:)) ?? .unknown }

        /// Reads a reason that an app wrote, in whichever of the SDKs' spellings: `SERVER_SHUTDOWN`,
        /// `serverShutdown`; any other text is unknown.
        init(saidByApp text: String) {
            func letters(_ text: String) -> String { text.filter(\.isLetter).uppercased() }
            let said = letters(text)
            self = Self.allCases.first { letters($0.rawValue) == said } ?? .unknown
        }

        /// Whether the whole room ended or moved, so that everybody left it.
        var isOfRoom: Bool {
            switch self {
            case .serverShutdown, .roomDeleted, .roomClosed, .migration: true
            default: false
            }
        }
    }

    var kind: Kind
    var instant: Instant
    var place: LoggedLine.Place

    /// Whether the room server wrote it.
    var isOfServer: Bool {
        switch kind {
        case .joined, .left, .aborted, .agentLeft: true
        default: false
        }
    }
}

/// The lines of a session's logs that mean something.
struct SessionLogEvents {
    private(set) var events: [SessionLogEvent] = []
    /// How much the server's clock was ahead of the phone's, by which its events have been moved.
    private(set) var serverLead = Duration.zero

    /// Reads what the app and the room server wrote.
    ///
    /// - Parameters:
    ///   - question: The lines of the logs.
    ///   - scenario: Takes the lines that mean nothing here.
    /// - Throws: A complaint if nobody can say which participant is meant.
    init(
        _ question: LogPart.Question,
        leaving scenario: inout LoggedScenario
    ) throws(LogComplaint) {
        let user = try Self.user(in: question)
        for line in question.lines {
            switch line.content {
            case .path, .signal: continue
            case .message(let text):
                guard let kind = Self.kind(of: text) else {
                    scenario.leave(line.place, "lines of RTC whose first word is not known")
                    continue
                }
                add(kind, at: line.instant, line.place)
            case .event(let name, let fields):
                guard name.hasPrefix("participant_") else {
                    scenario.leave(line.place, "webhooks that are not about a participant")
                    continue
                }
                let isUser = fields["participant.identity"] == user
                guard isUser || Self.isAgent(fields) else {
                    scenario.leave(line.place, "webhooks of other participants")
                    continue
                }
                guard let kind = Self.kind(of: name, fields, isUser: isUser) else {
                    let what =
                        isUser ? "webhooks '\(name.prefix(40))'" : "webhooks of agents that join"
                    scenario.leave(line.place, what)
                    continue
                }
                add(kind, at: Self.instant(of: line, fields), line.place)
            }
        }
        serverLead = SessionLogClocks(events).serverLead
        for index in events.indices where events[index].isOfServer {
            events[index].instant = events[index].instant.advanced(by: .zero - serverLead)
        }
        // The server's own time of a join is finer than its webhook's.
        events = events.enumerated()
            .sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
            .map(\.element)
    }

    private mutating func add(
        _ kind: SessionLogEvent.Kind,
        at instant: Instant,
        _ place: LoggedLine.Place
    ) {
        events.append(SessionLogEvent(kind: kind, instant: instant, place: place))
    }

    /// Whether a line can be of no other app: the room's webhooks, and what a room object says of a reconnect.
    @Sendable
    static func isSurelyOfSession(_ line: LoggedLine) -> Bool {
        switch line.content {
        case .event: true
        case .message(let text):
            [.connecting, .connected, .reconnecting, .reconnected].contains(kind(of: text))
        case .path, .signal: false
        }
    }

    // MARK: The app's lines

    private static let words: [String: SessionLogEvent.Kind] = [
        "connecting": .connecting, "connected": .connected, "failed": .failed,
        "reconnecting": .reconnecting, "reconnected": .reconnected, "muted": .muted,
        "unmuted": .unmuted, "background": .background, "foreground": .foreground,
    ]

    /// What a line of the category RTC says: its first word, and behind a colon why.
    private static func kind(of text: String) -> SessionLogEvent.Kind? {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard let head = parts.first?.split(separator: " ").first?.lowercased() else { return nil }
        guard head == "disconnected" else { return words[head] }
        let reason = parts.count == 2 ? parts[1].drop { $0 == " " } : ""
        return .disconnected(reason.isEmpty ? nil : String(reason))
    }

    // MARK: The server's webhooks

    private static func kind(
        of name: String,
        _ fields: [String: String],
        isUser: Bool
    ) -> SessionLogEvent.Kind? {
        let session = fields["participant.sid"]
        let named =
            fields["participant.disconnectReason"] ?? fields["participant.disconnect_reason"]
        let reason = SessionLogEvent.LeaveReason(named: named)
        switch (name, isUser) {
        case ("participant_joined", true): return .joined(session)
        case ("participant_left", true): return .left(session, reason)
        case ("participant_connection_aborted", true): return .aborted
        case ("participant_left", false): return .agentLeft(reason)
        default: return nil
        }
    }

    private static func isAgent(_ fields: [String: String]) -> Bool {
        fields["participant.kind"] == "AGENT"
    }

    /// When it happened: a join's own time is in milliseconds, a webhook's in seconds.
    private static func instant(of line: LoggedLine, _ fields: [String: String]) -> Instant {
        guard case .event("participant_joined", _) = line.content,
            let text = fields["participant.joinedAtMs"] ?? fields["participant.joined_at_ms"],
            let milliseconds = Int64(text), (1...9_000_000_000_000).contains(milliseconds)
        else { return line.instant }
        return Instant(nanoseconds: milliseconds * 1_000_000)
    }

    /// Which participant is the user: the one that was named, or the only one that is no agent.
    private static func user(in question: LogPart.Question) throws(LogComplaint) -> String? {
        var identities: [String] = []
        for line in question.lines {
            guard case .event(_, let fields) = line.content,
                let identity = fields["participant.identity"], !isAgent(fields),
                !identities.contains(identity)
            else { continue }
            identities.append(identity)
        }
        let shown = identities.sorted().prefix(10).joined(separator: ", ")
        if let participant = question.participant {
            guard identities.contains(participant) else {
                let known = identities.isEmpty ? "there is none in webhooks" : "there is \(shown)"
                throw LogComplaint("no participant is called '\(participant)'; \(known)")
            }
            return participant
        }
        guard identities.count <= 1 else {
            throw LogComplaint(
                "webhooks of \(identities.count) participants: \(shown); name the user with --participant"
            )
        }
        return identities.first
    }
}
