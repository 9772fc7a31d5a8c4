import SansIO

// By which way sound comes and goes, and the music of another app.

extension AudioSession {
    /// A headset comes or goes.
    ///
    /// An engine that runs is stopped, for its microphone and speaker are others now; the app is told and
    /// may start it at once ("the audio engine stops and uninitializes itself", Apple,
    /// `AVAudioEngineConfigurationChange`).
    mutating func change(_ accessory: AudioRoute, isAttached: Bool, in turn: inout Turn<Effect>) {
        accessories.removeAll { $0 == accessory }
        if isAttached, accessory != .speaker { accessories.append(accessory) }
        settleRouting(stopsEngine: true, in: &turn)
    }

    /// Sends sound the way that the owner's session allows: to the headset that came last, and to one by
    /// Bluetooth only where the session allows it (`allowBluetooth`).
    mutating func settleRouting(stopsEngine: Bool, in turn: inout Turn<Effect>) {
        let allowsBluetooth = owner.map { clients[$0.index].options.allowsBluetooth } ?? true
        var now = AudioRouting()
        now.attached = accessories.last
        now.used = accessories.last { $0 != .bluetooth || allowsBluetooth } ?? .speaker
        if now.used != routing.used, let owner, clients[owner.index].isListening {
            turn.order(.news(owner, .routeChanged(now.used)))
            if stopsEngine, clients[owner.index].engine == .running {
                stopEngine(of: owner, in: &turn)
                turn.order(.news(owner, .engineConfigurationChanged))
            }
        }
        now.isRunning = soundOwner != nil
        let isNews = now != routing && (now.attached != nil || routing.attached != nil)
        routing = now
        if isNews { turn.order(.routed(now)) }
    }

    /// The user starts music or stops it: an app whose session does not mix is interrupted for it.
    mutating func want(music isWanted: Bool, in turn: inout Turn<Effect>) {
        guard music.isWanted != isWanted else { return }
        music.isWanted = isWanted
        guard isWanted else { return endInterruptions(in: &turn) }
        guard let owner, callOwner == nil, !clients[owner.index].options.mixesWithOthers else {
            return
        }
        interrupt(owner, in: &turn)
        self.owner = nil
    }

    /// Lets music play or stops it.
    mutating func settleMusic(in turn: inout Turn<Effect>) {
        guard music.isWanted || music.isPlaying else { return }
        var now = music
        now.isTakenByCall = callIsOn || callOwner != nil
        let isAlone = owner.map { !clients[$0.index].options.mixesWithOthers } ?? false
        now.isPlaying = now.isWanted && !now.isTakenByCall && !isAlone
        guard now != told else { return }
        music = now
        told = now
        turn.order(.musicChanged(now))
    }
}
