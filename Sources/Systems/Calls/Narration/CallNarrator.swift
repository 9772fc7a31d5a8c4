import IncomingCalls
import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import SansIO

/// Says how calls ring, are answered and end.
struct CallNarrator: SystemNarrator {
    struct Call {
        var caller: ComponentIndex
        var dialled: Instant?
        var pushed: Instant?
        var rang: [UInt32: Instant] = [:]
        /// By app when its user answered; several devices of one user may.
        var answered: [UInt32: Instant] = [:]
        var ended: Instant?
        /// The apps at which the other side is heard.
        var hearing: Set<UInt32> = []
        /// Whether both have heard each other.
        var hasBeenHeard = false
        /// At which app alone the other side is heard, and since when.
        var oneWay: OneWay?
        /// The latest sentence of a voice that is heard no more.
        var silence: (of: ComponentIndex, at: Instant, text: String)?
    }

    var calls: [Int64: Call] = [:]
    private var dialled: [String: Instant] = [:]
    private var latest = Instant.zero
    private var screen: CallScreenNarrator

    init(_ directory: TraceDirectory) {
        screen = CallScreenNarrator(directory)
    }

    mutating func finish(in narration: inout Narration) {
        for number in calls.keys.sorted() where calls[number]?.ended == nil {
            tellOneWay(number, until: latest, in: &narration)
        }
    }

    mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        latest = record.instant
        screen.follow(record, in: &narration)
        switch record.kind {
        case UserActed.kind:
            guard UserActed(record).action == .dial,
                let name = narration.name(of: record.component)
            else { return }
            dialled[name] = record.instant
        case CallPlaced.kind: place(record, in: &narration)
        case PushAccepted.kind: accept(record, in: &narration)
        case PushRefused.kind, PushDropped.kind, PushUnreported.kind, PushesBlocked.kind,
            PushTokenReplaced.kind:
            follow(push: record, in: &narration)
        case CallRinging.kind: ring(record, in: &narration)
        case CallRingEnded.kind: endRing(record, in: &narration)
        case CallConnected.kind: connect(record, in: &narration)
        case CallVoiceFlowing.kind: flow(record, in: &narration)
        case CallVoiceStopped.kind: stop(record, in: &narration)
        case CallEnded.kind, MissedCallShown.kind:
            follow(end: record, in: &narration)
        case MicrophoneExplained.kind:
            let why = Self.words(of: MicrophoneExplained(record).notice)
            narration.say("the phone shows that \(why)", of: record.component, at: record.instant)
        default: break
        }
    }

    /// A push comes to nothing, or costs the app something.
    private func follow(push record: TraceRecord, in narration: inout Narration) {
        switch record.kind {
        case PushRefused.kind:
            let refused = PushRefused(record)
            narration.say(
                "the push service refuses the push for call \(refused.call): HTTP \(refused.status)",
                of: record.component,
                at: record.instant
            )
        case PushTokenReplaced.kind:
            narration.say(
                "the push service takes the app's token no more",
                of: record.subject,
                at: record.instant
            )
        case PushDropped.kind:
            let dropped = PushDropped(record)
            narration.say(
                "the push service gives up the push for call \(dropped.call): "
                    + Self.words(of: dropped.reason),
                of: record.component,
                at: record.instant,
                after: calls[dropped.call]?.pushed.map {
                    Sentence.Cause(at: $0, "the push was taken")
                }
            )
        case PushUnreported.kind:
            narration.say(
                "the system ends the app, which took a push and reported no call",
                of: record.component,
                at: record.instant
            )
        default:
            narration.say(
                "the system launches the app for pushes no more",
                of: record.component,
                at: record.instant
            )
        }
    }

    private mutating func place(_ record: TraceRecord, in narration: inout Narration) {
        let number = CallPlaced(record).call
        let name = narration.name(of: record.subject) ?? ""
        calls[number] = Call(caller: record.subject, dialled: dialled[name])
        narration.say(
            "the app's server has call \(number) of \(name)",
            of: record.component,
            at: record.instant,
            after: dialled[name].map { Sentence.Cause(at: $0, "the user called") }
        )
    }

    private mutating func accept(_ record: TraceRecord, in narration: inout Narration) {
        let accepted = PushAccepted(record)
        if calls[accepted.call]?.pushed == nil { calls[accepted.call]?.pushed = record.instant }
        let state =
            switch accepted.state.value {
            case .foreground: "its app is in front"
            case .background: "its app runs in the background"
            case .suspended: "its app is held in the background"
            case .killed: "its app does not run"
            case nil: "its app is unknown"
            }
        let lock = accepted.isLocked.isSet ? ", the phone is locked" : ""
        let reach = accepted.isReachable.isSet ? "" : ", and no packet reaches it"
        // A push of another payload announces a call of which nobody knows.
        let isKnown = calls[accepted.call] != nil
        let push = isKnown ? "the push for call \(accepted.call)" : "a push"
        let phone = narration.name(of: record.subject) ?? "a phone"
        narration.say(
            "the push service takes \(push) to \(phone): \(state)\(lock)\(reach)",
            of: record.component,
            at: record.instant
        )
    }

    private mutating func ring(_ record: TraceRecord, in narration: inout Narration) {
        let number = CallRinging(record).call
        let call = calls[number]
        calls[number]?.rang[record.component.index] = record.instant
        let what = number == 0 ? "a push that announces no call" : "call \(number)"
        narration.say(
            "the phone rings for \(what)",
            of: record.component,
            at: record.instant,
            after: call?.dialled.map {
                Sentence.Cause(at: $0, "\(narration.name(of: call?.caller ?? .none) ?? "") called")
            }
        )
    }

    private mutating func endRing(_ record: TraceRecord, in narration: inout Narration) {
        let ended = CallRingEnded(record)
        let rang = calls[ended.call]?.rang.removeValue(forKey: record.component.index)
        let why: String
        switch ended.end.value {
        case .answered:
            let app = record.component.index
            if calls[ended.call]?.answered[app] == nil {
                calls[ended.call]?.answered[app] = record.instant
            }
            return
        case .declined: return
        case .endedByApp: why = "the app says that it is over"
        case .appEnded: why = "the app's process ended"
        case nil: why = ended.end.spoken
        }
        narration.say(
            "\(ended.call == 0 ? "it" : "call \(ended.call)") rings no more: \(why)",
            of: record.component,
            at: record.instant,
            after: rang.flatMap {
                $0 < record.instant ? Sentence.Cause(at: $0, "it began to ring") : nil
            }
        )
    }

    private mutating func follow(end record: TraceRecord, in narration: inout Narration) {
        if record.kind == MissedCallShown.kind {
            let number = MissedCallShown(record).call
            return narration.say(
                "the phone shows that call \(number) was missed",
                of: record.component,
                at: record.instant,
                after: calls[number]?.ended.map { Sentence.Cause(at: $0, "the call was over") }
            )
        }
        let ended = CallEnded(record)
        let first = calls[ended.call]?.ended
        if !Self.isOfOneDevice(ended.reason), !isAnsweredElsewhere(ended.call, record.component) {
            if first == nil { tellOneWay(ended.call, until: record.instant, in: &narration) }
            calls[ended.call]?.ended = first ?? record.instant
        }
        narration.say(
            "the app says that call \(ended.call) is over: \(Self.words(of: ended.reason))",
            of: record.component,
            at: record.instant,
            after: first.flatMap {
                $0 < record.instant ? Sentence.Cause(at: $0, "it was over elsewhere") : nil
            }
        )
    }

    /// Whether an app of the callee's has not answered a call, and another of theirs has.
    private func isAnsweredElsewhere(_ number: Int64, _ app: ComponentIndex) -> Bool {
        guard let call = calls[number], call.caller != app else { return false }
        return !call.answered.isEmpty && call.answered[app.index] == nil
    }

    /// The answer to a call: an app's own, if it is asked for and there is one, else the first.
    func answer(of call: Int64, at app: ComponentIndex = .none) -> Sentence.Cause? {
        guard let answered = calls[call]?.answered else { return nil }
        return (answered[app.index] ?? answered.values.min())
            .map { Sentence.Cause(at: $0, "the call was answered") }
    }

    private static func words(of notice: TraceWord<MicrophoneNotice>) -> String {
        switch notice.value {
        case .refused: "calls need the microphone, which is refused"
        case .openApp: "the call waits for the microphone, and the app is to be opened"
        case nil: notice.spoken
        }
    }

    private static func words(of reason: TraceWord<PushLoss>) -> String {
        switch reason.value {
        case .expired: "its time is over before the phone is back"
        case .superseded: "another one is kept for the app"
        case .notStored: "it was to be tried once, and the phone is offline"
        case .appRemoved: "this token is no longer the app's"
        case nil: reason.spoken
        }
    }

    private static func words(of reason: TraceWord<CallEnding>) -> String {
        switch reason.value {
        case .hungUp: "somebody hung up"
        case .cancelled: "the caller gave it up"
        case .crossed: "both called each other at once, and this call gave way"
        case .filtered: "the phone does not let it ring"
        case .expired: "its push came too late"
        case .unusable: "its push could not be read"
        case .signedOut: "nobody is signed in any more"
        case .notReady: "the app could not read who its user is, or nobody signed in"
        case .failed: "something broke"
        case .unanswered, .declined, .answeredElsewhere, .declinedElsewhere, .busy, nil:
            reason.spoken
        }
    }

    /// Whether only one device of the callee's is done with the call.
    private static func isOfOneDevice(_ reason: TraceWord<CallEnding>) -> Bool {
        switch reason.value {
        case .answeredElsewhere, .filtered, .expired, .unusable, .signedOut, .notReady: true
        case .cancelled, .unanswered, .declined, .declinedElsewhere, .busy, .hungUp, .failed,
            .crossed, nil:
            false
        }
    }
}
