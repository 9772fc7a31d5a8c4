import KodamaLanguage
import KodamaSession
import SansIO

extension LogPart {
    /// Calls that ring by push.
    static let calls = LogPart(
        "calls that ring by push: lines of RTC and NWPath, tables of path and signal",
        isSurelyOf: { line in
            if case .message(let text) = line.content {
                CallsLog.word(of: text) == "push"
            } else {
                false
            }
        }
    ) { question throws(LogComplaint) in
        try CallsLog(question).scenario
    }
}

/// Makes a scenario of what a phone logged that was called.
private struct CallsLog {
    private(set) var scenario = LoggedScenario()
    private let start: Instant
    private var calls = LoggedCalls()

    /// How much earlier a run begins than its log, and how long it goes on behind it.
    private static let lead = Duration.seconds(10)
    private static let afterwards = Duration.seconds(60)

    init(_ question: LogPart.Question) throws(LogComplaint) {
        let path = LoggedPath(question.lines.withoutPassingPaths(leaving: &scenario))
        var acts: [LoggedAct] = []
        var calls = LoggedCalls()
        var last: (instant: Instant, place: LoggedLine.Place)?
        for line in question.lines {
            switch line.content {
            case .path, .signal: break
            case .event: scenario.leave(line.place, "webhooks, which calls do not need")
            case .message(let text):
                guard let act = Self.act(of: text, at: line.instant, &calls) else {
                    scenario.leave(line.place, "lines of RTC whose first word is not known")
                    continue
                }
                acts.append(LoggedAct(at: line.instant, act, "\(line.place)"))
                last = (line.instant, line.place)
            }
        }
        guard calls.callerCount > 0, let first = question.lines.first else {
            throw LogComplaint(
                "no line says anything of a call; needed are lines of the category RTC that begin with push"
            )
        }
        for place in path.repeats {
            scenario.leave(place, "lines that say again what was said before")
        }
        start = first.instant.advanced(by: .zero - Self.lead)
        self.calls = calls
        let ends = [last, path.last].compactMap(\.self).max { $0.instant < $1.instant }
        write(acts, path, end: ends ?? (first.instant, first.place))
    }

    /// The first word of a line, in lower case.
    static func word(of text: String) -> String {
        String(text.prefix { $0.isLetter }).lowercased()
    }

    /// What a line of the category RTC says was done.
    private static func act(
        of text: String,
        at instant: Instant,
        _ calls: inout LoggedCalls
    ) -> DocumentNode? {
        switch word(of: text) {
        case "push":
            let caller = LoggedCalls.name(of: calls.begin(at: instant))
            return ["call": ["from": .plain("\(caller)-phone"), "to": "user"]]
        case "answered":
            calls.answer()
            return user("answer-call")
        case "declined":
            calls.decline()
            return user("decline-call")
        case "ended":
            guard let colon = text.firstIndex(of: ":") else {
                calls.endOwn()
                return user("end-call")
            }
            let caller = calls.endOther(text[colon...].lowercased())
            return user("end-call", of: "\(LoggedCalls.name(of: caller))-phone")
        case "muted": return user("mute-call")
        case "unmuted": return user("unmute-call")
        case "background": return user("leave-app")
        case "foreground": return user("open-app")
        default: return nil
        }
    }

    private static func user(_ word: String, of phone: String = "phone") -> DocumentNode {
        ["user": ["of": .plain(phone), "does": .plain(word)]]
    }

    /// The phone of the log, and one for each who calls it while others do.
    private func phones(_ radios: LoggedScenario.Line) -> [LoggedScenario.Line] {
        let own: DocumentNode = [
            "name": "phone", "radios": radios.node, "apps": ["calls": ["user": "user"]],
        ]
        let callers = (0..<calls.callerCount).map { index in
            let name = LoggedCalls.name(of: index)
            let node: DocumentNode = [
                "name": .plain("\(name)-phone"), "radios": ["wifi": "wifi-internet"],
                "apps": ["calls": ["user": .plain(name)]],
            ]
            let who = index == 0 ? "whoever calls" : "who calls while another call goes on"
            return LoggedScenario.Line(node, "not of the log: \(who)")
        }
        return [LoggedScenario.Line(own, radios.remark)] + callers
    }

    private mutating func write(
        _ acts: [LoggedAct],
        _ path: LoggedPath,
        end: (instant: Instant, place: LoggedLine.Place)
    ) {
        let began = LoggedTime.date(start)
        scenario.notes = ["0s is \(began), 10s before the log; each line says where it comes from."]
        scenario.begin(
            "What the log of a phone says of its calls from \(began) on.",
            length: start.duration(to: end.instant.advanced(by: Self.afterwards)),
            "60s more than \(end.place), the last line"
        )
        scenario.add("phones", phones(path.radios(at: start)))
        let all = (path.acts(from: start) + acts).enumerated()
            .sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
        let lines = all.map { _, act in
            let at = LoggedTime.text(start.duration(to: act.instant))
            return LoggedScenario.Line(["at": .plain(at), "do": act.act], act.remark)
        }
        scenario.add("timeline", lines)
        let remark = "not of the log"
        scenario.add(
            "expect",
            [
                LoggedScenario.Line(
                    ["metric": "call.unrung", "value": .value("== 0", isQuoted: true)],
                    remark
                ),
                LoggedScenario.Line(["invariant": "call.events-right"], remark),
            ]
        )
    }
}
