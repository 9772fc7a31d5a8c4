import KodamaEvidence
import KodamaPhone

/// Corrects what is said of a user who acts on the call screen when no call can take the act.
struct CallScreenNarrator {
    private struct Call {
        let number: Int64
        var isHeld = false
    }

    /// By phone how many calls ring.
    private var ringing: [String: Int] = [:]
    /// By phone which calls it has that were dialled or answered.
    private var going: [String: [Call]] = [:]
    /// The phones whose users are in a phone call, for which their other calls are on hold.
    private var phoning: Set<String> = []
    /// By component whether it is a calling app.
    private let areCalls: [Bool]
    private let acts: DeclaredWords<UserAct>

    init(_ directory: TraceDirectory) {
        areCalls = directory.names.map { $0.hasSuffix(".calls") }
        acts = directory.systems.acts
    }

    mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        let phone = narration.name(of: record.component) ?? ""
        switch record.kind {
        case CallRinging.kind: ringing[phone, default: 0] += 1
        case CallRingEnded.kind:
            ringing[phone, default: 0] -= 1
            let ended = CallRingEnded(record)
            if ended.end.value == .answered { begin(ended.call, on: phone) }
        case CallTold.kind where CallTold(record).event.value == .started:
            begin(CallTold(record).call, on: phone)
        case CallEnded.kind: going[phone]?.removeAll { $0.number == CallEnded(record).call }
        case PhoneCallHeld.kind: phoning.remove(phone)
        case AppTerminated.kind where areCalls[Int(record.component.index)]: going[phone] = nil
        case UserActed.kind:
            let act = UserActed(record).action
            if let attempt = attempt(act, on: phone), let text = acts[act] {
                _ = narration.amend(
                    "the user \(attempt)",
                    insteadOf: "the user \(text.sentence(narration.app(record.subject)))",
                    of: record.component,
                    at: record.instant
                )
            }
            follow(act, on: phone)
        default: break
        }
    }

    /// A call goes on from now on; the phone puts the others on hold for it.
    private mutating func begin(_ call: Int64, on phone: String) {
        holdAll(on: phone)
        going[phone, default: []].append(Call(number: call))
    }

    private mutating func holdAll(on phone: String) {
        for index in going[phone, default: []].indices { going[phone]?[index].isHeld = true }
    }

    private mutating func follow(_ act: TraceWord<UserAct>, on phone: String) {
        switch act {
        case .holdCall:
            let talking = going[phone]?.lastIndex { !$0.isHeld }
            if let talking { going[phone]?[talking].isHeld = true }
        case .unholdCall:
            guard let back = going[phone]?.lastIndex(where: \.isHeld) else { return }
            holdAll(on: phone)
            going[phone]?[back].isHeld = false
        case .phoneCallBegins: phoning.insert(phone)
        case .phoneCallEnds: phoning.remove(phone)
        case .phoneCallHungUp:
            phoning.remove(phone)
            holdAll(on: phone)
        default: return
        }
    }

    /// What the user would do, after "the user", where no call can take it.
    private func attempt(_ act: TraceWord<UserAct>, on phone: String) -> String? {
        if ringing[phone, default: 0] == 0, let attempt = act.withoutRinging { return attempt }
        let calls = going[phone, default: []]
        if calls.isEmpty, let attempt = act.withoutCall { return attempt }
        let areHeld = phoning.contains(phone) || calls.allSatisfy(\.isHeld)
        return areHeld ? act.onHold : nil
    }
}

extension TraceWord<UserAct> {
    /// What the user does if no call rings, after "the user"; `nil` for what needs none that does.
    fileprivate var withoutRinging: String? {
        switch self {
        case .answerCall, .endAndAnswerCall: "would answer a call, but none rings"
        case .declineCall: "would decline a call, but none rings"
        default: nil
        }
    }

    /// What the user does if there is no call, after "the user"; `nil` for what needs none.
    fileprivate var withoutCall: String? {
        switch self {
        case .endCall: "would end a call, but has none"
        case .muteCall: "would mute a call, but has none"
        case .unmuteCall: "would unmute a call, but has none"
        case .holdCall: "would put a call on hold, but has none"
        case .unholdCall: "would take a call back from hold, but has none"
        default: nil
        }
    }

    /// What the user does if every call is on hold, after "the user"; `nil` for what may be done.
    fileprivate var onHold: String? {
        switch self {
        case .muteCall: "would mute the call, but it is on hold"
        case .unmuteCall: "would unmute the call, but it is on hold"
        case .holdCall: "would put the call on hold, but it is already"
        default: nil
        }
    }
}
