import SansIO

// What a phone call, or the call screen, does to the apps whose audio it takes.

extension AudioSession {
    /// The system gives the session to a call, with more priority than an app's own activation has, and
    /// takes it back with its engine (Apple, developer forums, thread 749202).
    mutating func callAudio(
        _ app: AppID,
        isTaken: Bool,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard isTaken else {
            if callOwner == app { callOwner = nil }
            stopEngine(of: app, into: &effects)
            return release(app, into: &effects)
        }
        if let owner, owner != app {
            markSilenced(owner)
            interrupt(owner, into: &effects)
        }
        owner = app
        callOwner = app
        clients[app.index].wasInterrupted = false
        clients[app.index].wasSilencedByCall = false
    }

    /// A call takes the audio from an app, which may sound by a session of its own.
    private mutating func markSilenced(_ app: AppID) {
        guard callOwner != app, clients[app.index].engine != .stopped else { return }
        clients[app.index].wasSilencedByCall = true
    }

    /// A phone call outranks every app, and is told to all of them.
    mutating func phoneCall(isOn: Bool, into effects: inout EffectBuffer<Effect>) {
        guard callIsOn != isOn else { return }
        callIsOn = isOn
        if isOn {
            if let owner {
                markSilenced(owner)
                stopEngine(of: owner, answering: .insufficientPriority, into: &effects)
            }
            owner = nil
            for index in clients.indices { inform(AppID(index), into: &effects) }
        } else {
            endInterruptions(into: &effects)
        }
    }
}
