import PeerTransport
import SansIO

/// Says how phones of a group find each other, change between radio and Internet, and what is not heard.
struct VoiceNarrator: SystemNarrator {
    /// Two components, one of which something of the other concerns.
    private struct Pair: Hashable {
        var at: UInt32
        var of: UInt32

        init(_ record: TraceRecord) {
            at = record.component.index
            of = record.subject.index
        }
    }

    /// Sound that is made up without a break.
    private struct Gap {
        var start: Instant
        var end: Instant
        var cause: Sentence.Cause?
    }

    /// What an app has made of the ways to another.
    fileprivate struct Route {
        var phase: Handover.Phase?
        var measured: PathMeasured?
        var verdicts: [TransportPath: TraceWord<LinkVerdict>] = [:]
        /// When it began to bring the Internet up that is not up yet.
        var requested: Instant?
        /// Whether the radio has been gone since it last carried.
        var hasLostRadio = false
    }

    private var joined: [UInt32: Instant] = [:]
    private var phones: Set<String> = []
    private var routes: [Pair: Route] = [:]
    private var members: Set<Pair> = []
    private var gaps: [Pair: Gap] = [:]
    /// By link the latest that befell it.
    private var disrupted: [String: Sentence.Cause] = [:]

    /// Shorter stretches of made-up sound are hardly noticed, and are many, in nanoseconds: five frames.
    private static let gapMin: Int64 = 100_000_000

    init(_ directory: TraceDirectory) {}

    mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        switch record.kind {
        case FrameConcealed.kind: conceal(record, in: narration)
        case FramePlayed.kind: play(record, in: &narration)
        case LinkChanged.kind:
            let link = narration.name(of: record.component) ?? ""
            disrupted[link] = Sentence.Cause(
                at: record.instant,
                "the link \(link) \(LinkChanged(record).disruption.value.pastTense)"
            )
        case GroupJoined.kind, GroupLeft.kind, GroupUnopened.kind, InviteUnmade.kind,
            MemberJoined.kind, MemberRefused.kind:
            follow(member: record, in: &narration)
        case PeerRadioSwitched.kind, ConnectionUp.kind, ConnectionDown.kind, ConnectionCut.kind:
            follow(connection: record, in: &narration)
        case PathMeasured.kind:
            routes[Pair(record), default: Route()].measured = PathMeasured(record)
        case PathJudged.kind: judge(record, in: &narration)
        case HandoverMoved.kind: move(record, in: &narration)
        default: break
        }
    }

    private mutating func follow(member record: TraceRecord, in narration: inout Narration) {
        let other = narration.name(of: record.subject) ?? "somebody"
        let joined = joined[record.component.index].map {
            Sentence.Cause(at: $0, "it joined the group")
        }
        switch record.kind {
        case GroupJoined.kind:
            self.joined[record.component.index] = record.instant
            if let name = narration.name(of: record.component) { phones.insert(name) }
            narration.say("the app joins its group", of: record.component, at: record.instant)
        case GroupLeft.kind:
            narration.say("the app leaves its group", of: record.component, at: record.instant)
        case GroupUnopened.kind:
            let text =
                switch GroupUnopened(record).trouble.value {
                case .secretNotKept: "the keychain does not keep the group's secret"
                case .secretMissing: "the keychain has no secret of the chosen group"
                case .secretUnavailable, nil: "the keychain cannot be read, so no group is opened"
                }
            narration.say(text, of: record.component, at: record.instant)
        case InviteUnmade.kind:
            let isAway = InviteUnmade(record).lack.value == .app
            let lack = isAway ? "the app does not run" : "the app is in no group"
            narration.say("no invite is made: \(lack)", of: record.component, at: record.instant)
        case MemberRefused.kind:
            narration.say(
                "the group is full: \(MemberRefused(record).capacity) are in it",
                of: record.component,
                at: record.instant,
                after: joined
            )
        default:
            let isNew = members.insert(Pair(record)).inserted
            narration.say(
                "\(isNew ? "" : "once more ")\(other) has proven who it is and is let in",
                of: record.component,
                at: record.instant,
                after: isNew ? joined : nil
            )
        }
    }

    private mutating func follow(connection record: TraceRecord, in narration: inout Narration) {
        let other = narration.name(of: record.subject) ?? "somebody"
        let text: String
        var cause: Sentence.Cause?
        switch record.kind {
        case PeerRadioSwitched.kind:
            let isOn = PeerRadioSwitched(record).isOn.isSet
            text = "the radio for phones nearby is switched \(isOn ? "on" : "off")"
        case ConnectionUp.kind:
            let path = ConnectionUp(record).path
            text = "a connection to \(other) is up \(Self.by(path))"
            if path.value == .internet, let requested = routes[Pair(record)]?.requested {
                cause = Sentence.Cause(at: requested, "the app began to bring it up")
                routes[Pair(record)]?.requested = nil
            }
        case ConnectionDown.kind:
            let path = ConnectionDown(record).path
            if path.value != .internet {
                routes[Pair(record), default: Route()].hasLostRadio = true
            }
            text = "the connection to \(other) \(Self.by(path)) is gone"
        default:
            text =
                "the app cuts the connection to \(other), from which it refused too much: "
                + ConnectionCut(record).refusal.spoken
        }
        narration.say(text, of: record.component, at: record.instant, after: cause)
    }

    private mutating func judge(_ record: TraceRecord, in narration: inout Narration) {
        let judged = PathJudged(record)
        let path = judged.path.value ?? .local
        var route = routes[Pair(record)] ?? Route()
        let isFirst = route.verdicts.updateValue(judged.verdict, forKey: path) == nil
        defer { routes[Pair(record)] = route }
        // That a new path is good is what everybody expects.
        guard !isFirst || judged.verdict.value != .good else { return }
        let other = narration.name(of: record.subject) ?? "somebody"
        narration.say(
            "the app judges the way to \(other) \(Self.by(judged.path)) \(judged.verdict.spoken) "
                + "(\(Self.figures(of: judged, route.measured)))",
            of: record.component,
            at: record.instant,
            after: recentDisruption(record, path, in: narration)
        )
    }

    /// What a judge had before it; what is zero or unknown is left out, losses apart.
    private static func figures(of judged: PathJudged, _ measured: PathMeasured?) -> String {
        let loss = MetricUnit.partsPerMillion.text(judged.lostPartsPerMillion)
        var figures = ["in two seconds \(loss) lost"]
        if let measured, measured.path == judged.path {
            if measured.silenceNanoseconds > 0 {
                figures.append("nothing for \(measured.silenceNanoseconds.lengthText)")
            }
            if measured.jitterNanoseconds > 0 {
                figures.append("jitter \(measured.jitterNanoseconds.lengthText)")
            }
        }
        if judged.roundTripNanoseconds > 0 {
            figures.append("\(judged.roundTripNanoseconds.lengthText) there and back")
        }
        return figures.joined(separator: ", ")
    }

    private mutating func move(_ record: TraceRecord, in narration: inout Narration) {
        let moved = HandoverMoved(record)
        let other = narration.name(of: record.subject) ?? "somebody"
        var route = routes[Pair(record)] ?? Route()
        let reason = route.reason(of: moved)
        let path: TransportPath = moved.cause.value == .internetLost ? .internet : .local
        narration.say(
            "\(route.sentence(of: moved, to: other)), because \(reason)",
            of: record.component,
            at: record.instant,
            after: recentDisruption(record, path, in: narration)
        )
        route.phase = moved.phase.value
        if route.phase == .internetConnecting { route.requested = record.instant }
        if route.phase == .localConnected { route.hasLostRadio = false }
        routes[Pair(record)] = route
    }

    // MARK: What is not heard

    private mutating func conceal(_ record: TraceRecord, in narration: Narration) {
        let concealed = FrameConcealed(record)
        guard concealed.means.value == .extrapolated else { return }
        // Speakers run at 48 kHz.
        let end = concealed.heard.advanced(by: .nanoseconds(concealed.samples * 62_500 / 3))
        let isByInternet = routes[Pair(record)]?.phase == .internetConnected
        let cause = recentDisruption(record, isByInternet ? .internet : .local, in: narration)
        let gap = Gap(start: concealed.heard, end: end, cause: cause)
        gaps[Pair(record), default: gap].end = end
    }

    private mutating func play(_ record: TraceRecord, in narration: inout Narration) {
        guard let gap = gaps.removeValue(forKey: Pair(record)) else { return }
        let length = gap.start.duration(to: gap.end).wholeNanoseconds
        guard length >= Self.gapMin else { return }
        let other = narration.name(of: record.subject) ?? "somebody"
        let brokeOff = Sentence.Cause(at: gap.start, "its voice broke off")
        narration.say(
            "the voice of \(other) breaks off, and is made up for a moment",
            of: record.component,
            at: gap.start,
            after: gap.cause
        )
        narration.say(
            "\(other) is heard again",
            of: record.component,
            at: FramePlayed(record).heard,
            after: brokeOff
        )
    }

    /// What befell a link of the pair shortly before, and therefore may be why.
    private func recentDisruption(
        _ record: TraceRecord,
        _ path: TransportPath,
        in narration: Narration
    ) -> Sentence.Cause? {
        let names = [record.component, record.subject].compactMap { narration.name(of: $0) }
        guard names.count == 2 else { return nil }
        let links =
            path == .local
            ? ["\(names[0])/\(names[1])", "\(names[1])/\(names[0])"]
            : names.flatMap { name in
                disrupted.keys.sorted().filter { link in
                    // A link that ends at another phone is no way to the Internet.
                    link.hasPrefix(name + "/") && !phones.contains { link.hasSuffix("/" + $0) }
                }
            }
        let causes = links.compactMap { disrupted[$0] }
        guard let last = causes.max(by: { $0.at < $1.at }),
            last.at.duration(to: record.instant).wholeNanoseconds <= Self.recentMax
        else { return nil }
        return last
    }

    /// What is longer ago explains nothing without more ado, in nanoseconds.
    private static let recentMax: Int64 = 10_000_000_000

    private static func by(_ path: TraceWord<TransportPath>) -> String {
        path.value == .internet ? "over the Internet" : "by radio"
    }
}

extension VoiceNarrator.Route {
    /// That the way to somebody stands elsewhere now.
    fileprivate func sentence(of moved: HandoverMoved, to other: String) -> String {
        let cause = moved.cause.value
        return switch moved.phase.value {
        case .disconnected: "there is no way to \(other) any more"
        case .localConnected where cause == .proven:
            "the voice to and from \(other) stays on the radio"
        case .localConnected: "the radio carries the voice to and from \(other)"
        case .internetConnecting: "the app brings the Internet up towards \(other)"
        case .handoverToInternet:
            "the app sends to \(other) by radio and over the Internet at once, to leave the radio"
        case .internetConnected: "the Internet carries the voice to and from \(other)"
        case .localCandidate where phase == .localProbing:
            "the app breaks off the trial of the radio to \(other)"
        case .localCandidate: "the app waits before it tries the radio to \(other) again"
        case .localProbing: "the app tries whether the radio to \(other) holds"
        case .handoverToLocal:
            "the app sends to \(other) by radio and over the Internet at once, to return to the radio"
        case nil: "the way to \(other) stands elsewhere"
        }
    }

    /// Why, after "because".
    fileprivate func reason(of moved: HandoverMoved) -> String {
        switch moved.cause.value {
        case .appeared where moved.phase.value == .localCandidate:
            hasLostRadio ? "it has come up again" : "that connection was never lost"
        case .appeared where moved.phase.value == .handoverToInternet: "the Internet has come up"
        case .appeared: "it has come up"
        case .quality:
            verdicts[.local].map { "\(judge(in: moved)) judges the radio \($0.spoken)" }
                ?? "of the radio's quality"
        case .notice: "the other side finds the radio poor"
        case .localLost: "the radio was lost"
        case .internetLost: "the Internet was lost"
        case .proven: "it has been good for long enough"
        case .elapsed where moved.phase.value == .localProbing: "the wait before a return is over"
        case .elapsed where moved.phase.value == .localConnected: "both have carried it long enough"
        case .elapsed where moved.phase.value == .internetConnected:
            "both have carried it long enough"
        case .elapsed where moved.phase.value == .localCandidate:
            "it was not good for long enough"
        case .elapsed where moved.phase.value == .internetConnecting:
            "the radio has not come up in time"
        case .elapsed: "its time is over"
        case nil: "of what nobody knows"
        }
    }

    /// Who judges, where the sentence is of the app and where it is not.
    private func judge(in moved: HandoverMoved) -> String {
        moved.phase.value == .internetConnected ? "the app" : "it"
    }
}

extension LinkChange? {
    /// What happened to a link, after its name.
    fileprivate var pastTense: String {
        switch self {
        case .stopped: "stopped"
        case .slowed: "became slow"
        case .jammed: "was held up"
        case .changed, nil: "changed"
        case .restored: "was as before"
        }
    }
}
