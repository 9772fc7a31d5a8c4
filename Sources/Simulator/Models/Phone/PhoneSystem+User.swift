import RealtimeVoice
import SansIO

extension PhoneSystem {
    mutating func act(
        _ action: UserAction,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneSystemEffect>
    ) {
        switch action {
        case .openApp:
            openApp(at: now, into: &effects)
        case .leaveApp:
            leaveApp(at: now, into: &effects)
        case .openControlCentre:
            controlCentreIsOpen = isInFront
            coverOrUncover(into: &effects)
        case .closeControlCentre:
            controlCentreIsOpen = false
            coverOrUncover(into: &effects)
        case .killApp:
            killApp(into: &effects)
        case .phoneCallBegins, .phoneCallEnds:
            callIsOn = action == .phoneCallBegins
            tellAudio(into: &effects)
            coverOrUncover(into: &effects)
        }
    }

    private mutating func openApp(
        at now: Instant,
        into effects: inout EffectBuffer<PhoneSystemEffect>
    ) {
        guard !isInFront else { return }
        isInFront = true
        graceBegan = nil
        let isLaunch = process == .none
        switch process {
        case .none:
            process = .running
            effects.append(.launchApp)
            effects.append(.addresses(addresses))
        case .suspended(let since):
            process = .running
            effects.append(.resumeApp)
            let areDead =
                since.duration(to: now) > configuration.suspendedSocketLife
            for socket in sleeping where socket.isBroken || areDead {
                effects.append(.breakSockets(socket.lease))
            }
        case .running:
            break
        }
        tellPath(into: &effects)
        tellAudio(into: &effects)
        if isLaunch {
            show(uncoveredPhase, into: &effects)
        } else {
            show(.inactive, into: &effects)
            transition = Transition(
                due: now.advanced(by: configuration.transitionTime),
                phase: uncoveredPhase
            )
        }
    }

    private mutating func leaveApp(
        at now: Instant,
        into effects: inout EffectBuffer<PhoneSystemEffect>
    ) {
        guard isInFront else { return }
        isInFront = false
        controlCentreIsOpen = false
        show(.inactive, into: &effects)
        transition = Transition(
            due: now.advanced(by: configuration.transitionTime),
            phase: .background
        )
    }

    private mutating func killApp(into effects: inout EffectBuffer<PhoneSystemEffect>) {
        isInFront = false
        controlCentreIsOpen = false
        guard process != .none else { return }
        process = .none
        phase = nil
        transition = nil
        graceBegan = nil
        audioRuns = false
        audioIsTaken = false
        backgroundTaskRuns = false
        toldLease = nil
        effects.append(.terminateApp)
    }

    /// The phase of an app in front.
    private var uncoveredPhase: ScenePhase {
        controlCentreIsOpen || callIsOn ? .inactive : .active
    }

    /// Something came over the app in front, or went.
    private mutating func coverOrUncover(into effects: inout EffectBuffer<PhoneSystemEffect>) {
        guard isInFront else { return }
        let phase = uncoveredPhase
        if transition == nil {
            show(phase, into: &effects)
        } else {
            // The app is just being opened; it ends as what now lies over it says.
            transition?.phase = phase
        }
    }

    mutating func show(
        _ phase: ScenePhase,
        into effects: inout EffectBuffer<PhoneSystemEffect>
    ) {
        guard self.phase != phase else { return }
        self.phase = phase
        effects.append(.scenePhase(phase))
    }

    /// Tells a running app whether a call has the audio, if it does not know.
    private mutating func tellAudio(into effects: inout EffectBuffer<PhoneSystemEffect>) {
        guard process == .running, audioIsTaken != callIsOn else { return }
        audioIsTaken = callIsOn
        effects.append(callIsOn ? .takeAudio : .returnAudio)
    }
}
