import IncomingCalls
import SansIO

/// What the user, and a phone call, do to calls.
extension CallScreen {
    mutating func perform(
        _ act: CallScreenAct,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch act {
        case .answer, .endAndAnswer: answer(act, at: now, into: &effects)
        case .decline:
            guard let call = calls.first(where: { $0.phase == .ringing }) else { return }
            end(call, at: now, into: &effects)
        case .hangUp:
            guard
                let call = calls.last(where: { $0.phase != .ringing && !$0.isHeld })
                    ?? calls.last(where: { $0.phase != .ringing })
            else { return }
            end(call, at: now, into: &effects)
        case .mute, .unmute:
            guard let call = calls.last(where: { $0.phase == .going && !$0.isHeld }) else { return }
            let isMuted = act == .mute
            ask(.setMuted(call.uuid, isMuted: isMuted), of: call.app, at: now, into: &effects)
        case .hold:
            guard let call = calls.last(where: { $0.phase == .going && !$0.isHeld }) else { return }
            ask(.setHeld(call.uuid, isHeld: true), of: call.app, at: now, into: &effects)
        case .unhold:
            guard let call = calls.last(where: { $0.phase == .going && $0.isHeld }) else { return }
            ask(.setHeld(call.uuid, isHeld: false), of: call.app, at: now, into: &effects)
        }
    }

    private mutating func answer(
        _ act: CallScreenAct,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = calls.firstIndex(where: { $0.phase == .ringing }) else { return }
        let call = calls[index]
        if phoneCallIsOn {
            phoneCallIsOn = false
            effects.append(.phoneCallHeld)
        }
        for other in calls where other.phase != .ringing && !other.isHeld {
            if act == .endAndAnswer {
                end(other, at: now, into: &effects)
            } else {
                let hold = SystemCallAction.setHeld(other.uuid, isHeld: true)
                ask(hold, of: other.app, at: now, into: &effects)
            }
        }
        guard let index = calls.firstIndex(where: { $0.uuid == call.uuid }) else { return }
        calls[index].phase = .pending
        effects.append(.ringEnded(call.app, call.uuid, .answered))
        effects.append(.answered(call.app))
        ask(.answer(call.uuid), of: call.app, at: now, into: &effects)
    }

    /// The user ends a call: the screen shows it no longer, and the app is asked to end it.
    private mutating func end(
        _ call: Call,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        remove(call.uuid, .declined, into: &effects)
        ask(.end(call.uuid), of: call.app, at: now, into: &effects)
    }

    /// A phone call puts calls on hold; when it ends they are taken back.
    mutating func phoneCall(
        isOn: Bool,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard phoneCallIsOn != isOn else { return }
        phoneCallIsOn = isOn
        for index in calls.indices where calls[index].phase == .going {
            if isOn ? calls[index].isHeld : !calls[index].isHeldByPhoneCall { continue }
            calls[index].isHeldByPhoneCall = isOn
            let (app, uuid) = (calls[index].app, calls[index].uuid)
            ask(.setHeld(uuid, isHeld: isOn), of: app, at: now, into: &effects)
        }
    }
}
