import SansIO

// By which way sound comes and goes, and the music of another app.

extension AudioSession {
    /// A headset comes or goes.
    ///
    /// An engine that runs is stopped, for its microphone and speaker are others now; the app is told and
    /// may start it at once ("the audio engine stops and uninitializes itself", Apple,
    /// `AVAudioEngineConfigurationChange`).
    mutating func change(
        _ accessory: AudioRoute,
        isAttached: Bool,
        into effects: inout EffectBuffer<Effect>
    ) {
        accessories.removeAll { $0 == accessory }
        if isAttached, accessory != .speaker { accessories.append(accessory) }
        settleRouting(stopsEngine: true, into: &effects)
    }

    /// Sends sound the way that the owner's session allows: to the headset that came last, and to one by
    /// Bluetooth only where the session allows it (`allowBluetooth`).
    mutating func settleRouting(stopsEngine: Bool, into effects: inout EffectBuffer<Effect>) {
        let allowsBluetooth = owner.map { clients[$0.index].options.allowsBluetooth } ?? true
        var now = AudioRouting()
        now.attached = accessories.last
        now.used = accessories.last { $0 != .bluetooth || allowsBluetooth } ?? .speaker
        if now.used != routing.used, let owner, clients[owner.index].isListening {
            effects.append(.news(owner, .routeChanged(now.used)))
            if stopsEngine, clients[owner.index].engine == .running {
                stopEngine(of: owner, into: &effects)
                effects.append(.news(owner, .engineConfigurationChanged))
            }
        }
        now.isRunning = soundOwner != nil
        let isNews = now != routing && (now.attached != nil || routing.attached != nil)
        routing = now
        if isNews { effects.append(.routed(now)) }
    }

    /// The user starts music or stops it: an app whose session does not mix is interrupted for it.
    mutating func want(music isWanted: Bool, into effects: inout EffectBuffer<Effect>) {
        guard music.isWanted != isWanted else { return }
        music.isWanted = isWanted
        guard isWanted else { return endInterruptions(into: &effects) }
        guard let owner, callOwner == nil, !clients[owner.index].options.mixesWithOthers else {
            return
        }
        interrupt(owner, into: &effects)
        self.owner = nil
    }

    /// Lets music play or stops it.
    mutating func settleMusic(into effects: inout EffectBuffer<Effect>) {
        guard music.isWanted || music.isPlaying else { return }
        var now = music
        now.isTakenByCall = callIsOn || callOwner != nil
        let isAlone = owner.map { !clients[$0.index].options.mixesWithOthers } ?? false
        now.isPlaying = now.isWanted && !now.isTakenByCall && !isAlone
        guard now != told else { return }
        music = now
        told = now
        effects.append(.musicChanged(now))
    }
}
