import KodamaEvidence
import PeerTransport
import SansIO

/// Says how phones of a group find each other, change between radio and Internet, and what is not heard.
struct IntercomNarrator: SystemNarrator {
    /// Two components, one of which something of the other concerns.
    struct Pair: Hashable {
        var at: UInt32
        var of: UInt32
    }

    private var joined: [UInt32: Instant] = [:]
    /// By app when it left the group that it is not back in.
    private(set) var departed: [UInt32: Instant] = [:]
    var routes: [Pair: Route] = [:]
    private var members: Set<Pair> = []
    var gaps: [Pair: Gap] = [:]
    var unheard = UnheardSpeech()
    /// By app when its microphone was turned off, or on, last.
    var muted: [UInt32: (isMuted: Bool, at: Instant)] = [:]
    /// The cards that say that a microphone is off.
    private var mutedCards: Set<Pair> = []
    /// How a card said last that its member is reached.
    private var shownCards: [Pair: CardConnection] = [:]
    /// When the run was over.
    var ended: Instant?
    var disruptions = Disruptions()
    var proofs = Proofs()
    var refusals = Refusals()

    init(_ directory: TraceDirectory) {}

    mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        switch record.kind {
        case FrameConcealed.kind: conceal(record, in: narration)
        case FramePlayed.kind: play(record, in: &narration)
        case SpeechBegan.kind, SpeechEnded.kind: unheard.speak(record, in: narration)
        case MicrophoneMuted.kind: mute(record, in: narration)
        case RunEnded.kind: ended = record.instant
        case LinkChanged.kind: disruptions.note(record, in: narration)
        case GroupJoined.kind, GroupLeft.kind, GroupUnopened.kind, MemberJoined.kind,
            MemberRefused.kind:
            follow(member: record, in: &narration)
        case InviteAnswered.kind, InviteUnmade.kind: follow(invite: record, in: &narration)
        case CardShown.kind:
            follow(card: record, in: &narration)
            tellMute(on: record, in: &narration)
        case InternetShown.kind:
            let says = InternetShown(record).isUnavailable.isSet ? "says" : "no longer says"
            narration.say(
                "the app \(says) that the Internet cannot be had",
                of: record.component,
                at: record.instant
            )
        case PeerRadioSwitched.kind, ConnectionUp.kind, ConnectionDown.kind, ConnectionCut.kind:
            follow(connection: record, in: &narration)
        case PacketRefused.kind: refusals.note(record, narration.position)
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
            departed[record.component.index] = nil
            proofs.forget(record.component)
            unheard.join(record, in: narration)
            disruptions.meet(record.component, in: narration)
            narration.say("the app joins its group", of: record.component, at: record.instant)
        case GroupLeft.kind:
            departed[record.component.index] = record.instant
            unheard.leave(record.component)
            proofs.forget(record.component)
            mutedCards = mutedCards.filter { $0.at != record.component.index }
            shownCards = shownCards.filter { $0.key.at != record.component.index }
            narration.say("the app leaves its group", of: record.component, at: record.instant)
        case GroupUnopened.kind:
            let text =
                switch GroupUnopened(record).trouble.value {
                case .secretNotKept: "the keychain does not keep the group's secret"
                case .secretMissing: "the keychain has no secret of the chosen group"
                case .secretUnavailable, nil: "the keychain cannot be read, so no group is opened"
                case .inAnother: "no group is made: the app is in one"
                }
            narration.say(text, of: record.component, at: record.instant)
        case MemberRefused.kind:
            narration.say(
                "the group is full: \(MemberRefused(record).capacity) are in it",
                of: record.component,
                at: record.instant,
                after: joined
            )
        default:
            let isNew = members.insert(Pair(record)).inserted
            proofs.prove(Pair(record))
            narration.say(
                "\(isNew ? "" : "once more ")\(other) has proven who it is and is let in",
                of: record.component,
                at: record.instant,
                after: isNew ? joined : nil
            )
        }
    }

    private func follow(invite record: TraceRecord, in narration: inout Narration) {
        let text: String
        if record.kind == InviteAnswered.kind {
            text = InviteAnswered(record).outcome.sentence
        } else {
            let isAway = InviteUnmade(record).lack.value == .app
            text = "no invite is made: the app \(isAway ? "does not run" : "is in no group")"
        }
        narration.say(text, of: record.component, at: record.instant)
    }

    /// Says who is in no more; a screen of an app that has left shows nobody, which needs no word.
    private mutating func follow(card record: TraceRecord, in narration: inout Narration) {
        let shown = CardShown(record).connection.value
        let former = shownCards.updateValue(shown ?? .gone, forKey: Pair(record))
        if shown == .gone || shown == .searching { proofs.forget(Pair(record)) }
        guard record.component != record.subject, departed[record.component.index] == nil,
            former != .searching, let other = narration.name(of: record.subject)
        else { return }
        if shown == .searching, let former, former != .gone {
            narration.say(
                "the app gives up on \(other), whose card says that it is sought",
                of: record.component,
                at: record.instant
            )
        }
        guard shown == .gone else { return }
        let left = departed[record.subject.index]
        narration.say(
            left == nil
                ? "the app gives up on \(other) and takes its card away"
                : "its card is taken away",
            of: record.component,
            at: record.instant,
            after: left.map { Sentence.Cause(at: $0, "\(other) left the group") }
        )
    }

    /// Says whose microphone is off, as another's screen has it, and soon after what.
    private mutating func tellMute(on record: TraceRecord, in narration: inout Narration) {
        let (pair, card) = (Pair(record), CardShown(record))
        let isMuted = card.isMuted.isSet
        guard record.component != record.subject, let other = narration.name(of: record.subject),
            isMuted != mutedCards.contains(pair)
        else { return }
        if isMuted { mutedCards.insert(pair) } else { mutedCards.remove(pair) }
        // A card that is gone says nothing, nor does one of somebody who is sought.
        guard let shown = card.connection.value, shown != .gone, shown != .searching else { return }
        var cause: Sentence.Cause?
        if let last = muted[record.subject.index], last.isMuted == isMuted,
            last.at.duration(to: record.instant).wholeNanoseconds <= Self.recentMax
        {
            let word = isMuted ? "off" : "on"
            cause = Sentence.Cause(at: last.at, "the microphone was turned \(word)")
        }
        narration.say(
            "the card of \(other) \(isMuted ? "says" : "no longer says") that it is muted",
            of: record.component,
            at: record.instant,
            after: cause
        )
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
            proofs.open(Pair(record), path.value ?? .local, at: record.instant)
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
            let wait = proofs.close(Pair(record), path.value ?? .local, at: record.instant)
            let lack =
                wait.map { " after \($0.lengthText), in which \(other) has not proven who it is" }
            text = "the connection to \(other) \(Self.by(path)) is gone\(lack ?? "")"
        default:
            text =
                "the app cuts the connection to \(other), having refused too many of its packets, "
                + "the last because \(ConnectionCut(record).refusal.sentence)"
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
            after: disruptions.recent(record, path, in: narration)
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
            after: disruptions.recent(record, path, in: narration)
        )
        route.phase = moved.phase.value
        if route.phase == .internetConnecting { route.requested = record.instant }
        if route.phase == .localConnected { route.hasLostRadio = false }
        if route.phase?.usesRadio == true { route.hasTriedRadio = true }
        routes[Pair(record)] = route
    }

    /// What is longer ago explains nothing without more ado, in nanoseconds.
    static let recentMax: Int64 = 10_000_000_000

    private static func by(_ path: TraceWord<TransportPath>) -> String {
        path.value == .internet ? "over the Internet" : "by radio"
    }
}

extension IntercomNarrator.Pair {
    /// The component of a record and its subject.
    init(_ record: TraceRecord) {
        self.init(at: record.component.index, of: record.subject.index)
    }
}
