import Models

/// Says what users do with their phones; what they say would be a sentence a second.
struct PeopleNarrator: SystemNarrator {
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

    init(_ directory: TraceDirectory) {
        areCalls = directory.names.map { $0.hasSuffix(".calls") }
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
            guard let act = UserActed(record).action.value else { return }
            let text = text(of: act, to: narration.app(record.subject), on: phone)
            narration.say("the user \(text)", of: record.component, at: record.instant)
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

    private mutating func follow(_ act: UserAct, on phone: String) {
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
        default: return
        }
    }

    /// What the user does, after "the user".
    private func text(of act: UserAct, to app: String, on phone: String) -> String {
        if ringing[phone, default: 0] == 0, let attempt = act.withoutRinging { return attempt }
        let calls = going[phone, default: []]
        if calls.isEmpty, let attempt = act.withoutCall { return attempt }
        let areHeld = phoning.contains(phone) || calls.allSatisfy(\.isHeld)
        if areHeld, let attempt = act.onHold { return attempt }
        return act.sentence(app)
    }
}

extension UserAct {
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

    /// What the user does, after "the user", to an app if it is done to one.
    fileprivate func sentence(_ app: String) -> String {
        switch self {
        case .openApp: "opens \(app)"
        case .leaveApp: "leaves the app"
        case .openControlCentre: "pulls Control Centre over the app"
        case .closeControlCentre: "puts Control Centre away"
        case .killApp: "throws \(app) out of the app switcher"
        case .phoneCallBegins: "is called by phone"
        case .phoneCallEnds: "ends the phone call"
        case .connect: "asks for the conversation"
        case .disconnect: "ends the conversation"
        case .mute: "mutes the microphone"
        case .unmute: "unmutes the microphone"
        case .tapNotification: "taps a notification of \(app)"
        case .signIn: "signs in"
        case .logOut: "logs out"
        case .unlock: "unlocks the phone for the first time since its restart"
        case .allowMicrophone: "allows \(app) the microphone"
        case .refuseMicrophone: "refuses \(app) the microphone"
        case .lock: "locks the phone"
        case .dial: "calls somebody"
        case .answerCall: "answers the call"
        case .endAndAnswerCall: "ends the call that goes on and answers the one that rings"
        case .declineCall: "declines the call"
        case .endCall: "ends the call"
        case .muteCall: "mutes the call"
        case .unmuteCall: "unmutes the call"
        case .holdCall: "puts the call on hold"
        case .unholdCall: "takes the call back from hold"
        case .playMusic: "starts music in another app"
        case .stopMusic: "stops the music"
        case .plugHeadset: "plugs a headset in"
        case .unplugHeadset: "unplugs the headset"
        case .connectBluetooth: "switches a Bluetooth headset on"
        case .disconnectBluetooth: "switches the Bluetooth headset off"
        case .logOutOfCalls: "logs out of the calling app"
        case .signInToCalls: "signs in to the calling app"
        case .allowInFocus: "lets \(app) through Do Not Disturb"
        case .silenceInFocus: "lets \(app) through Do Not Disturb no more"
        case .writeReplica: "writes in \(app)"
        case .readReplica: "looks at the rows in \(app)"
        case .syncReplica: "asks \(app) for the latest rows"
        case .signOutOfReplica: "signs out of \(app)"
        case .signInToReplica: "signs in to \(app)"
        case .updateReplicaApp: "gets another version of \(app)"
        }
    }
}
