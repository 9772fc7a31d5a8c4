import KodamaEvidence
import KodamaNetwork
public import KodamaPhone

extension Phone {
    /// The binding of the system's effects.
    @usableFromInline package func perform(_ effect: PhoneEffect, on stage: inout Stage) {
        switch effect {
        case .launch(let app):
            apps[app.index].launch(on: &stage)
        case .kill(let app, let reason):
            apps[app.index].willEnd(reason, on: &stage)
            apps[app.index].terminate(on: &stage)
        case .suspend(let app):
            apps[app.index].suspend(on: &stage)
        case .resume(let app):
            apps[app.index].resume(on: &stage)
        case .inform(let app, let news):
            apps[app.index].inform(news, on: &stage)
        case .addresses(let leases):
            use(leases)
            courier?.reviewAddress(on: &stage)
            for app in apps { app.addressesChanged(on: &stage) }
            touchPath(on: &stage)
        case .breakSockets(let app, let lease):
            apps[app.index].socketsFailed(address(lease), on: &stage)
        case .musicChanged(let state):
            let changed = MusicChanged(
                isWanted: state.isWanted,
                isPlaying: state.isPlaying,
                isTakenByCall: state.isTakenByCall
            )
            note(changed, on: &stage)
        case .routed(let routing):
            let routed = AudioRouted(
                isAttached: routing.attached != nil,
                isUsed: routing.attached == routing.used,
                isRunning: routing.isRunning
            )
            note(routed, on: &stage)
        case .phoneCallHeld:
            note(PhoneCallHeld(), on: &stage)
        case .requestPushToken(let app):
            courier?.requestToken(for: app, on: &stage)
        case .pushUnreported(let app, let breach):
            apps[app.index].observe(.pushUnreported(breach), on: &stage)
        case .pushesBlocked(let app):
            apps[app.index].observe(.pushesBlocked, on: &stage)
        case .ringBegan(let app, let call):
            apps[app.index].observe(.ringBegan(call), on: &stage)
        case .ringEnded(let app, let call, let end):
            apps[app.index].observe(.ringEnded(call, end), on: &stage)
        }
    }

    @usableFromInline package func finishCall(on stage: inout Stage) {
        for app in apps { app.systemSettled(on: &stage) }
        soundOwner = seat.ask { $0.soundOwner }.map { apps[$0.index] }
        if soundOwner?.usesFrames == true { startSound(on: &stage) } else { soundOwner = nil }
        reviewMode(on: &stage)
    }

    /// Notes when frames are recorded and played in another mode than voice chat (S-AUD-001).
    private func reviewMode(on stage: inout Stage) {
        let isRight = soundOwner == nil || seat.ask { $0.soundMode } == .voiceChat
        guard isRight != isInVoiceChat else { return }
        isInVoiceChat = isRight
        note(AudioModeChanged(isVoiceChat: isRight), on: &stage)
    }
}
