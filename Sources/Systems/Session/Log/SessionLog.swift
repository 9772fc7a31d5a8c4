import KodamaLanguage
import SansIO

extension LogPart {
    /// Conversations with an agent: LiveKit's webhooks, and the app's own lines of category RTC.
    static let session = LogPart(
        "conversations with an agent: webhooks of the room, lines of RTC and NWPath, tables of path and signal",
        isSurelyOf: SessionLogEvents.isSurelyOfSession
    ) { question throws(LogComplaint) in
        try SessionLog(question).scenario
    }
}

/// Makes a scenario of what one user's logs say of a session.
private struct SessionLog {
    private(set) var scenario = LoggedScenario()
    private let path: LoggedPath
    private let serverLead: Duration
    private let story: SessionLogStory
    private let start: Instant
    private let end: Instant
    /// Who says how the log ends.
    private let lastPlace: LoggedLine.Place

    /// How long a run goes on behind the log's last line.
    private static let afterwards = Duration.seconds(30)
    /// How much earlier a run begins than a log that begins in the middle of a session.
    private static let lead = Duration.seconds(10)

    init(_ question: LogPart.Question) throws(LogComplaint) {
        path = LoggedPath(question.lines.withoutPassingPaths(leaving: &scenario))
        let read = try SessionLogEvents(question, leaving: &scenario)
        let events = read.events
        serverLead = read.serverLead
        guard !path.isEmpty || !events.isEmpty else {
            throw LogComplaint(
                "no line says anything of a session; needed are webhooks of a participant, lines of the "
                    + "categories RTC or NWPath, or a table with path or rsrp"
            )
        }
        for place in path.repeats {
            scenario.leave(place, "lines that say again what was said before")
        }
        let begin = Self.begin(events, path)
        start = begin.instant
        story = SessionLogStory(
            events,
            told: path.told(from: start),
            aliveFrom: begin.isConnected ? start : nil,
            leaving: &scenario
        )
        let last = [path.last, events.last.map { ($0.instant, $0.place) }].compactMap(\.self)
            .max { $0.0 < $1.0 }
        end = max(last?.0 ?? start, start)
        lastPlace = last?.1 ?? question.lines[0].place
        write(connectedAtStart: begin.isConnected)
    }

    /// When the run begins, and whether the session is connected before the log says anything.
    private static func begin(
        _ events: [SessionLogEvent],
        _ path: LoggedPath
    ) -> (instant: Instant, isConnected: Bool) {
        let first = events.first
        if let first, path.firstChange.map({ $0 > first.instant }) ?? true {
            switch first.kind {
            case .connecting: return (first.instant, false)
            case .joined: return (first.instant.advanced(by: .seconds(-1)), false)
            default: break
            }
        }
        let instants = [first?.instant, path.first].compactMap(\.self)
        let begin = instants.min() ?? .zero
        return (begin.advanced(by: .zero - lead), true)
    }

    // MARK: The scenario

    private mutating func write(connectedAtStart isConnected: Bool) {
        let untold = story.untold.enumerated().map { untoldLoss($0.offset, $0.element) }
        scenario.notes = notes(untold, isConnected)
        scenario.begin(
            "What the log of a user says happened to a session from \(LoggedTime.date(start)) on.",
            length: start.duration(to: end.advanced(by: Self.afterwards)),
            "30s more than \(lastPlace), the last line"
        )
        let radios = path.radios(at: start)
        let phone: DocumentNode = [
            "name": "phone", "radios": radios.node, "apps": ["session": [:]],
        ]
        scenario.add("phones", [LoggedScenario.Line(phone, radios.remark)])
        scenario.add("sweep", sweep(untold))
        let acts = (path.acts(from: start) + story.acts).map { ($0.instant, entry($0)) }
        let lines = (acts + untold.map { ($0.begins[1], entry($0, isSwept: isSwept(untold))) })
        let inOrder = lines.enumerated()
            .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
        scenario.add("timeline", inOrder.map(\.element.1))
        scenario.add("expect", Self.expectations)
    }

    private func notes(_ untold: [Untold], _ isConnected: Bool) -> [String] {
        var notes = ["0s is \(LoggedTime.date(start)); each line says where it comes from."]
        if serverLead != .zero {
            let isAhead = serverLead > .zero
            let by = LoggedTime.text(isAhead ? serverLead : .zero - serverLead)
            notes.append(
                "The server's clock is taken to be \(by) \(isAhead ? "ahead of" : "behind") the phone's, and its lines "
                    + "are moved by that: otherwise its joins lie outside of the app's connects."
            )
        }
        if isConnected {
            notes.append("The log begins in a session, which is connected 10s before it.")
        }
        let recoveries = story.losses.compactMap(recovery)
        if !recoveries.isEmpty {
            let shown = recoveries.prefix(20).joined(separator: ", ")
            notes.append(
                "After what the system told, the log has the connection back within \(shown)."
            )
        }
        if !untold.isEmpty {
            notes.append(
                "The connection was lost \(untold.count == 1 ? "once" : "\(untold.count) times") without a word of the system: when the path died and "
                    + "came back is swept over what the log allows."
            )
        }
        return notes
    }

    /// How long after the end of what was told the connection was there again.
    private func recovery(_ loss: SessionLogStory.Loss) -> String? {
        guard let restored = loss.restored?.instant,
            let told = path.told(from: start).last(where: {
                $0.begin < restored && $0.end <= restored
            }),
            told.begin >= loss.noticed || SessionLogStory.explains(told, loss.noticed),
            told.end.duration(to: restored) <= .seconds(60)
        else { return nil }
        return LoggedTime.text(told.end.duration(to: restored))
    }

    private func entry(_ act: LoggedAct) -> LoggedScenario.Line {
        let at = LoggedTime.text(start.duration(to: max(act.instant, start)))
        return LoggedScenario.Line(["at": .plain(at), "do": act.act], act.remark)
    }

    private func entry(_ loss: Untold, isSwept: Bool) -> LoggedScenario.Line {
        let value = { (name: String, text: String) in
            DocumentNode.plain(isSwept ? "$\(name)" : text)
        }
        let begin = LoggedTime.text(start.duration(to: loss.begins[0]))
        let length = LoggedTime.text(loss.lengths[0])
        let block: DocumentNode = [
            "of": .plain(loss.target), "for": value(loss.names.length, length),
        ]
        let node: DocumentNode = ["at": value(loss.names.begin, begin), "do": ["block": block]]
        return LoggedScenario.Line(node, loss.remark)
    }

    // MARK: The sweep

    /// Early, in the middle and late in what the log allows.
    private static let places = ["early", "middle", "late"]

    /// The points as text, each with its place.
    private func points(_ untold: [Untold]) -> [(node: DocumentNode, place: String)] {
        guard !untold.isEmpty else { return [] }
        var points: [(node: DocumentNode, place: String)] = []
        for (index, place) in Self.places.enumerated() {
            var node: DocumentNode = [:]
            for loss in untold {
                let begin = start.duration(to: loss.begins[index])
                node[key: loss.names.begin] = .plain(LoggedTime.text(begin))
                node[key: loss.names.length] = .plain(LoggedTime.text(loss.lengths[index]))
            }
            if !points.contains(where: { $0.node == node }) { points.append((node, place)) }
        }
        return points
    }

    private func isSwept(_ untold: [Untold]) -> Bool { points(untold).count > 1 }

    private func sweep(_ untold: [Untold]) -> [LoggedScenario.Line] {
        guard isSwept(untold) else { return [] }
        return points(untold).map { node, place in
            LoggedScenario.Line(node, "not of the log: \(place) in what it allows")
        }
    }

    private static let expectations: [LoggedScenario.Line] = {
        let remark = "not of the log"
        return [
            LoggedScenario.Line(
                [
                    "metric": "session.recovery.time", "p95": .value("<= 10s", isQuoted: true),
                    "allow_no_data": "true",
                ],
                remark
            ),
            LoggedScenario.Line(
                ["metric": "session.unrecovered", "value": .value("== 0", isQuoted: true)],
                remark
            ),
            LoggedScenario.Line(["invariant": "session.one-connect-in-flight"], remark),
        ]
    }()

    // MARK: What nobody told

    /// A loss that no line explains, at three places of what the log allows.
    private struct Untold {
        /// What is blocked: the phone, or the radio from which it went to another.
        var target: String
        /// Who noticed, and who says that it was over.
        var remark: String
        /// The names of its two swept values, and their values early, in the middle and late.
        var names: (begin: String, length: String)
        var begins: [Instant]
        var lengths: [Duration]
    }

    private func untoldLoss(_ index: Int, _ loss: SessionLogStory.Loss) -> Untold {
        // Who notices first that media stops is WebRTC, after 2.5 s (libwebrtc, `p2p/base/p2p_constants.cc`,
        // WEAK_CONNECTION_RECEIVE_TIMEOUT), and last the ping timeout. The server closes a participant 20 s after
        // its media (livekit/livekit, `pkg/rtc/transport.go` and `pkg/rtc/participant.go`).
        let (longest, shortest): (Duration, Duration) =
            loss.isByServer ? (.seconds(21), .seconds(15)) : (.seconds(15), .milliseconds(2_500))
        let floor = max(start, loss.lastAlive)
        let begin = max(floor, loss.noticed.advanced(by: .zero - longest))
        let lastBegin = max(begin, loss.noticed.advanced(by: .zero - shortest))
        let told = story.told(after: loss.noticed, before: loss.restored?.instant)
        let (firstEnd, lastEnd) = ends(of: loss, told: told, from: lastBegin)
        let begins = Self.thirds(begin, lastBegin)
        let ends = Self.thirds(firstEnd, lastEnd)
        let suffix = story.untold.count == 1 ? "" : "-\(index + 1)"
        let names = (begin: "lost\(suffix)", length: "gone\(suffix)")
        let lengths = zip(begins, ends).map { max($0.duration(to: $1), .milliseconds(1)) }
        let interface = path.interface(at: loss.noticed) ?? .wifi
        let radio = interface == .wifi ? "phone/wifi" : "phone/cellular"
        let who = loss.isByServer ? "the server noticed, to the second" : "the app noticed"
        let back = loss.restored.map { "back by \($0.place)" } ?? "not back in the log"
        return Untold(
            target: told?.changesInterface ?? false ? radio : "phone",
            remark: "\(loss.place): \(who); \(back); the system told nothing",
            names: names,
            begins: begins,
            lengths: lengths
        )
    }

    /// When the path came back at the earliest and at the latest.
    private func ends(
        of loss: SessionLogStory.Loss,
        told: LoggedPath.Told?,
        from begin: Instant
    ) -> (Instant, Instant) {
        // What the system says then takes over.
        if let told { return (told.begin, told.begin) }
        guard let restored = loss.restored?.instant else {
            let guess = end.advanced(by: Self.afterwards)
            return (guess, guess)
        }
        let last = restored.advanced(by: .zero - story.shortestConnect)
        return (min(max(loss.lastSign, begin), last), last)
    }

    private static func thirds(_ first: Instant, _ last: Instant) -> [Instant] {
        let half = first.duration(to: last) / 2
        return [first, first.advanced(by: half), last]
    }
}
