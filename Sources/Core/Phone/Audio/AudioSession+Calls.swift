import SansIO

// What a phone call, or the call screen, does to the apps whose audio it takes.

extension AudioSession {
    /// The system gives the session to a call, with more priority than an app's own activation has, and
    /// takes it back with its engine (Apple, developer forums, thread 749202).
    mutating func callAudio(_ app: AppID, isTaken: Bool, in turn: inout Turn<Effect>) {
        guard isTaken else {
            if callOwner == app { callOwner = nil }
            stopEngine(of: app, in: &turn)
            return release(app, in: &turn)
        }
        outrankRing()
        if let owner, owner != app {
            markSilenced(owner)
            interrupt(owner, in: &turn)
        }
        owner = app
        callOwner = app
        clients[app.index].wasInterrupted = false
        clients[app.index].wasSilencedByCall = false
    }

    /// What rings gets no more than a tone from then on; whomever it has interrupted the call interrupts now.
    private mutating func outrankRing() {
        guard isRinging else { return }
        isRinging = false
        callIsOn = false
        for index in clients.indices where clients[index].wasTold {
            clients[index].wasInterrupted = true
        }
    }

    /// A call takes the audio from an app, which may sound by a session of its own.
    private mutating func markSilenced(_ app: AppID) {
        guard callOwner != app, clients[app.index].engine != .stopped else { return }
        clients[app.index].wasSilencedByCall = true
    }

    /// A phone call outranks every app, and is told to all of them.
    mutating func phoneCall(isOn: Bool, in turn: inout Turn<Effect>) {
        guard callIsOn != isOn else { return }
        callIsOn = isOn
        if isOn {
            if let owner {
                markSilenced(owner)
                stopEngine(of: owner, answering: .insufficientPriority, in: &turn)
            }
            owner = nil
            for index in clients.indices { inform(AppID(index), in: &turn) }
        } else {
            endInterruptions(in: &turn)
        }
    }

    /// What rings and is not answered takes the audio as a phone call does, and gives it back; a call that
    /// goes on, or that is answered meanwhile, gets no more than a tone.
    mutating func ring(isOn: Bool, in turn: inout Turn<Effect>) {
        guard isOn else {
            guard isRinging else { return }
            isRinging = false
            return phoneCall(isOn: false, in: &turn)
        }
        guard callOwner == nil, !callIsOn else { return }
        isRinging = true
        phoneCall(isOn: true, in: &turn)
    }
}
