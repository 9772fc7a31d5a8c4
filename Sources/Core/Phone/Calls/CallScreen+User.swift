import SansIO

/// What the user, and a phone call, do to calls.
extension CallScreen {
    mutating func perform(_ act: CallScreenAct, in turn: inout Turn<Effect>) {
        guard let call = call(reachedBy: act) else { return }
        switch act {
        case .answer, .endAndAnswer:
            answer(call, endsOthers: act == .endAndAnswer, in: &turn)
        case .decline, .hangUp:
            end(call, in: &turn)
        case .mute, .unmute:
            let isMuted = act == .mute
            ask(.setMuted(call.uuid, isMuted: isMuted), of: call.app, in: &turn)
        case .hold:
            hold(call, in: &turn)
        case .unhold:
            // One call is heard at a time: the two are swapped.
            holdPhoneCall(in: &turn)
            for other in goingOn { hold(other, in: &turn) }
            ask(.setHeld(call.uuid, isHeld: false), of: call.app, in: &turn)
        }
    }

    /// The call that an act of the user's reaches now, if any.
    func call(reachedBy act: CallScreenAct) -> Call? {
        switch act {
        case .answer, .endAndAnswer, .decline:
            return calls.first { $0.phase == .ringing }
        case .hangUp:
            return goingOn.last ?? calls.last { $0.phase != .ringing }
        case .mute, .unmute:
            // A call has its buttons from its answer on, though the app has yet to take that.
            return goingOn.last
        case .hold:
            // A call on hold has Hold in the place of Mute, which takes it back (Apple, iPhone User
            // Guide, "While on a call": touch and hold the Mute button).
            return calls.last { $0.phase == .going && !$0.isHeld }
        case .unhold:
            return calls.last { $0.phase == .going && $0.isHeld }
        }
    }

    /// The calls that are answered, or were started, and are not on hold.
    var goingOn: [Call] { calls.filter { $0.phase != .ringing && !$0.isHeld } }

    mutating func hold(_ call: Call, in turn: inout Turn<Effect>) {
        ask(.setHeld(call.uuid, isHeld: true), of: call.app, in: &turn)
    }

    mutating func answer(_ call: Call, endsOthers: Bool, in turn: inout Turn<Effect>) {
        holdPhoneCall(in: &turn)
        for other in goingOn {
            if endsOthers {
                end(other, in: &turn)
            } else {
                hold(other, in: &turn)
            }
        }
        guard let index = calls.firstIndex(where: { $0.uuid == call.uuid }) else { return }
        calls[index].phase = .pending
        turn.order(.ringEnded(call.app, call.uuid, .answered))
        turn.order(.answered(call.app))
        ask(.answer(call.uuid), of: call.app, in: &turn)
    }

    /// A phone call gives way to a call; what it had put on hold stays there until the user takes it back.
    private mutating func holdPhoneCall(in turn: inout Turn<Effect>) {
        guard phoneCallIsOn else { return }
        endPhoneCall()
        turn.order(.phoneCallHeld)
    }

    /// A phone call is over, and what it had put on hold stays there.
    mutating func endPhoneCall() {
        phoneCallIsOn = false
        for index in calls.indices { calls[index].isHeldByPhoneCall = false }
    }

    /// The user ends a call: the screen shows it no longer, and the app is asked to end it.
    private mutating func end(_ call: Call, in turn: inout Turn<Effect>) {
        remove(call.uuid, .declined, in: &turn)
        ask(.end(call.uuid), of: call.app, in: &turn)
    }

    /// A phone call puts calls on hold; when its user ends it they are taken back.
    mutating func phoneCall(isOn: Bool, in turn: inout Turn<Effect>) {
        guard phoneCallIsOn != isOn else { return }
        phoneCallIsOn = isOn
        for index in calls.indices where calls[index].phase == .going {
            if isOn ? calls[index].isHeld : !calls[index].isHeldByPhoneCall { continue }
            calls[index].isHeldByPhoneCall = isOn
            let (app, uuid) = (calls[index].app, calls[index].uuid)
            ask(.setHeld(uuid, isHeld: isOn), of: app, in: &turn)
        }
    }
}
