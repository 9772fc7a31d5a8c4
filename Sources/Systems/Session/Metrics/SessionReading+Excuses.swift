import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import SansIO

// What keeps an app from its conversation besides the path.

extension SessionReading {
    /// When the app waited for its own server, which was gone.
    ///
    /// That is from the first request for a token that met it so to its return, or to the app's next
    /// connect: the pauses between two requests in vain are no time of the app's.
    static func unserved(_ story: SessionStory) -> Spans {
        let errands = TokenErrands(story.entries)
        return Spans(story.serverGone.all.flatMap { errands.waits(in: $0) })
    }

    /// When the app waited for the room server to let somebody in.
    ///
    /// That is each time in which the server let nobody in and turned the app away: an attempt
    /// before the first one would have met the same. A full server answers so; only a closed port
    /// breaks the socket, as the phone's own path may.
    static func refused(_ story: SessionStory) -> Spans {
        var (answered, broken): ([Span], [Span]) = ([], [])
        var began: [Int64: Int64] = [:]
        for entry in story.entries {
            switch entry.kind {
            case AttemptBegan.kind:
                began[AttemptBegan(entry.record).room] = entry.instant
            case AttemptEnded.kind:
                let ended = AttemptEnded(entry.record)
                guard let start = began.removeValue(forKey: ended.room) else { break }
                let attempt = Span(start: start, end: entry.instant)
                switch ended.failure.value {
                case .refused, .serverLeave: answered.append(attempt)
                case .socketBroken: broken.append(attempt)
                default: break
                }
            default:
                break
            }
        }
        let tries = (Spans(answered), Spans(answered + broken))
        return Spans(
            story.serverShut.all.filter { !tries.0.intersection($0).all.isEmpty }
                + story.portClosed.all.filter { !tries.1.intersection($0).all.isEmpty }
        )
    }

    /// When the app could not tell whose device it is, and waited to be asked for again.
    ///
    /// It reads that when it starts; where the keychain fails it says so and stops there (RS-03,
    /// RS-08), until the user opens it or asks for the conversation while the keychain works. Where
    /// it connects it has read it by itself.
    static func unread(_ story: SessionStory) -> Spans {
        var spans: [Span] = []
        var isStarting = false
        var since: Int64?
        for entry in story.entries {
            switch entry.kind {
            case AppLaunched.kind, AppTerminated.kind:
                if let start = since { spans.append(Span(start: start, end: entry.instant)) }
                since = nil
                isStarting = entry.kind == AppLaunched.kind
            case SceneChanged.kind where isStarting:
                isStarting = false
                if story.keychainFailed.contains(entry.instant) { since = entry.instant }
            case ConnectBegan.kind:
                if let start = since { spans.append(Span(start: start, end: entry.instant)) }
                since = nil
            case UserActed.kind where !story.keychainFailed.contains(entry.instant):
                switch UserActed(entry.record).action {
                case .connect, .openApp, .tapNotification:
                    if let start = since { spans.append(Span(start: start, end: entry.instant)) }
                    since = nil
                default:
                    break
                }
            default:
                break
            }
        }
        if let start = since { spans.append(Span(start: start, end: Span.future)) }
        return Spans(spans)
    }

    /// Within this time an app that was refused the engine in a conversation tries again: twice its own 5 s, an
    /// assumption.
    private static let engineRetryMax: Int64 = 10_000_000_000

    /// When the phone's engine did not start, and the app waited to be asked for again or tried on.
    ///
    /// Where the walk to a conversation ends with that, the app says so and stops there (RS-08), until the user
    /// comes back or asks for the conversation. In one that goes on it tries by itself, and is excused from each
    /// try to the next as long as the engine fails.
    static func unstarted(_ story: SessionStory) -> Spans {
        var spans: [Span] = []
        var tries: [Span] = []
        var since: Int64?
        var isLive = false
        func end(at instant: Int64) {
            guard let start = since else { return }
            since = nil
            guard isLive else { return spans.append(Span(start: start, end: instant)) }
            tries.append(Span(start: start, end: min(instant, start + engineRetryMax)))
        }
        for entry in story.entries {
            switch entry.kind {
            case AppLaunched.kind, AppTerminated.kind, ConnectBegan.kind:
                end(at: entry.instant)
                isLive = entry.kind == ConnectBegan.kind
            case RoomLeft.kind where RoomLeft(entry.record).manner.value == .disconnect:
                isLive = false
            case SoundOrdered.kind where SoundOrdered(entry.record).part.value == .engine:
                end(at: entry.instant)
                let isRefused = !SoundOrdered(entry.record).isOn.isSet
                guard isRefused, story.engineFailed.contains(entry.instant) else { break }
                since = entry.instant
            case SceneChanged.kind where SceneChanged(entry.record).phase.value == .active:
                end(at: entry.instant)
            case UserActed.kind:
                if UserActed(entry.record).asksForConversation { end(at: entry.instant) }
            default:
                break
            }
        }
        end(at: Span.future)
        return Spans(spans).union(Spans(tries).intersection(story.engineFailed))
    }

    /// When the app held no room and whatever connects went by a Wi-Fi that let no signalling pass.
    ///
    /// ICE takes a room that is connected to another radio, if there is one. What connects goes by Wi-Fi wherever
    /// that has a network, and no app can make it leave that.
    static func stranded(_ story: SessionStory) -> Spans {
        var roomless: [Span] = []
        var since: Int64? = Span.past
        var held: Int64?
        for entry in story.entries {
            switch entry.kind {
            case ConnectEnded.kind where ConnectEnded(entry.record).error.value == nil:
                if let start = since { roomless.append(Span(start: start, end: entry.instant)) }
                since = nil
                held = ConnectEnded(entry.record).room
            case RoomLeft.kind where RoomLeft(entry.record).room == held,
                RoomDisconnected.kind where RoomDisconnected(entry.record).room == held,
                AppTerminated.kind:
                since = since ?? entry.instant
            default:
                break
            }
        }
        if let start = since { roomless.append(Span(start: start, end: Span.future)) }
        return Spans(roomless).intersection(story.wifiCut)
    }

    /// When no agent was called to the phone's rooms, and none was there.
    ///
    /// The process that runs them all was away, or the jobs for rooms of the phone were lost.
    static func unattended(_ story: SessionStory, end: Int64) -> Spans {
        let skipped = story.entries.compactMap { entry -> Span? in
            guard entry.kind == FaultBegan.kind, FaultBegan(entry.record).fault == .agentSkips
            else { return nil }
            let length = FaultBegan(entry.record).parameter
            return Span(start: entry.instant, end: entry.instant + length)
        }
        return story.agentsAway.union(Spans(skipped))
            .subtracting(attended(story.entries, end: end))
    }

    /// When an agent was in the phone's room.
    private static func attended(_ entries: [SessionStory.Entry], end: Int64) -> Spans {
        var spans: [Span] = []
        var joined: [Int64] = []
        for entry in entries {
            if entry.kind == AgentJoined.kind { joined.append(entry.instant) }
            guard entry.kind == AgentClosed.kind, let start = joined.popLast() else { continue }
            spans.append(Span(start: start, end: entry.instant))
        }
        return Spans(spans + joined.map { Span(start: $0, end: end) })
    }
}

/// What an app asked its own server for, and when it connected.
private struct TokenErrands {
    private var requests: [Span] = []
    /// When the server gave what it was asked for.
    private var grants: [Int64] = []
    /// When the app ordered a room object to connect.
    private var connects: [Int64] = []

    init(_ entries: [SessionStory.Entry]) {
        var asked: [(operation: Int64, since: Int64)] = []
        for entry in entries {
            switch entry.kind {
            case TokenRequested.kind:
                asked.append((TokenRequested(entry.record).operation, entry.instant))
            case TokenAnswered.kind:
                let answered = TokenAnswered(entry.record)
                requests += asked.filter { $0.operation == answered.operation }
                    .map { Span(start: $0.since, end: entry.instant) }
                asked.removeAll { $0.operation == answered.operation }
                if answered.outcome.number == 200 { grants.append(entry.instant) }
            case AppTerminated.kind:
                requests += asked.map { Span(start: $0.since, end: entry.instant) }
                asked = []
            case ConnectBegan.kind:
                connects.append(entry.instant)
            default:
                break
            }
        }
        requests += asked.map { Span(start: $0.since, end: Span.future) }
        requests.sort { $0.start < $1.start }
    }

    /// When the app waited for its server in a time in which that was `gone`.
    ///
    /// Whoever connects without having been given a token since it asked had one all the while, and
    /// waited for nothing.
    func waits(in gone: Span) -> [Span] {
        var waits: [Span] = []
        var inVain = requests.filter { !$0.intersection(gone).isEmpty }[...]
        while let first = inVain.first {
            let start = max(first.start, gone.start)
            let connect = connects.first { $0 > start }
            let isInNeed = connect.map { next in grants.contains { $0 >= start && $0 <= next } }
            let end = min(connect ?? gone.end, gone.end)
            if isInNeed ?? true { waits.append(Span(start: start, end: end)) }
            inVain = inVain.drop { $0.start < end }
        }
        return waits
    }
}
